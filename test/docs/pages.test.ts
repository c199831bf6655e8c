// Lists on hand-written pages that must agree with the code.
import { readFileSync } from 'node:fs'
import { SIGNALS } from 'gapura'
import { expect, test } from 'vitest'
import { ALARM_KINDS } from '../../packages/service/src/domain/alarm.ts'
import { SOURCES } from '../../packages/service/src/domain/signals.ts'
import { ROUTES } from '../../packages/service/src/main/routes.ts'

const textOf = (page: string): string => readFileSync(`docs/${page}.md`, 'utf8')

test('the runbook lists every alarm', () => {
  const text = textOf('runbook')
  expect(ALARM_KINDS.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([])
})

test('the events page lists every signal and every source', () => {
  const text = textOf('events')
  expect([...SIGNALS, ...SOURCES].filter((word) => !text.includes(`\`${word}\``))).toEqual([])
})

test.each([
  ['invoices', 'create_invoice', 'link'],
  ['subscriptions', 'create_subscription', 'card'],
])(
  'the request on the page of %s is the one the interface document shows',
  (page, operation, name) => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(textOf(page)) ?? []
    const route = ROUTES.find((one) => one.operation === operation)
    expect(JSON.parse(json)).toEqual(route?.example?.[name]?.value)
  },
)
