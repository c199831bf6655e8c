// An action on a payment (architecture.md#actions): the rule under the lock, the call on disk, then
// the gateway.
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import { findPayment } from '../../store/payments.ts'
import type { Tx } from '../../store/transaction.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import { recordUnclear, type Attempt } from '../operations/record_operation.ts'
import {
  answerEnded,
  answerRepeat,
  problem,
  type Outcome,
  type Reply,
  type Request,
} from '../requests.ts'
import { recordDone, recordRefusal } from './action_recorded.ts'
import { writeAction, type ActionPlan } from './action_written.ts'
import { sendWritten, type WrittenSend } from '../operations/sending.ts'
import { ask } from './check_status.ts'
import { isDone, sendAction, type ActionKind } from './operation_calls.ts'
import { currentAction } from './simple_action.ts'

/** The reply of an action that was carried out. */
export type Represent = (
  tx: Tx,
  payment: GatewayPayment,
  operation: GatewayOperation,
) => Promise<Reply>

export interface Action {
  id: string
  plan: ActionPlan & { kind: ActionKind }
  represent: Represent
}

/** Performs an action, or says why it cannot be: problems are returned, refusals thrown. */
export async function performAction(
  ctx: Context,
  request: Request,
  action: Action,
): Promise<Outcome> {
  if (!ctx.gateway.available) {
    const visible = async (tx: Tx) =>
      (await findPayment(tx, request.caller, action.id)) !== undefined
    const ended = await answerEnded(ctx, request, currentAction, visible)
    if (ended !== undefined) return ended
    throw gatewayError('gateway_unavailable', { operation: action.plan.kind })
  }
  return await ctx.gateway.withSlot(async () => await writeAndSend(ctx, request, action))
}

async function writeAndSend(
  ctx: Context,
  request: Request,
  { id, plan, represent }: Action,
): Promise<Outcome> {
  const begun_at = performance.now()
  const written = await writeAction(ctx, request, id, plan)
  if ('kind' in written) return written
  if ('taken' in written) {
    const answer = await answerRepeat(ctx, request, written.taken, currentAction)
    // The resolver is at work on it, or will be: the caller comes back.
    if (answer === 'open' || (answer === 'retry' && plan.instead_of !== undefined)) {
      return problem('request_in_progress')
    }
    if (answer !== 'retry') return answer
    const again = { ...plan, instead_of: written.taken }
    return await writeAndSend(ctx, request, { id, plan: again, represent })
  }
  ctx.reached(plan.reserve === undefined ? 'action.written_down' : 'refund.written_down')
  const { payment } = written
  const operation = { ...written.operation, kind: plan.kind }
  const attempt = {
    operation,
    source: 'action' as const,
    request,
    asked: payment,
    begun_at,
  }
  const reply = await afterWritten(
    { subject_kind: 'payment', subject_id: id, operation: plan.kind },
    async () => await attemptAction(ctx, payment, { attempt, represent }),
  )
  ctx.reached(plan.reserve === undefined ? 'action.recorded' : 'refund.recorded')
  return { kind: 'reply', reply, replayed: false }
}

const unclearAction = ({ kind }: GatewayOperation, cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: kind, cause })

/** An attempt at an action whose send is on disk. */
type ActionAttempt = Attempt & WrittenSend<GatewayOperation & { kind: ActionKind }>

interface Attempting {
  attempt: ActionAttempt
  represent: Represent
}

/** How long the resolver waits before it looks at what was sent just now. */
const LOOK_AGAIN_MS = 60_000

/** Sends what is written down and records what came of it. */
export async function attemptAction(
  ctx: Context,
  payment: GatewayPayment,
  { attempt, represent }: Attempting,
): Promise<Reply> {
  const { operation } = attempt
  let facts: TransactionFacts
  try {
    facts = await sendWritten(attempt, async () => await sendAction(ctx, payment, operation))
    ctx.reached(operation.refund_id === null ? 'action.answered' : 'refund.answered')
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    facts = await afterFailure(ctx, payment, { attempt, error })
  }
  return await recordDone(ctx, attempt, facts, represent)
}

const REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'refund_denied',
  'refund_rejected',
  'gateway_state_conflict',
])

/**
 * Whether a refusal ends the action. It speaks for the send it answers: if there was an earlier one
 * of a refund, only the gateway's judgement of the refund itself gives the reservation back.
 */
const isLastWord = ({ refund_id, sends }: GatewayOperation, error: GatewayError): boolean =>
  error.definite && (refund_id === null || sends === 1 || REFUND_REFUSALS.has(error.code))

async function afterFailure(
  ctx: Context,
  payment: GatewayPayment,
  { attempt, error }: { attempt: ActionAttempt; error: GatewayError },
): Promise<TransactionFacts> {
  const { operation } = attempt
  if (isLastWord(operation, error)) {
    if (operation.refund_id !== null) ctx.reached('refund.refused')
    await recordRefusal(ctx, attempt, error)
    throw error
  }
  if (operation.refund_id !== null) ctx.reached('refund.unclear')
  const seen = await lookAt(ctx, payment)
  if (seen !== undefined && isDone(operation, seen)) return seen
  await recordUnclear(ctx, operation, seen === undefined ? 0 : LOOK_AGAIN_MS)
  throw unclearAction(operation, error)
}

/** What the gateway says of the payment, or nothing if it cannot be asked now. */
export async function lookAt(
  ctx: Context,
  payment: GatewayPayment,
): Promise<TransactionFacts | undefined> {
  try {
    return factsOf(await ask(ctx, payment))
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}
