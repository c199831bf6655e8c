import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// Apart from the others, because examples run against the build, as they do where they are copied.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/examples/*.test.ts'], exclude: [] },
})
