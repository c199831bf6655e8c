// The messages that docs/logging.md lists are those that the code writes.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readTree } from '../../scripts/tidy/tree.ts'

const [, table = ''] = readFileSync('docs/logging.md', 'utf8').split('| `message` | Level |')
const rows = table.split('\n## ')[0]?.split('\n').slice(2) ?? []
const messages = rows.flatMap((row) =>
  [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
)
const source = [...readTree('.')]
  .filter(([file]) => file.startsWith('packages/service/src/'))
  .map(([, text]) => text)
  .join('\n')

test('the page names messages', () => {
  expect(messages.length).toBeGreaterThan(5)
})

test.each(messages)('%s is written by the service', (message) => {
  expect(source.includes(`'${message}'`)).toBe(true)
})
