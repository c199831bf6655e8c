import { expect, test } from 'vitest'
import { operatorMessage, type OperatorEvent } from './operator_event.ts'

const alarm = (subject_id: string, kind = 'amount_mismatch'): OperatorEvent =>
  ({
    type: 'alarm_opened',
    object: { id: `a-${subject_id}`, kind, subject_kind: 'payment', subject_id },
  }) as OperatorEvent

const ONE: [string, OperatorEvent, string, string][] = [
  [
    'an alarm',
    alarm('p-1'),
    'alarm opened: amount_mismatch, payment p-1',
    'See the alarms in the dashboard, or gapura alarms list.',
  ],
  [
    'a disabled endpoint',
    { type: 'endpoint_disabled', object: { id: 'e-1', reason: 'gone' } },
    'webhook endpoint disabled: e-1, gone',
    'See the endpoint in the dashboard; it continues where it stopped once enabled.',
  ],
  [
    'a gateway that was never heard',
    { type: 'gateway_silent', object: { id: 'g', last_notification_at: null, hours: 6 } },
    'no notification from the gateway for 6 hours, last never',
    "Check the notification address in the gateway's dashboard, then gapura doctor.",
  ],
  [
    'a gateway that is silent',
    { type: 'gateway_silent', object: { id: 'g', last_notification_at: '2026-11-15', hours: 6 } },
    'no notification from the gateway for 6 hours, last 2026-11-15',
    "Check the notification address in the gateway's dashboard, then gapura doctor.",
  ],
  [
    'a refund to be approved',
    {
      type: 'refund_request_opened',
      object: { id: 'r-1', payment_id: 'p-1', expires_at: '2026-11-16T00:00:00Z' },
    },
    'refund waits for approval: r-1 of payment p-1',
    'Approve or decline it in the dashboard, or gapura refunds list.',
  ],
]

test.each(ONE)(
  'a message about %s says it in the subject and what to do',
  (_, event, line, next) => {
    const subject = `Gapura: ${line}`
    expect(operatorMessage([event])).toEqual({ subject, text: `${subject}\n${next}` })
  },
)

test('a message about several events counts them by type and by kind, and names each', () => {
  const endpoint = ONE[1]?.[1] as OperatorEvent
  const events = [alarm('p-1'), alarm('p-2', 'overdue'), alarm('p-3'), endpoint]
  expect(operatorMessage(events).text.split('\n')).toEqual([
    'Gapura: 4 events',
    '3 × alarm opened (amount_mismatch 2, overdue 1)',
    '1 × webhook endpoint disabled',
    'alarm opened: amount_mismatch, payment p-1',
    'alarm opened: overdue, payment p-2',
    'alarm opened: amount_mismatch, payment p-3',
    'webhook endpoint disabled: e-1, gone',
    'See the alarms in the dashboard, or gapura alarms list.',
    'See the endpoint in the dashboard; it continues where it stopped once enabled.',
  ])
})

test.each([
  [5, undefined],
  [6, 'and 1 more'],
  [50, 'and 45 more'],
])('of %s events at most five are named, and the rest is counted', (count, more) => {
  const events = Array.from({ length: count }, (_, index) => alarm(`p-${index}`))
  const { text } = operatorMessage(events)
  expect(text.match(/payment p-/g)).toHaveLength(5)
  expect(/and \d+ more/.exec(text)?.[0]).toBe(more)
})
