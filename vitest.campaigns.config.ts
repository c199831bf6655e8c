import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// Apart from the others, because each wants the machine to itself.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['campaigns/quick.test.ts'], exclude: [] },
})
