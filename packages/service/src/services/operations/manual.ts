// A staff member ends an operation that the resolver could not end. The gateway is queried first,
// and what it shows is recorded; the staff member's decision counts if it shows nothing.
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { BELIEVED_AFTER_MS } from './engine.ts'
import type {
  AnyOperationType,
  Attempt,
  Held,
  OperationSubject,
  Seen,
  StaffOrder,
} from './operation_type.ts'
import { recordDone, recordRefused } from './record.ts'

/** A fault in what a staff member ordered. */
export const orderFault = (field: string, message: string): GatewayError =>
  gatewayError('invalid_request', { errors: [{ field, message }] })

/** What the gateway shows. That it shows nothing is an answer; if it cannot be queried, it throws. */
export async function shownBy<Answer>(
  query: () => Promise<Answer | undefined>,
): Promise<Seen<Answer>> {
  try {
    const answer = await query()
    return answer === undefined ? { kind: 'absent' } : { kind: 'seen', answer }
  } catch (error) {
    const answered =
      error instanceof GatewayError &&
      (error.code === 'gateway_not_found' || error.code === 'outcome_unknown')
    if (!answered) throw error
    return { kind: 'absent' }
  }
}

/**
 * What the gateway has under the id that a staff member gave. With the outcome `done` anything but
 * our own object is a fault of the order.
 */
export async function shownUnder<Answer>(
  { outcome, gateway_id }: StaffOrder,
  query: (gateway_id: string) => Promise<Answer>,
  differs: (answer: Answer) => string | undefined,
): Promise<Seen<Answer>> {
  if (gateway_id === undefined) return { kind: 'absent' }
  const seen = await shownBy(async () => await query(gateway_id))
  const fault =
    seen.kind === 'seen' ? differs(seen.answer) : 'the gateway has nothing under this id'
  if (fault === undefined) return seen
  if (outcome === 'done') throw orderFault('gateway_id', fault)
  return { kind: 'absent' }
}

/** Ends an operation that this process holds, or throws why it cannot be ended this way. */
export async function endByStaff(
  ctx: Context,
  type: AnyOperationType,
  { held, subject }: { held: Held; subject: OperationSubject },
  order: StaffOrder,
): Promise<void> {
  const { manual } = type
  const { operation } = held
  refuseTooEarly(held, order.outcome === 'refused' ? (manual.refused_after_ms ?? 0) : 0)
  const asked_at = performance.now()
  const seen =
    manual.inspect === undefined
      ? await type.inspect(ctx, subject)
      : await manual.inspect(ctx, subject, order)
  const attempt: Attempt = { operation, subject, source: 'staff', request: null, by: order.by }
  if (seen.kind === 'seen' && type.isDone(operation, seen.answer, subject)) {
    await recordDone(ctx, type, { attempt, answer: seen.answer, asked_at })
    return
  }
  if (seen.kind === 'unknown' && manual.mayDecideUnseen?.(subject, order) !== true) {
    throw gatewayError('gateway_unavailable', { operation: operation.kind })
  }
  if (order.outcome === 'done') {
    const answer = seen.kind === 'seen' ? manual.believe?.(held, subject, seen.answer) : undefined
    if (answer === undefined) {
      const { field, message } = manual.doneFault(subject, seen, order)
      throw orderFault(field, message)
    }
    await recordDone(ctx, type, { attempt, answer, asked_at })
    return
  }
  const code = seen.kind === 'foreign' ? 'gateway_duplicate' : manual.refused_as
  const error = gatewayError(code, { operation: operation.kind })
  try {
    await recordRefused(ctx, type, { attempt, error, seen })
  } catch (refusal) {
    // The refusal is recorded, as the staff member decided.
    if (refusal !== error) throw refusal
  }
}

/** A send may still take effect, or a retry may still send: until then staff cannot decide. */
function refuseTooEarly({ quiet_ms, age_ms }: Held, refused_after_ms: number): void {
  const waits = [
    { left_ms: BELIEVED_AFTER_MS - quiet_ms, why: 'it was sent a moment ago' },
    { left_ms: refused_after_ms - age_ms, why: 'it may still be sent again' },
  ]
  for (const { left_ms, why } of waits) {
    const left_s = Math.ceil(left_ms / 1000)
    if (left_s > 0) throw orderFault('outcome', `${why}; wait another ${left_s} s, or look`)
  }
}
