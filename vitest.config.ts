import { defineConfig } from 'vitest/config'

// Workspaces resolve to their sources, so tests never run against a stale build.
const conditions = ['@gapura/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'test/**/*.test.ts',
      'campaigns/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
    ],
    // They have commands of their own: `npm run suite examples`, `npm run suite campaigns`, `npm run e2e`.
    exclude: ['test/examples/**', 'test/e2e/**', 'campaigns/quick.test.ts'],
    setupFiles: ['packages/service/test/store/test_setup.ts'],
    // One more than CI has cores, because a test often waits for PostgreSQL or for time to pass.
    maxWorkers: 3,
    // A worker loads the service once: to load it takes longer than most files.
    isolate: false,
    // Far past what anything takes: a machine at a third of its speed is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
