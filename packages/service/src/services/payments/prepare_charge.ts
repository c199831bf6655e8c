// The first transaction of a charge: payment, items, operation and intent in one statement.
import { randomBytes } from 'node:crypto'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { accountBank } from '../../domain/payment_type.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import { insertCharge } from '../../store/payments/charges.ts'
import { newId } from '../../store/sql/values.ts'
import { findIntent, releaseIntent, type IntentRecord } from '../../store/operations/intents.ts'
import {
  findPaymentById,
  findPaymentByOrderId,
  type NewPayment,
  type NewPaymentItem,
} from '../../store/payments/rows.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { intentOf, type Request } from '../requests.ts'
import { CALL_DUE_MS } from '../operations/lease.ts'
import type { Prepared } from '../operations/perform.ts'
import type { ChargeInput } from './charge_operation.ts'
import type { ChargeOrder, OrderItem } from './charge_order.ts'
import { chargeRequest } from './charge_request.ts'

interface ChargePlan {
  order: ChargeOrder
  /** The operation that carried the intent before and had no effect. */
  instead_of: IntentRecord | undefined
}

type PreparedCharge = Prepared<GatewayPayment, ChargeInput> | { taken: IntentRecord }

/** Stores the charge, or returns the operation that carries its intent. */
export const prepareCharge = async (
  ctx: Context,
  request: Request,
  plan: ChargePlan,
): Promise<PreparedCharge> =>
  await withTransaction(ctx.db, async (tx) => await write(tx, ctx, request, plan))

async function write(
  tx: Tx,
  ctx: Context,
  request: Request,
  { order, instead_of }: ChargePlan,
): Promise<PreparedCharge> {
  const { owner_id } = request.caller
  const intent = intentOf(request)
  const former = instead_of && (await findPaymentById(tx, instead_of.operation.subject_id))
  if (instead_of !== undefined) await releaseIntent(tx, instead_of.operation.id)
  // A second try keeps the order id: if the first was made after all, the gateway reports a
  // duplicate.
  const order_id = order.order_id ?? former?.order_id ?? mintOrderId(randomBytes(16))
  const payment = { ...newPayment(order), owner_id, order_id }
  const payload = chargeRequest(order, { payment_id: payment.id, order_id })
  const written = await insertCharge(tx, {
    payment,
    items: order.item_details.map(newItem),
    // Enough to query, never enough to charge again: tokens are never stored.
    operation: { id: newId(), request: redacted(payload) },
    intent,
    due_in_ms: CALL_DUE_MS,
  })
  if (written === 'order_taken') throw await duplicate(tx, owner_id, order_id)
  if (written === 'intent_taken') {
    // A statement of its own: it sees what the other transaction committed while this one waited.
    const taken = intent && (await findIntent(tx, intent))
    if (!taken) throw new Error(`no operation has the intent of charge ${payment.id}`)
    return { taken }
  }
  ctx.reached('charge.key_claimed')
  ctx.reached('charge.payment_inserted')
  ctx.reached('charge.operation_inserted')
  const { payment: subject, operation, items } = written
  return { subject, operation, input: { payload, items } }
}

function redacted(payload: ChargeRequest): Record<string, unknown> {
  const clean = withoutSecrets(payload)
  return typeof clean === 'object' && clean !== null ? { ...clean } : {}
}

const newItem = ({ id, ...item }: OrderItem): NewPaymentItem => ({
  brand: null,
  category: null,
  merchant_name: null,
  url: null,
  ...item,
  id: newId(),
  item_id: id ?? null,
})

function newPayment(order: ChargeOrder): Omit<NewPayment, 'owner_id' | 'order_id'> {
  const { first_name, last_name, email, phone } = order.customer_details ?? {}
  const [first = null, second = null, third = null] = order.custom_fields ?? []
  return {
    id: newId(),
    api_family: 'classic',
    payment_type: order.payment_type,
    bank: accountBank(order),
    store: order.store ?? null,
    acquirer: null,
    gross_amount: order.gross_amount,
    currency: 'IDR',
    customer_first_name: first_name ?? null,
    customer_last_name: last_name ?? null,
    customer_email: email ?? null,
    customer_phone: phone ?? null,
    metadata: order.metadata ?? {},
    custom_field1: first,
    custom_field2: second,
    custom_field3: third,
    transaction_id: null,
    subscription_id: null,
    invoice_id: null,
  }
}

/** Names the caller's own payment of that order id; another owner's is not revealed (ADR 0020). */
async function duplicate(tx: Tx, owner_id: string, order_id: string) {
  const other = await findPaymentByOrderId(tx, order_id)
  const message = other?.owner_id === owner_id ? `payment ${other.id} has it` : 'it is in use'
  return gatewayError('duplicate_order', { errors: [{ field: 'order_id', message }] })
}
