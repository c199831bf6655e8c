import { gatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { IntentRecord } from '../../store/intents.ts'
import { findPayment, findPaymentById } from '../../store/payments.ts'
import { withReadTransaction, withTransaction } from '../../store/transaction.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import { writeSend } from '../operations/fenced.ts'
import { recordUnclear } from '../operations/record_operation.ts'
import { REPEAT_LEASE_MS, takeOver, takingOver, type TakenOver } from '../operations/take_over.ts'
import { problem, replied, type Current, type Outcome, type Request } from '../requests.ts'
import type { ChargeOrder } from './charge_order.ts'
import { recordCharged, recordRefused } from './charge_recorded.ts'
import { chargeRequest } from './charge_request.ts'
import { lookForCharge } from './look_for_charge.ts'
import { refreshPayment } from './check_status.ts'
import { representWithin } from './read_payment.ts'
import {
  RESEND_WITHIN_MS,
  RESOLVE_AFTER_MS,
  sendCharge,
  unclearCharge,
  withInstructions,
} from './send_charge.ts'

interface Repeat {
  order: ChargeOrder
  request: Request
  record: IntentRecord
}

interface Taken extends TakenOver {
  payment: GatewayPayment
}

/** The payment of a charge that was made, as it stands: for a repeat whose reply is purged. */
export const currentCharge: Current = async (tx, { subject_id }) => {
  const payment = await findPaymentById(tx, subject_id)
  if (payment === undefined || payment.refused) return undefined
  return { code: 201, body: JSON.stringify(await representWithin(tx, payment)) }
}

/**
 * Looks once more for a charge that was given up, before its intent is tried again: if the gateway
 * has it after all, that payment is the answer. Nothing if it has none.
 */
export async function whetherMade(
  ctx: Context,
  { operation }: IntentRecord,
): Promise<Outcome | undefined> {
  if (operation.reply?.['error'] !== 'gateway_failed') return undefined
  const { subject_id } = operation
  const given_up = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, subject_id),
  )
  const sighting = given_up && (await lookForCharge(ctx, given_up))
  if (sighting?.kind === 'unknown') throw unclearCharge()
  if (given_up === undefined || sighting?.kind !== 'ours') return undefined
  await refreshPayment(ctx, given_up, 'charge')
  return await withTransaction(ctx.db, async (tx) => {
    const payment = await findPaymentById(tx, subject_id)
    return payment && replied(201, await representWithin(tx, payment))
  })
}

/**
 * A repeated request whose first has no definite outcome: look once, and if the gateway has nothing
 * and little time has passed, send the same thing under the same wire key
 * (architecture.md#the-life-of-a-charge).
 */
export async function repeatCharge(
  ctx: Context,
  { order, request, record }: Repeat,
): Promise<Outcome> {
  const found = await takingOver(ctx, async (tx) => {
    const taken = await takeOver(tx, request, record)
    if (taken.kind !== 'taken') return taken
    const payment = await findPayment(tx, request.caller, taken.operation.subject_id)
    if (payment === undefined) return problem('request_in_progress')
    return { ...taken, payment }
  })
  if (found.kind !== 'taken') return found
  return await afterWritten(
    { subject_kind: 'payment', subject_id: found.payment.id, operation: 'charge' },
    async () => await lookAndGoOn(ctx, found, order, request),
  )
}

async function lookAndGoOn(
  ctx: Context,
  taken: Taken,
  order: ChargeOrder,
  request: Request,
): Promise<Outcome> {
  const { payment, operation, age_ms, quiet_ms } = taken
  const attempted = { payment, operation, source: 'charge' as const }
  const payload = chargeRequest(order, { payment_id: payment.id, order_id: payment.order_id })
  const sighting = await lookForCharge(ctx, payment)
  switch (sighting.kind) {
    case 'ours': {
      const found = await withInstructions(ctx, attempted, payload, sighting.facts)
      return await recordCharged(ctx, found.attempted, found.facts)
    }
    case 'stranger': {
      const error = gatewayError('gateway_duplicate', { operation: 'charge' })
      return await recordRefused(ctx, attempted, error, request)
    }
    case 'unknown':
      await recordUnclear(ctx, attempted.operation, RESOLVE_AFTER_MS)
      throw unclearCharge()
    case 'nothing':
      if (age_ms < RESEND_WITHIN_MS) return await sendAgain(ctx, taken, payload, request)
      return await giveUp(ctx, attempted, request, quiet_ms)
  }
}

/** The same charge under the same wire key, written down as a further send before it leaves. */
async function sendAgain(
  ctx: Context,
  { payment, operation }: Taken,
  payload: ChargeRequest,
  request: Request,
): Promise<Outcome> {
  const plan = { lease_ms: REPEAT_LEASE_MS, within_ms: RESEND_WITHIN_MS }
  const again = await writeSend(ctx, operation, plan)
  if (again === undefined) return problem('request_in_progress')
  return await sendCharge(ctx, { payment, ...again, payload }, request)
}

async function giveUp(
  ctx: Context,
  attempted: Parameters<typeof recordRefused>[1],
  request: Request,
  quiet_ms: number,
): Promise<Outcome> {
  if (quiet_ms < RESOLVE_AFTER_MS) {
    await recordUnclear(ctx, attempted.operation, RESOLVE_AFTER_MS)
    throw unclearCharge()
  }
  const error = gatewayError('gateway_failed', { operation: 'charge' })
  return await recordRefused(ctx, attempted, error, request)
}
