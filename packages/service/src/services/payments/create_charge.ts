// A charge: validated, stored, sent, recorded. If the process dies anywhere, what is stored is
// enough for the resolver to finish it.
import { randomBytes } from 'node:crypto'
import { gatewayError } from '../../domain/errors.ts'
import { toWholeRupiah, type Money } from '../../domain/money.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { isFailed, type GatewayPayment } from '../../domain/payment.ts'
import { accountBank } from '../../domain/payment_type.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { PAYMENT_TYPE_WIRE, type ChargeRequest } from '../../gateway/wire/payment_types.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { findIntent, releaseIntent, type IntentRecord } from '../../store/operations/intents.ts'
import {
  insertCharge,
  OrderTaken,
  type InsertedCharge,
  type NewCharge,
} from '../../store/payments/charges.ts'
import {
  findPaymentById,
  findPaymentByOrderId,
  type NewPayment,
  type NewPaymentItem,
} from '../../store/payments/rows.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { CALL_DUE_MS } from '../operations/lease.ts'
import { performOperation, type Prepared } from '../operations/perform.ts'
import { unclearOutcome } from '../operations/record.ts'
import { replied, type Outcome, type Request, intentOf } from '../requests.ts'
import { CHARGE, findCharge, type ChargeInput } from './charge_operation.ts'
import { parseChargeOrder, type ChargeOrder, type OrderItem } from './charge_order.ts'
import { refreshPayment } from './check_status.ts'
import { type PaymentRepresentation } from '../../domain/payment_representation.ts'
import { representWithin } from './representation.ts'

