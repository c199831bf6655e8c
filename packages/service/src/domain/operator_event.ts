// Events for the people who run the service. They take the same way as every other event, and reach
// only those who ask for them by name.
import type { AlarmKind } from './alarm.ts'

export const OPERATOR_EVENTS = [
  'alarm_opened',
  'endpoint_disabled',
  'gateway_silent',
  'refund_request_opened',
] as const

export type OperatorEventType = (typeof OPERATOR_EVENTS)[number]

/** What each is about: ids, kinds and times, and nothing about a person. */
export interface OperatorObjects {
  alarm_opened: { id: string; kind: AlarmKind; subject_kind: string; subject_id: string }
  endpoint_disabled: { id: string; reason: string }
  gateway_silent: { id: string; last_notification_at: string | null; hours: number }
  refund_request_opened: { id: string; payment_id: string; expires_at: string }
}

export interface OperatorEvent<T extends OperatorEventType = OperatorEventType> {
  type: T
  object: OperatorObjects[T]
}

/** A message to a person, of one event or of many. */
export interface OperatorMessage {
  subject: string
  text: string
}

const WHAT: Readonly<Record<OperatorEventType, string>> = {
  alarm_opened: 'alarm opened',
  endpoint_disabled: 'webhook endpoint disabled',
  gateway_silent: 'no notification from the gateway',
  refund_request_opened: 'refund waits for approval',
}

const NEXT: Readonly<Record<OperatorEventType, string>> = {
  alarm_opened: 'See the alarms in the dashboard, or gapura alarms list.',
  endpoint_disabled:
    'See the endpoint in the dashboard; it continues where it stopped once enabled.',
  gateway_silent: "Check the notification address in the gateway's dashboard, then gapura doctor.",
  refund_request_opened: 'Approve or decline it in the dashboard, or gapura refunds list.',
}

/** How many are named one by one; the rest is counted. */
const NAMED_MAX = 5

/** One line for one event; for many, how many of each, and the first of them. */
export function operatorMessage(events: readonly OperatorEvent[]): OperatorMessage {
  const [first] = events
  const types = [...Map.groupBy(events, ({ type }) => type)]
  const counted = types.map(([type, all]) => `${all.length} × ${WHAT[type]}${kindsOf(all)}`)
  const subject =
    events.length === 1 && first ? `Gapura: ${lineOf(first)}` : `Gapura: ${events.length} events`
  const lines = [
    ...(events.length > 1 ? counted : []),
    ...events.slice(0, NAMED_MAX).map(lineOf),
    ...(events.length > NAMED_MAX ? [`and ${events.length - NAMED_MAX} more`] : []),
    ...types.map(([type]) => NEXT[type]),
  ]
  return { subject, text: [subject, ...(events.length === 1 ? lines.slice(1) : lines)].join('\n') }
}

/** The kinds of alarms, with their numbers. */
function kindsOf(events: readonly OperatorEvent[]): string {
  const kinds = events.flatMap(({ object }) => ('kind' in object ? [object.kind] : []))
  if (kinds.length === 0) return ''
  const counts = [...Map.groupBy(kinds, (kind) => kind)]
  return ` (${counts.map(([kind, all]) => `${kind} ${all.length}`).join(', ')})`
}

function lineOf({ type, object }: OperatorEvent): string {
  if ('kind' in object)
    return `${WHAT[type]}: ${object.kind}, ${object.subject_kind} ${object.subject_id}`
  if ('payment_id' in object) return `${WHAT[type]}: ${object.id} of payment ${object.payment_id}`
  if ('hours' in object) {
    return `${WHAT[type]} for ${object.hours} hours, last ${object.last_notification_at ?? 'never'}`
  }
  return `${WHAT[type]}: ${object.id}, ${object.reason}`
}
