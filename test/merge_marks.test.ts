import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('no file contains merge conflict markers', () => {
  const marks = ['-E', '-e', '^<{7} ', '-e', '^>{7} ']
  const { status, stdout, stderr } = spawnSync('git', ['grep', '-n', ...marks], {
    encoding: 'utf8',
    cwd: new URL('..', import.meta.url),
  })
  // Git exits with 1 if it finds nothing.
  expect([status, stdout, stderr]).toEqual([1, '', ''])
})
