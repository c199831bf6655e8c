import { defineConfig } from 'vitest/config'

const conditions = ['@gapura/source', 'node']

// One browser and one service for all of it: the files follow one another.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // `npm run dashboard:pictures` draws docs/images/dashboard instead.
    include: process.env['GAPURA_PICTURES'] ? ['test/e2e/pictures.ts'] : ['test/e2e/*.test.ts'],
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
