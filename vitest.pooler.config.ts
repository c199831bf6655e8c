import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// `npm run suite pooler`: all tests through pgbouncer, without prepared statements, as an
// installation with `GAPURA_PREPARED_STATEMENTS=false` runs.
export default defineConfig({
  ...base,
  plugins: [
    {
      name: 'no-prepared-statements',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('/store/connection/database.ts')
          ? code.replace('options.prepared ?? true', 'options.prepared ?? false')
          : undefined,
    },
  ],
  test: { ...base.test, globalSetup: ['packages/service/test/store/pooler.ts'] },
})
