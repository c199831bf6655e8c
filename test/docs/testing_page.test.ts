// The test that docs/testing.md shows, run as it is printed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { directUrl } from '../../packages/service/test/store/own_database.ts'
import { DATABASE_URL } from '../../packages/service/test/store/test_database.ts'

test('the test on the page of testing passes as it is printed', { timeout: 60_000 }, () => {
  const page = readFileSync('docs/testing.md', 'utf8')
  const [, code = ''] = /^```ts payment\.test\.ts\n([\s\S]*?)^```/m.exec(page) ?? []
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-testing-page-'))
  try {
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(path.join(folder, 'payment.test.ts'), code)
    const run = ['--conditions=@gapura/source', '--test', '--test-reporter=tap']
    const { stdout } = spawnSync(process.execPath, run, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        DATABASE_URL: directUrl(DATABASE_URL),
        NODE_OPTIONS: '',
        NODE_TEST_CONTEXT: undefined,
      },
    })
    expect(stdout).toMatch(/^# pass 3$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
