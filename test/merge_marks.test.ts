import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('no file carries the marks of a merge that was not ended', () => {
  const marks = ['-E', '-e', '^<{7} ', '-e', '^>{7} ']
  const { status, stdout, stderr } = spawnSync('git', ['grep', '-n', ...marks], {
    encoding: 'utf8',
    cwd: new URL('..', import.meta.url),
  })
  // 1 is git's word for: looked, and found nothing.
  expect([status, stdout, stderr]).toEqual([1, '', ''])
})
