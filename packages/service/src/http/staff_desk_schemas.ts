// What the routes of staff answer beside payments, as schemas for the OpenAPI file.
import { Type, type TObject } from 'typebox'
import { ALARM_KINDS } from '../domain/alarm.ts'
import { SCOPES } from '../domain/caller.ts'
import { PAYMENT_TYPES } from '../domain/payment_type.ts'
import { OBJECT_KINDS, SIGNALS } from '../domain/signals.ts'
import { PAYMENT } from './representation_schemas.ts'
import {
  money,
  named,
  orNull,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
  yesOrNo,
} from './schema_parts.ts'
import { ALARM, NOTIFICATION_SUMMARY, OPERATION, REFUND_REQUEST } from './staff_payment_schemas.ts'

const count = Type.Integer()
const seconds = Type.Number()
const payment_type = Type.Enum([...PAYMENT_TYPES])

const pageOf = (name: string, row: TObject) =>
  named(name, { next: textOrNull, previous: textOrNull, results: Type.Array(row) })

export const NOTIFICATION_PAGE = pageOf('NotificationPage', NOTIFICATION_SUMMARY)
export const OPERATION_PAGE = pageOf('OperationPage', OPERATION)
export const ALARM_PAGE = pageOf('AlarmPage', ALARM)
export const REFUND_REQUEST_PAGE = pageOf('RefundRequestPage', REFUND_REQUEST)

export const NOTIFICATION_DETAIL = named('NotificationDetail', {
  ...NOTIFICATION_SUMMARY.properties,
  raw_payload: Type.Record(Type.String(), Type.Unknown()),
})

export const REPLAYED = named('Replayed', {
  id: uuid,
  effect: NOTIFICATION_SUMMARY.properties.effect,
  reason: textOrNull,
  payment_id: orNull(uuid),
  replay_of: uuid,
})

export const RESOLVED = named('Resolved', { operation: OPERATION, payment: PAYMENT })

const dead = {
  subscriber: text,
  object_kind: Type.Enum([...OBJECT_KINDS]),
  object_id: uuid,
  owner_id: text,
  event_id: uuid,
  sequence: count,
  attempts: count,
  error: text,
  retry_at: timeOrNull,
}

export const RELEASED = named('ReleasedEvent', { ...dead, died_at: time })

export const DEAD_EVENT_PAGE = pageOf(
  'DeadEventPage',
  named('DeadEvent', { ...dead, id: uuid, type: Type.Enum([...SIGNALS]), created_at: time }),
)

export const KEY_PAGE = pageOf(
  'StaffKeyPage',
  named('StaffKey', {
    id: uuid,
    owner_id: text,
    name: text,
    staff: yesOrNo,
    scopes: Type.Array(Type.Enum([...SCOPES])),
    expires_at: timeOrNull,
    revoked_at: timeOrNull,
    created_at: time,
  }),
)

const WAITING = named('Waiting', { count, oldest_s: seconds })

export const HEALTH = named('StaffHealthReport', {
  now: time,
  last_notification_at: timeOrNull,
  last_payment_at: timeOrNull,
  breaker: named('BreakerState', { open: yesOrNo, openings: count }),
  operations: WAITING,
  overdue: WAITING,
  checks: WAITING,
  jobs: orNull(WAITING),
  alarms: Type.Array(named('OpenAlarms', { kind: Type.Enum([...ALARM_KINDS]), count })),
  subscribers: Type.Array(
    named('SubscriberLag', { subscriber: text, lag_s: seconds, dead: count }),
  ),
  workers: Type.Array(
    named('WorkerPulse', {
      id: text,
      description: text,
      started_at: time,
      beat_at: time,
      silent_ms: seconds,
    }),
  ),
})

export const PULSE = named('Pulse', {
  last_notification_at: timeOrNull,
  last_payment_at: timeOrNull,
  open_alarms: count,
  held_refunds: count,
})

export const PAYMENT_PULSE = named('PaymentPulse', {
  id: uuid,
  version: count,
  updated_at: time,
  refund_requests_at: timeOrNull,
})

export const OVERVIEW = named('Overview', {
  from: text,
  until: text,
  received: Type.Array(named('ReceivedOnDay', { day: text, payment_type, count, amount: money })),
  methods: Type.Array(
    named('MethodFigures', {
      payment_type,
      created: count,
      paid: count,
      open: count,
      median_s: orNull(seconds),
      slow_s: orNull(seconds),
    }),
  ),
  refunds: Type.Array(named('RefundedOnDay', { day: text, count, amount: money })),
  overdue: WAITING,
})
