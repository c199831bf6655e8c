import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// Apart from the others, because it needs an application that `npm run suite next` has built.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/service/test/http/next_host.ts', 'test/examples/nextjs.ts'],
    exclude: [],
  },
})
