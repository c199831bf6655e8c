import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { findPaymentById, findPaymentByOrderId, insertPayment } from '../../store/payments/rows.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { reasonOf } from '../operations/operation_type.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { lockMarked } from '../payments/marked_payment.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import { closeSettled } from '../payments/record_step.ts'
import { type PaymentRepresentation } from '../../domain/payment_representation.ts'
import { representWithin } from '../payments/representation.ts'
import { parseAdoption } from './staff_query.ts'

interface Adoption {
  order_id: string
  owner_id: string
  reason: string
}

/**
 * Imports an order that exists at the gateway but not here: creates a payment of the given owner in
 * the gateway's state, with a history entry that names the staff member, and the event of that
 * state. Refuses an order that exists here.
 */
export async function adoptOrder(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<PaymentRepresentation> {
  requireStaff(caller, 'staff:act')
  const adoption = parseAdoption(input)
  await withReadTransaction(ctx.db, async (tx) => await refuseKnown(tx, adoption.order_id))
  const asked_at = performance.now()
  const reply = await ctx.gateway.getStatus(adoption.order_id)
  const facts = factsOf(reply)
  if (facts === undefined) throw gatewayError('gateway_failed', { operation: 'get_status' })
  return await withTransaction(ctx.db, async (tx) => {
    const reason = reasonOf({ resolved_by: caller.owner_id, reason: adoption.reason })
    const payment =
      (await givenUp(tx, adoption, reply)) ??
      (await writeAdopted(tx, adoption, { reply, facts, reason }))
    const adopted = await applyFacts(new PaymentWriteBatch(tx, ctx), payment, facts, {
      evidence: 'gateway_answer',
      asked_at,
      source: 'staff',
      evidence_id: null,
      notification_id: null,
      ...reason,
    })
    await closeSettled(tx, payment, adopted.payment)
    await recordAudit(tx, ctx, caller, {
      action: 'payment.adopt',
      subject_kind: 'payment',
      subject_id: payment.id,
      owner_id: payment.owner_id,
      reason: adoption.reason,
      detail: { order_id: adoption.order_id },
    })
    return await representWithin(tx, adopted.payment)
  })
}

async function refuseKnown(tx: Tx, order_id: string): Promise<void> {
  const known = await findPaymentByOrderId(tx, order_id)
  if (known === undefined) return
  const errors = [{ field: 'order_id', message: `is already the order id of payment ${known.id}` }]
  throw gatewayError('duplicate_order', { errors })
}

interface Reported {
  reply: TransactionReply
  facts: TransactionFacts
}

/** Our own charge that was given up but exists: it is revived, not inserted again. */
async function givenUp(tx: Tx, { order_id, owner_id }: Adoption, reply: TransactionReply) {
  const [payment] = (await lockMarked(tx, [{ ...reply, order_id }], new Map())).values()
  if (payment === undefined || payment.owner_id === owner_id) return payment
  const errors = [{ field: 'owner_id', message: `must be the owner of payment ${payment.id}` }]
  throw gatewayError('invalid_request', { errors })
}

async function writeAdopted(
  tx: Tx,
  adoption: Adoption,
  { reply, facts, reason }: Reported & { reason: { reason?: string } },
): Promise<GatewayPayment> {
  const payment = await insert(tx, adoption, { reply, facts })
  const { transaction_status: to_status } = payment
  const written = { object_kind: 'payment', object: payment, to_status } as const
  await recordWritten(tx, written, { source: 'staff', ...reason })
  return payment
}

async function insert(tx: Tx, { order_id, owner_id }: Adoption, { reply, facts }: Reported) {
  const payment_type = PAYMENT_TYPES.find((known) => known === reply.payment_type)
  const { gross_amount, transaction_id, details } = facts
  const missing =
    payment_type === undefined || gross_amount === null || transaction_id === null
      ? 'the gateway does not say its type, amount and transaction id in words we know'
      : undefined
  if (payment_type === undefined || gross_amount === null || missing !== undefined) {
    const errors = [{ field: 'order_id', message: missing ?? 'not of a known type' }]
    throw gatewayError('invalid_request', { errors })
  }
  const payment = await insertPayment(tx, {
    id: await idOf(tx, facts),
    owner_id,
    order_id,
    api_family: 'classic',
    payment_type,
    bank: details.bank ?? null,
    store: details.store ?? null,
    acquirer: details.acquirer ?? null,
    // A fee that the payer bore is part of the reported amount, and was never part of the order.
    gross_amount: gross_amount - facts.imposed_fee,
    currency: reply.currency ?? 'IDR',
    customer_first_name: null,
    customer_last_name: null,
    customer_email: null,
    customer_phone: null,
    metadata: {},
    custom_field1: reply.custom_field1 ?? null,
    custom_field2: reply.custom_field2 ?? null,
    custom_field3: reply.custom_field3 ?? null,
    transaction_id,
    subscription_id: null,
    invoice_id: null,
  })
  if (payment === undefined) throw gatewayError('duplicate_order')
  return payment
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id it had here before, if it carries our payment id: a lost record gets its id back. */
async function idOf(tx: Tx, { payment_id }: TransactionFacts): Promise<string> {
  if (payment_id === null || !UUID.test(payment_id)) return newId()
  const taken = await findPaymentById(tx, payment_id)
  if (taken === undefined) return payment_id
  const errors = [{ field: 'order_id', message: `is the charge of payment ${taken.id}` }]
  throw gatewayError('duplicate_order', { errors })
}
