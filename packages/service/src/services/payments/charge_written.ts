// Transaction 1 of a charge: what is about to be sent is on disk before it is sent.
import { randomBytes } from 'node:crypto'
import type { GatewayOperation } from '../../domain/operation.ts'
import { gatewayError } from '../../domain/errors.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { IdempotencyKey } from '../../store/idempotency_keys.ts'
import { newId } from '../../store/ids.ts'
import { insertOperation } from '../../store/operations.ts'
import { findPaymentByOrderId, insertPayment, type NewPayment } from '../../store/payments.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { claimKey, type Request } from '../requests.ts'
import { CALL_DUE_MS } from '../operations/call_times.ts'
import type { ChargeOrder } from './charge_order.ts'
import { chargeRequest } from './charge_request.ts'

/** A charge that is on disk and not yet sent. */
export interface WrittenCharge {
  payment: GatewayPayment
  operation: GatewayOperation
  payload: ChargeRequest
}

/** Writes the charge down under the request's key, or gives the key's row if it is taken. */
export const writeCharge = async (
  ctx: Context,
  request: Request,
  order: ChargeOrder,
): Promise<WrittenCharge | { taken: IdempotencyKey }> =>
  await withTransaction(ctx.db, async (tx) => {
    const operation_id = newId()
    const taken = await claimKey(tx, request, operation_id)
    if (taken !== undefined) return { taken }
    ctx.reached('charge.key_claimed')
    const payment = await insertCharged(tx, request, order)
    ctx.reached('charge.payment_inserted')
    const payload = chargeRequest(order, { payment_id: payment.id, order_id: payment.order_id })
    const operation = await insertOperation(
      tx,
      {
        id: operation_id,
        owner_id: payment.owner_id,
        kind: 'charge',
        subject_kind: 'payment',
        subject_id: payment.id,
        refund_id: null,
        // Enough to look, never enough to charge again: no token is ever on disk.
        request: redacted(payload),
      },
      CALL_DUE_MS,
    )
    ctx.reached('charge.operation_inserted')
    if (operation === undefined)
      throw new Error(`payment ${payment.id} is new and has an operation`)
    return { payment, operation, payload }
  })

function redacted(payload: ChargeRequest): Record<string, unknown> {
  const clean = withoutSecrets(payload)
  return typeof clean === 'object' && clean !== null ? { ...clean } : {}
}

async function insertCharged(tx: Tx, { caller }: Request, order: ChargeOrder) {
  const order_id = order.order_id ?? mintOrderId(randomBytes(16))
  const payment = await insertPayment(
    tx,
    { ...newPayment(order), owner_id: caller.owner_id, order_id },
    order.item_details.map(({ id, ...item }) => ({
      brand: null,
      category: null,
      merchant_name: null,
      url: null,
      ...item,
      id: newId(),
      item_id: id ?? null,
    })),
  )
  if (payment === undefined) throw await duplicate(tx, caller.owner_id, order_id)
  const { transaction_status: to_status } = payment
  const written = { object_kind: 'payment', object: payment, to_status } as const
  await recordWritten(tx, written, { source: 'charge' })
  return payment
}

function newPayment(order: ChargeOrder): Omit<NewPayment, 'owner_id' | 'order_id'> {
  const { first_name, last_name, email, phone } = order.customer_details ?? {}
  const [first = null, second = null, third = null] = order.custom_fields ?? []
  return {
    id: newId(),
    api_family: 'classic',
    payment_type: order.payment_type,
    bank: order.payment_type === 'bank_transfer' ? (order.bank ?? null) : null,
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

/** Names the caller's own payment of that order id; another owner's is not revealed (D-11). */
async function duplicate(tx: Tx, owner_id: string, order_id: string) {
  const other = await findPaymentByOrderId(tx, order_id)
  const message = other?.owner_id === owner_id ? `payment ${other.id} has it` : 'it is in use'
  return gatewayError('duplicate_order', { errors: [{ field: 'order_id', message }] })
}
