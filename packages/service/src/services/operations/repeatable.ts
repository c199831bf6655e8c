// What operations on invoices and subscriptions share: creations that the gateway cannot look up, and
// changes that may be sent again, because sending one twice has one effect.
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAboutObject } from '../object_step.ts'
import type { Held, NextStep, OperationSubject, OperationType } from './operation_type.ts'

/** How often it is sent in quick succession; then staff are alarmed, and it is sent hourly. */
const SENDS_IN_A_ROW_MAX = 6
const BETWEEN_SENDS_MS = 3_600_000

/**
 * A refusal is the answer to one send. After an unclear send only these refusals count for both:
 * the request is faulty, or its object is missing or in the wrong state.
 */
const SPEAKS_FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'gateway_rejected',
  'gateway_not_found',
  'gateway_state_conflict',
])

export const REPEATABLE_CHANGE = {
  flow: 'action',
  source: 'action',
  creates: false,
  repeat_continues: false,
  after_unclear: 'look',
  given_up_as: 'gateway_state_conflict',
  isRefusal: ({ sends }, { definite, code }) =>
    definite && (sends === 1 || SPEAKS_FOR_ALL.has(code)),
  needsStaff: ({ operation }) => (operation.sends < SENDS_IN_A_ROW_MAX ? null : 'outcome_unknown'),
  keep: () => ({ done: true }),
  manual: {
    refused_as: 'gateway_state_conflict',
    // `refused` frees the object for another change; `done` is accepted only from the gateway.
    doneFault: () => ({
      field: 'outcome',
      message: 'the gateway does not show it as done; use look to have it sent again',
    }),
  },
} as const satisfies Partial<OperationType<OperationSubject, unknown>>

/** An open change blocks every other change of its object, so it must be sent in the end. */
export const sendAgain = ({ operation, quiet_ms }: Held): NextStep =>
  operation.sends < SENDS_IN_A_ROW_MAX || quiet_ms >= BETWEEN_SENDS_MS ? 'send' : 'wait'

/**
 * A creation that is sent again under the same key while the gateway keeps the key, because nothing
 * else can show it. After that only staff can end it.
 */
export const unseenCreation = (resend_within_ms: number) =>
  ({
    flow: 'create',
    source: 'action',
    creates: true,
    repeat_continues: true,
    after_unclear: 'resend',
    resend_within_ms,
    sends_unseen: true,
    any_answer_ends: true,
    given_up_as: 'gateway_failed',
    isDone: () => true,
    // After an unclear send a refusal proves nothing about that send: what was accepted then may be
    // rejected now, as an invoice whose due day has passed. It is sent again until its key expires,
    // and then left to staff.
    isRefusal: ({ sends }, { definite, code }) =>
      sends === 1 && (definite || code === 'gateway_duplicate'),
    needsStaff: ({ age_ms }) => (age_ms < resend_within_ms ? null : 'outcome_unknown'),
    manual: {
      refused_as: 'gateway_refused',
      refused_after_ms: resend_within_ms,
      doneFault: () => ({
        field: 'gateway_id',
        message: 'must be the id that the gateway gave it',
      }),
    },
  }) as const satisfies Partial<OperationType<OperationSubject, unknown>>

/** The caller got a failure, but the gateway carried the operation out. */
export async function alarmGivenUp(
  tx: Tx,
  { id, owner_id }: OperationSubject,
  { kind, subject_kind }: GatewayOperation,
): Promise<void> {
  const about = { subject_kind, id, owner_id }
  await alarmAboutObject(tx, about, 'outcome_unknown', `${kind} was given up and was carried out`)
}
