// A person ends an operation on an invoice or a subscription. Nothing is made by her word: that one
// was made the gateway has to show, under the id she found. That it was not made is believed of her,
// once no repeat of it can be under way.
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { lookAt, recordChanged, recordRefusedChange, type Change } from './change_object.ts'
import { recordMade, type OpenCreation } from './create_object.ts'
import type { DueOperation, HandOrder } from './due.ts'
import type { OperationSubject } from './object_access.ts'
import { recordRefused } from './record_operation.ts'
import { subjectOf } from './resolve_object.ts'

/** How one kind of creation can be found after all. */
export interface Whereabouts<Subject extends OperationSubject, Answer> {
  creation: Omit<OpenCreation<Subject, Answer>, 'send'>
  /** What the gateway has under an id of its own. */
  ask: (gateway_id: string) => Promise<Answer>
  /** Why that is not the one we asked for; nothing if it is. */
  differs: (subject: Subject, answer: Answer) => string | undefined
  /** Whether something that came later names it. */
  discover: (subject: Subject) => Promise<Answer | undefined>
}

const refusal = (field: string, message: string) =>
  gatewayError('invalid_request', { errors: [{ field, message }] })

export async function endCreationByHand<Subject extends OperationSubject, Answer>(
  ctx: Context,
  due: DueOperation,
  order: HandOrder,
  whereabouts: Whereabouts<Subject, Answer>,
): Promise<void> {
  const { operation, age_ms } = due
  const { creation, discover } = whereabouts
  const left_s = Math.ceil((creation.replay_within_ms - age_ms) / 1000)
  if (order.outcome === 'refused' && left_s > 0) {
    throw refusal('outcome', `it may still be sent again; wait another ${left_s} s, or look`)
  }
  const subject = await subjectOf(ctx, creation.access, due)
  const { by } = order
  const attempt = { operation, source: 'staff' as const, request: null, by, asked: subject }
  const found =
    (await findNamed(subject, order, whereabouts)) ??
    (await ifThere(async () => await discover(subject)))
  if (found !== undefined) {
    await recordMade(ctx, creation, attempt, found)
    return
  }
  if (order.outcome === 'done') {
    throw refusal('gateway_id', 'give the id the gateway has it under')
  }
  const error = gatewayError('gateway_refused', { operation: operation.kind })
  const apply: Parameters<typeof recordRefused<Subject>>[3]['apply'] = async (tx, held) =>
    await creation.refused(tx, held, error, attempt)
  await recordRefused(ctx, creation.access, attempt, { error, apply })
}

/** What stands under the id she gave, if it is ours. Said done, anything else is refused. */
async function findNamed<Subject extends OperationSubject, Answer>(
  subject: Subject,
  { outcome, gateway_id }: HandOrder,
  { ask, differs }: Whereabouts<Subject, Answer>,
): Promise<Answer | undefined> {
  if (gateway_id === undefined) return undefined
  const answer = await ifThere(async () => await ask(gateway_id))
  const fault =
    answer === undefined ? 'the gateway has nothing under this id' : differs(subject, answer)
  if (fault === undefined) return answer
  if (outcome === 'done') throw refusal('gateway_id', fault)
  return undefined
}

/** A gateway that does not know it, or means another, has answered; one that is away has not. */
async function ifThere<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    const answered =
      error instanceof GatewayError &&
      (error.code === 'gateway_not_found' || error.code === 'outcome_unknown')
    if (!answered) throw error
    return undefined
  }
}

/**
 * A change the gateway shows was done, whatever is said. Where it does not show it, she may say that
 * it was not, so that the object is free for another; never that it was, for sending it again is safe.
 */
export async function endChangeByHand<Subject extends OperationSubject, Seen>(
  ctx: Context,
  due: DueOperation,
  { outcome, by }: HandOrder,
  change: Change<Subject, Seen>,
): Promise<void> {
  const { operation } = due
  const subject = await subjectOf(ctx, change.access, due)
  const attempt = { operation, source: 'staff' as const, request: null, by, asked: subject }
  const seen = await lookAt(ctx, change, subject)
  if (seen === undefined) throw gatewayError('gateway_unavailable', { operation: operation.kind })
  if (change.isDone(operation, seen)) {
    await recordChanged(ctx, change, attempt, seen)
    return
  }
  if (outcome === 'done') {
    throw refusal('outcome', 'the gateway does not show it; look has it sent again')
  }
  const error = gatewayError('gateway_state_conflict', { operation: operation.kind })
  await recordRefusedChange(ctx, change, { attempt, error, seen })
}