/** Creates a charge at the gateway and stores it. One intent leads to at most one charge. */
export async function createCharge(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome<PaymentRepresentation>> {
  const order = parseChargeOrder(input)
  ctx.reached('charge.validated')
  return await performOperation(ctx, request, {
    type: CHARGE,
    prepare: async (instead_of) => {
      ctx.reached('charge.slot_taken')
      return await prepareCharge(ctx, request, { order, instead_of })
    },
    inputFor: ({ id: payment_id, order_id }) => ({
      payload: chargeRequest(order, { payment_id, order_id }),
    }),
    beforeRetry: async (operation) => await findGivenUp(ctx, operation),
  })
}

/**
 * Queries the gateway once more for a charge that was given up, before its intent is tried again:
 * if the gateway has it after all, that payment is the reply.
 */
async function findGivenUp(
  ctx: Context,
  operation: GatewayOperation,
): Promise<Outcome<PaymentRepresentation> | undefined> {
  if (operation.reply?.['error'] !== CHARGE.given_up_as) return undefined
  const { subject_id } = operation
  const given_up = await withReadTransaction(ctx.db, (tx) => findPaymentById(tx, subject_id))
  const seen = given_up && (await findCharge(ctx, given_up))
  if (seen?.kind === 'unknown') throw unclearOutcome(operation)
  if (given_up === undefined || seen?.kind !== 'seen') return undefined
  await refreshPayment(ctx, given_up, 'charge')
  return await withTransaction(ctx.db, async (tx) => {
    const payment = await findPaymentById(tx, subject_id)
    return payment && replied(201, await representWithin(tx, payment))
  })
}

interface ChargePlan {
  order: ChargeOrder
  /** The operation that carried the intent before and had no effect. */
  instead_of: IntentRecord | undefined
}

type PreparedCharge = Prepared<GatewayPayment, ChargeInput> | { taken: IntentRecord }

/**
 * The first transaction of a charge: payment, items, operation and intent in one statement, together
 * with other charges that are made now. Stores the charge, or returns the operation that carries its
 * intent.
 */
async function prepareCharge(
  ctx: Context,
  request: Request,
  { order, instead_of }: ChargePlan,
): Promise<PreparedCharge> {
  const first = newCharge(ctx, request, order)
  const owner_id = request.caller.owner_id
  try {
    const { written, stored } =
      instead_of === undefined
        ? { written: first, stored: await writeTogether(ctx, first) }
        : await writeAgain(ctx, request, { order, instead_of })
    if (stored === 'intent_taken') return { taken: await carrierOf(ctx, written) }
    return preparedFrom(stored, written)
  } catch (error) {
    if (!(error instanceof OrderTaken)) throw error
    const { order_id } = first.charge.payment
    throw await withReadTransaction(ctx.db, (tx) => duplicate(tx, { owner_id, order_id }))
  }
}

/** The operation that carries the intent. A transaction of its own sees what was committed since. */
async function carrierOf(ctx: Context, { charge }: WrittenCharge): Promise<IntentRecord> {
  const { payment, intent } = charge
  const taken = intent && (await withTransaction(ctx.db, (tx) => findIntent(tx, intent)))
  if (!taken) throw new Error(`no operation has the intent of charge ${payment.id}`)
  return taken
}

/** A charge that is to be stored, and what is sent for it. */
interface WrittenCharge {
  charge: NewCharge
  payload: ChargeRequest
}

function newCharge(
  { cell }: Context,
  request: Request,
  order: ChargeOrder,
  given_order_id?: string,
): WrittenCharge {
  const order_id = order.order_id ?? given_order_id ?? mintOrderId(randomBytes(16), cell?.name)
  const payment = { ...newPayment(order), owner_id: request.caller.owner_id, order_id }
  const payload = chargeRequest(order, { payment_id: payment.id, order_id })
  const charge = {
    payment,
    items: order.item_details.map(newItem),
    // Enough to query, never enough to charge again: tokens are never stored.
    operation: { id: newId(), request: redacted(payload) },
    intent: intentOf(request),
    due_in_ms: CALL_DUE_MS,
  }
  return { charge, payload }
}

const preparedFrom = (
  { payment: subject, operation, items }: InsertedCharge,
  { payload }: WrittenCharge,
): PreparedCharge => ({ subject, operation, input: { payload, items } })

const writeTogether = async (ctx: Context, { charge }: WrittenCharge) =>
  await ctx.charges.insert(
    charge,
    async () => await withTransaction(ctx.db, async (tx) => await write(tx, ctx, charge)),
  )

/** The intent was carried by an operation without an effect: the new one takes it over. */
const writeAgain = async (
  ctx: Context,
  request: Request,
  { order, instead_of }: ChargePlan & { instead_of: IntentRecord },
) =>
  await withTransaction(ctx.db, async (tx) => {
    const former = await findPaymentById(tx, instead_of.operation.subject_id)
    await releaseIntent(tx, instead_of.operation.id)
    // A second try keeps the order id: if the first was made after all, the gateway reports a
    // duplicate.
    const written = newCharge(ctx, request, order, former?.order_id)
    return { written, stored: await write(tx, ctx, written.charge) }
  })

async function write(tx: Tx, ctx: Context, charge: NewCharge) {
  const inserted = insertCharge(tx, charge)
  tx.commitNow()
  const stored = await inserted
  if (stored === 'intent_taken') return stored
  ctx.reached('charge.key_claimed')
  ctx.reached('charge.payment_inserted')
  ctx.reached('charge.operation_inserted')
  return stored
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

/**
 * Names the caller's own payment of that order id; another owner's is not revealed (ADR 0020). The
 * gateway would take the id again after expire or cancel; we do not (ADR 0003).
 */
async function duplicate(
  tx: Tx,
  { owner_id, order_id }: Pick<GatewayPayment, 'owner_id' | 'order_id'>,
) {
  const other = await findPaymentByOrderId(tx, order_id)
  if (other?.owner_id !== owner_id) {
    const errors = [{ field: 'order_id', message: 'it is in use' }]
    return gatewayError('duplicate_order', { errors })
  }
  const ended = isFailed(other)
  const message = ended
    ? `payment ${other.id} has it and is ${other.transaction_status}; use a new order id`
    : `payment ${other.id} has it`
  const errors = [{ field: 'order_id', message }]
  return gatewayError(ended ? 'order_ended' : 'duplicate_order', { errors })
}

/** The body to send. It carries our payment's id, which proves later that the charge is ours. */
function chargeRequest(
  order: ChargeOrder,
  { payment_id, order_id }: { payment_id: string; order_id: string },
): ChargeRequest {
  const envelope = {
    transaction_details: { order_id, gross_amount: whole(order.gross_amount) },
    metadata: { ...order.metadata, gapura_payment_id: payment_id },
    ...(order.customer_details && { customer_details: order.customer_details }),
    ...(order.item_details.length > 0 && {
      item_details: order.item_details.map((item) => ({ ...item, price: whole(item.price) })),
    }),
    ...(order.custom_expiry && { custom_expiry: order.custom_expiry }),
    ...customFields(order.custom_fields ?? []),
  }
  return { ...envelope, ...PAYMENT_TYPE_WIRE[order.payment_type].details(order) }
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

function customFields([first, second, third]: readonly string[]) {
  return {
    ...(first !== undefined && { custom_field1: first }),
    ...(second !== undefined && { custom_field2: second }),
    ...(third !== undefined && { custom_field3: third }),
  }
}
