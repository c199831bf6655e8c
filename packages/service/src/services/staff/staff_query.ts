import { Type } from 'typebox'
import { ALARM_KINDS } from '../../domain/alarm.ts'
import { NOTIFICATION_EFFECTS } from '../../domain/notification.ts'
import { REFUND_REQUEST_STATES } from '../../domain/refund_request.ts'
import { flagQuery, isSet, listQueryParser, PAGE_QUERY, uuidQuery } from '../page_query.ts'
import { keptTextParser } from '../validation.ts'

const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const closed = { additionalProperties: false }

export const NOTIFICATION_QUERY = Type.Object(
  {
    effect: maybe(
      Type.Enum([...NOTIFICATION_EFFECTS], { description: 'Only those with this effect.' }),
    ),
    order_id: maybe(text(100, 'Only those about this order id.')),
    payment_id: maybe(uuidQuery('Only those about this payment.')),
    attention: maybe(
      flagQuery('Only those that changed no payment: unmatched, mismatched or failed.'),
    ),
    relevant: maybe(flagQuery('Leave out those that repeat another or came too late to matter.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseNotificationQuery = listQueryParser(
  NOTIFICATION_QUERY,
  ({ page_size: _size, cursor: _cursor, attention, relevant, ...filters }) => ({
    filters: { ...filters, attention: isSet(attention), relevant: isSet(relevant) },
  }),
)

/** Without an object, what is open; with one, all that was ever asked about it. */
export const OPERATION_QUERY = Type.Object(
  {
    subject_id: maybe(uuidQuery('All operations about this object, instead of the open ones.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseOperationQuery = listQueryParser(OPERATION_QUERY, ({ subject_id }) => ({
  filters: subject_id === undefined ? { open: true as const } : { subject_id },
}))

export const ALARM_QUERY = Type.Object(
  {
    kind: maybe(Type.Enum([...ALARM_KINDS], { description: 'Only alarms of this kind.' })),
    subject_id: maybe(uuidQuery('Only alarms about this object.')),
    closed: maybe(flagQuery('Also alarms that are closed.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseAlarmQuery = listQueryParser(
  ALARM_QUERY,
  ({ page_size: _size, cursor: _cursor, closed: also_closed, ...filters }) => ({
    filters: { ...filters, closed: isSet(also_closed) },
  }),
)

export const DEAD_EVENT_QUERY = Type.Object(
  {
    subscriber: maybe(text(100, 'Only events that this subscriber failed at.')),
    object_id: maybe(uuidQuery('Only events about this object.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseDeadEventQuery = listQueryParser(
  DEAD_EVENT_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({ filters }),
)

export const REFUND_REQUEST_QUERY = Type.Object(
  {
    state: maybe(
      Type.Enum([...REFUND_REQUEST_STATES], { description: 'Only requests in this state.' }),
    ),
    payment_id: maybe(uuidQuery('Only requests about this payment.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseRefundRequestQuery = listQueryParser(
  REFUND_REQUEST_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({ filters }),
)

export const KEY_QUERY = Type.Object(PAGE_QUERY, closed)

export const parseKeyQuery = listQueryParser(KEY_QUERY, () => ({ filters: {} }))

const REASON = {
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why it is done; it is stored in the audit.',
}

const WHY = Type.String({
  maxLength: 255,
  description: 'Why it is done; it is stored in the audit.',
})

/** Why a staff member did it, where that is given. */
export const STAFF_ACT_INPUT = Type.Object({ reason: maybe(WHY) }, closed)
export const parseAct = keptTextParser(STAFF_ACT_INPUT)

/** Why a staff member did it. Stored beside what was done, so it must say something. */
export const REASON_INPUT = Type.Object({ reason: Type.String(REASON) }, closed)
export const parseReason = keptTextParser(REASON_INPUT)

/** The same where the reason is stored with the object or sent on, which takes 255 characters. */
export const SHORT_REASON = Type.String({ ...REASON, maxLength: 255 })
export const SHORT_REASON_INPUT = Type.Object({ reason: SHORT_REASON }, closed)
export const parseShortReason = keptTextParser(SHORT_REASON_INPUT)

export const HAND_INPUT = Type.Object(
  {
    outcome: Type.Enum(['look', 'done', 'refused'], {
      description:
        '`look`: look it up at the gateway now; `done` or `refused`: end it so where the gateway shows nothing.',
    }),
    reason: Type.String(REASON),
    transaction_id: maybe(text(100, "The gateway's id of the payment that a charge made.")),
    gateway_id: maybe(
      Type.String({
        pattern: '^[A-Za-z0-9._~-]{1,100}$',
        description: "The gateway's id of the invoice or subscription that was created.",
      }),
    ),
  },
  closed,
)
export const parseHandOrder = keptTextParser(HAND_INPUT)

/** Whose event of which object is released. */
export const RELEASE_INPUT = Type.Object(
  {
    subscriber: text(100, 'The subscriber that failed.'),
    object_id: uuidQuery('The object whose events wait.'),
    reason: maybe(Type.String(REASON)),
  },
  closed,
)
export const parseRelease = keptTextParser(RELEASE_INPUT)

/** Which subscriber is retired. */
export const RETIREMENT_INPUT = Type.Object(
  {
    subscriber: text(100, 'The name of the subscriber.'),
    reason: maybe(Type.String(REASON)),
  },
  closed,
)
export const parseRetirement = keptTextParser(RETIREMENT_INPUT)

export const ADOPTION_INPUT = Type.Object(
  {
    order_id: Type.String({
      pattern: '^[A-Za-z0-9._~-]{1,100}$',
      description: 'The order id at the gateway.',
    }),
    owner_id: text(255, 'The owner that the payment is to belong to.'),
    reason: Type.String(REASON),
  },
  closed,
)
export const parseAdoption = keptTextParser(ADOPTION_INPUT)
