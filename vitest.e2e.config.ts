import { defineConfig } from 'vitest/config'

const conditions = ['@gapura/source', 'node']

const { GAPURA_PICTURES, GAPURA_E2E } = process.env

/** `npm run generate pictures` draws docs/images/dashboard instead; CI names the files it has time for. */
function files(): string[] {
  if (GAPURA_PICTURES) return ['test/e2e/pictures.ts']
  if (GAPURA_E2E) return GAPURA_E2E.split(',').map((name) => `test/e2e/${name}.test.ts`)
  return ['test/e2e/*.test.ts']
}

// One browser and one service for all of it: the files follow one another. Nothing waits for longer
// than it must, so patience costs nothing; on a busy machine the lack of it would.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: files(),
    setupFiles: ['packages/service/test/store/test_setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
