// What changes have in common that may be sent again, because sending one twice has one effect.
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import type { Held, NextStep, OperationSubject, OperationType } from './operation_type.ts'

/** How often it is sent in quick succession; then staff are alarmed, and it is sent hourly. */
const SENDS_IN_A_ROW_MAX = 6
const BETWEEN_SENDS_MS = 3_600_000

/**
 * A refusal speaks for the send it answers. After an unclear send only these speak for both: the
 * request is faulty, or its object is missing or in no state for it.
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
    // That it was not done frees the object for another change; that it was is never believed.
    doneFault: () => ({
      field: 'outcome',
      message: 'the gateway does not show it; look has it sent again',
    }),
  },
} as const satisfies Partial<OperationType<OperationSubject, unknown>>

/** An open change blocks every other on its object, so it is never left unsent for good. */
export const sendAgain = ({ operation, quiet_ms }: Held): NextStep =>
  operation.sends < SENDS_IN_A_ROW_MAX || quiet_ms >= BETWEEN_SENDS_MS ? 'send' : 'wait'
