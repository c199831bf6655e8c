// Lists on hand-written pages that must agree with the code.
import { readFileSync } from 'node:fs'
import { SIGNALS } from 'gapura'
import { expect, test } from 'vitest'
import { ALARM_KINDS } from '../../packages/service/src/domain/alarm.ts'
import { SOURCES } from '../../packages/service/src/domain/signals.ts'
import { DELIVERY_ERRORS, RETRY_PLAN_MS } from '../../packages/service/src/domain/webhook.ts'
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

test('the webhooks page has the plan of retries and every error of a delivery', () => {
  const text = textOf('webhooks')
  const [, plan = ''] = text.split('| Attempt | Pause before it | After the first |')
  const units: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 }
  const pauses = [...plan.matchAll(/^\| \d+ \| (\d[^|]*) \|/gm)].map(([, pause = '']) =>
    [...pause.matchAll(/(\d+) (s|min|h)/g)].reduce(
      (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? Number.NaN),
      0,
    ),
  )
  expect(pauses).toEqual(RETRY_PLAN_MS)
  expect(DELIVERY_ERRORS.filter((error) => !text.includes(`| \`${error}\` |`))).toEqual([])
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
