import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// For `npm run suite mutants`, which names the tests of the part it mutates.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: (process.env['GAPURA_MUTANT_TESTS'] ?? '').split(','),
    maxWorkers: 1,
  },
})
