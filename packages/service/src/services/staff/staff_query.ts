import { Type } from 'typebox'
import { ALARM_KINDS } from '../../domain/alarm.ts'
import { NOTIFICATION_EFFECTS } from '../../domain/notification.ts'
import { REFUND_REQUEST_STATES } from '../../domain/refund_request.ts'
import { PAGE_SIZE_MAX } from '../../store/sql/lists.ts'
import { keptTextParser } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'

const PAGE_SIZE_DEFAULT = 20

const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  examples: ['019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10'],
})
const flag = Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])])

const PAGE = {
  page_size: maybe(Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,3}$' })])),
  cursor: maybe(text(200)),
}

// Closed, as every list's: a misspelt filter would otherwise answer with everything.
const closed = { additionalProperties: false }

export const NOTIFICATION_QUERY = Type.Object(
  {
    effect: maybe(Type.Enum([...NOTIFICATION_EFFECTS])),
    order_id: maybe(text(100)),
    payment_id: maybe(uuid),
    attention: maybe(flag),
    ...PAGE,
  },
  closed,
)

/** Without an object, what is open; with one, all that was ever asked about it. */
export const OPERATION_QUERY = Type.Object({ subject_id: maybe(uuid), ...PAGE }, closed)

export const ALARM_QUERY = Type.Object(
  {
    kind: maybe(Type.Enum([...ALARM_KINDS])),
    subject_id: maybe(uuid),
    closed: maybe(flag),
    ...PAGE,
  },
  closed,
)

export const DEAD_EVENT_QUERY = Type.Object(
  { subscriber: maybe(text(100)), object_id: maybe(uuid), ...PAGE },
  closed,
)

export const REFUND_REQUEST_QUERY = Type.Object(
  { state: maybe(Type.Enum([...REFUND_REQUEST_STATES])), payment_id: maybe(uuid), ...PAGE },
  closed,
)

export const parseRefundRequestQuery = requestParser(REFUND_REQUEST_QUERY)

export const KEY_QUERY = Type.Object(PAGE, closed)

export const parseKeyQuery = requestParser(KEY_QUERY)
export const parseNotificationQuery = requestParser(NOTIFICATION_QUERY)
export const parseOperationQuery = requestParser(OPERATION_QUERY)
export const parseAlarmQuery = requestParser(ALARM_QUERY)
export const parseDeadEventQuery = requestParser(DEAD_EVENT_QUERY)

/** How many rows a page is to have; 400 outside of what a page may hold. */
export function pageSizeOf(given: string | number | undefined): number {
  const page_size = Number(given ?? PAGE_SIZE_DEFAULT)
  const good = page_size >= 1 && page_size <= PAGE_SIZE_MAX
  refuseFaults(good ? [] : [{ field: 'page_size', message: `1 to ${PAGE_SIZE_MAX}` }])
  return page_size
}

const REASON = { minLength: 3, maxLength: 500, pattern: '\\S' }

const WHY = Type.String({ maxLength: 255 })

/** Why a person did it, if she says so. */
export const STAFF_ACT_INPUT = Type.Object({ reason: maybe(WHY) }, closed)
export const parseAct = keptTextParser(STAFF_ACT_INPUT)

/** Why a person did it. Kept beside what she did, so it must say something. */
export const REASON_INPUT = Type.Object({ reason: Type.String(REASON) }, closed)
export const parseReason = keptTextParser(REASON_INPUT)

export const HAND_INPUT = Type.Object(
  {
    outcome: Type.Enum(['look', 'done', 'refused']),
    reason: Type.String(REASON),
    transaction_id: maybe(text(100)),
    gateway_id: maybe(Type.String({ pattern: '^[A-Za-z0-9._~-]{1,100}$' })),
  },
  closed,
)
export const parseHandOrder = keptTextParser(HAND_INPUT)

/** Whose event of which object is let go. */
export const RELEASE_INPUT = Type.Object(
  { subscriber: text(100), object_id: uuid, reason: maybe(Type.String(REASON)) },
  closed,
)
export const parseRelease = keptTextParser(RELEASE_INPUT)

export const parseAdoption = keptTextParser(
  Type.Object(
    {
      order_id: Type.String({ pattern: '^[A-Za-z0-9._~-]{1,100}$' }),
      owner_id: text(255),
      reason: Type.String(REASON),
    },
    closed,
  ),
)
