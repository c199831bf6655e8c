import { defineConfig } from 'vitest/config'

// Workspaces resolve to their sources, so tests never run against a stale build.
const conditions = ['@gapura/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
