// Transaction 2 of a charge: what the gateway said, fenced by the attempt that asked.
import type { GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Source } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { openAlarm } from '../../store/alarms.ts'
import { newId } from '../../store/ids.ts'
import { finishOperation, markOperationUnknown } from '../../store/operations.ts'
import { changePayment } from '../../store/payment_changes.ts'
import { lockPayment } from '../../store/payment_locks.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { keepFailure, keepReply, replied, type Outcome, type Request } from '../requests.ts'
import { applyFacts } from './apply_facts.ts'
import { representWithin } from './read_payment.ts'
import { recordStep } from './record_step.ts'

export interface Attempted {
  payment: GatewayPayment
  operation: GatewayOperation
  source: Source
}

async function locked(tx: Tx, id: string): Promise<GatewayPayment> {
  const payment = await lockPayment(tx, id)
  if (payment === undefined) throw new Error(`payment ${id} is gone`)
  return payment
}

/** The gateway took the charge. If another attempt ended it meanwhile, its record stands. */
export const recordCharged = async (
  ctx: Context,
  { payment, operation, source }: Attempted,
  facts: TransactionFacts,
  request: Request | null,
): Promise<Outcome> =>
  await withTransaction(ctx.db, async (tx) => {
    const held = await locked(tx, payment.id)
    ctx.reached('charge.locked')
    const reply = { status_code: facts.status_code, status: facts.status }
    const finished = await finishOperation(tx, operation, { state: 'succeeded', reply })
    ctx.reached('charge.operation_finished')
    const { payment: now } =
      finished === undefined
        ? { payment: held }
        : await applyFacts(tx, held, facts, {
            evidence: 'gateway_answer',
            source,
            evidence_id: operation.id,
            notification_id: null,
          })
    ctx.reached('charge.applied')
    const outcome = replied(201, await representWithin(tx, now))
    if (request !== null && outcome.kind === 'reply') await keepReply(tx, request, outcome.reply)
    return outcome
  })

/** The gateway refused for good: the order id is free again, and nobody waits for this payment. */
export const recordRefused = async (
  ctx: Context,
  { payment, operation, source }: Attempted,
  error: GatewayError,
  request: Request | null,
): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const held = await locked(tx, payment.id)
    const reply = { error: error.code, ...error.gateway }
    const finished = await finishOperation(tx, operation, { state: 'refused', reply })
    if (finished === undefined) return
    if (held.transaction_status === 'initiated')
      await refuse(tx, held, { error, operation, source })
    if (error.code === 'gateway_duplicate') await alarmDuplicate(tx, held)
    if (request !== null) {
      await keepFailure(tx, request, error, { on_charge: true, payment_id: payment.id })
    }
  })
}

async function refuse(
  tx: Tx,
  payment: GatewayPayment,
  {
    error,
    operation,
    source,
  }: { error: GatewayError; operation: GatewayOperation; source: Source },
): Promise<void> {
  const changed = await changePayment(tx, payment, {
    transaction_status: 'failure',
    refused: true,
    status_code: error.gateway?.status_code ?? null,
    status_message: error.gateway?.status_message ?? error.row.title,
    next_check_at: null,
  })
  if (changed === undefined) throw new Error(`payment ${payment.id} moved under its own lock`)
  await recordStep(tx, payment, changed, {
    signal: 'payment_failed',
    source,
    evidence_id: operation.id,
    notification_id: null,
    reason: error.code,
  })
}

const alarmDuplicate = async (tx: Tx, payment: GatewayPayment) =>
  await openAlarm(tx, {
    id: newId(),
    kind: 'duplicate_at_gateway',
    subject_kind: 'payment',
    subject_id: payment.id,
    owner_id: payment.owner_id,
    detail: 'the gateway has an order of this id that is not ours',
  })

/** No clear answer. The resolver looks when this time has passed. */
export const recordUnknown = async (
  ctx: Context,
  { operation }: Pick<Attempted, 'operation'>,
  due_in_ms: number,
): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await markOperationUnknown(tx, operation, due_in_ms)
  })
}
