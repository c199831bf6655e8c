// What all changes share that may be sent again, because sending one twice has one effect.
import type { ErrorCode } from '../../domain/error_catalogue.ts'
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
