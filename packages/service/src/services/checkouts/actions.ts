// Create and cancel, as callers request them.
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../domain/caller.ts'
import type { GatewayCheckout } from '../../domain/checkout.ts'
import type { CheckoutReply, CheckoutRepresentation } from '../../domain/checkout_representation.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { listPaymentsOfCheckout } from '../../store/checkouts/checks.ts'
import {
  findCheckoutById,
  findCheckoutByOrderId,
  insertCheckout,
} from '../../store/checkouts/rows.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { findPaymentByOrderId } from '../../store/payments/rows.ts'
import { newId } from '../../store/sql/values.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { changeObject, createObject } from '../operations/prepare.ts'
import { cancelPayment } from '../payments/actions.ts'
import { problem, type Outcome, type Request, type Why } from '../requests.ts'
import { checkoutRequest, parseCheckoutOrder, type CheckoutOrder } from './checkout_order.ts'
import { CHECKOUT_OPERATIONS } from './operations.ts'
import { representCheckoutWithin } from './step_checkout.ts'

/**
 * Opens a page at the gateway and stores it. One key opens at most one page, and so does one order:
 * a repeat with the same content gets the page that is there.
 */
export async function createCheckout(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome<CheckoutReply>> {
  const order = parseCheckoutOrder(input)
  return await createCheckoutFor(ctx, request, order)
}

/** The same for an owner whom staff name. */
export async function createCheckoutFor(
  ctx: Context,
  request: Request,
  order: CheckoutOrder,
  owner_id = request.caller.owner_id,
): Promise<Outcome<CheckoutReply>> {
  const inputFor = (checkout: GatewayCheckout) => checkoutRequest(order, checkout)
  try {
    const outcome = await createObject(ctx, request, {
      type: CHECKOUT_OPERATIONS.create_checkout,
      insert: async (tx) => await insert(tx, owner_id, order, ctx.cell?.name),
      kept: (checkout) => ({ ...inputFor(checkout) }),
      inputFor,
    })
    return await withPage(ctx, outcome)
  } catch (error) {
    if (!(error instanceof SamePage)) throw error
    return await samePage(ctx, request.caller, error.checkout_id)
  }
}

/** The order has a page with the same content: it is the reply. */
class SamePage extends Error {
  readonly checkout_id: string

  constructor(checkout_id: string) {
    super('the order has this page')
    this.checkout_id = checkout_id
  }
}

async function samePage(ctx: Context, caller: Caller, id: string): Promise<Outcome<CheckoutReply>> {
  const found = await withReadTransaction(ctx.db, async (tx) => {
    const checkout = await findCheckoutById(tx, id)
    return checkout && { checkout, body: await representCheckoutWithin(tx, checkout) }
  })
  // Its creation is under way: the page is there in a moment, or the order id is free again.
  if (found === undefined || found.checkout.status !== 'open')
    return problem('operation_in_progress')
  await recordRead(ctx, caller, 'checkout.read', found.checkout)
  const { token, redirect_url } = found.checkout
  const reply = { code: 200, body: { ...found.body, token, redirect_url } }
  return { kind: 'reply', reply, replayed: true }
}

/**
 * Adds the page to a reply, as it is now: it is never stored with a reply, so a repeat after its end
 * shows none.
 */
async function withPage(
  ctx: Context,
  outcome: Outcome<CheckoutRepresentation>,
): Promise<Outcome<CheckoutReply>>
async function withPage(ctx: Context, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'reply') return outcome
  const { code, body } = outcome.reply
  // A stored refusal is a problem and has no page.
  if (code >= 300 || !('id' in body)) return outcome
  const id = String(body.id)
  const checkout = await withReadTransaction(ctx.db, (tx) => findCheckoutById(tx, id))
  const { token = null, redirect_url = null } = checkout ?? {}
  return { ...outcome, reply: { code, body: { ...body, token, redirect_url } } }
}

async function insert(
  tx: Tx,
  owner_id: string,
  order: CheckoutOrder,
  cell?: string,
): Promise<GatewayCheckout> {
  const order_id = order.order_id ?? mintOrderId(randomBytes(16), cell)
  const { first_name, last_name, email, phone } = order.customer_details ?? {}
  const { amount, page_expiry_minutes, fingerprint } = order
  await refusePayment(tx, owner_id, order_id)
  const checkout = await insertCheckout(tx, {
    id: newId(),
    owner_id,
    order_id,
    amount,
    currency: 'IDR',
    description: order.description ?? null,
    return_url: order.return_url ?? null,
    payment_types: order.payment_types ?? null,
    page_expiry_minutes,
    payment_expiry_minutes: order.payment_expiry_minutes ?? null,
    customer_first_name: first_name ?? null,
    customer_last_name: last_name ?? null,
    customer_email: email ?? null,
    customer_phone: phone ?? null,
    items: order.item_details.map(({ id, name, price, quantity }) => ({
      item_id: id ?? null,
      name,
      price: formatMoney(price),
      quantity,
    })),
    metadata: order.metadata ?? {},
    fingerprint,
  })
  if (checkout === undefined) throw await duplicate(tx, owner_id, { order_id, fingerprint })
  const written = { object_kind: 'checkout', object: checkout, to_status: checkout.status } as const
  await recordWritten(tx, written, { source: 'action' })
  return checkout
}

/** A payment of that order id that was charged directly: a report could be of either. */
async function refusePayment(tx: Tx, owner_id: string, order_id: string): Promise<void> {
  const payment = await findPaymentByOrderId(tx, order_id)
  if (payment === undefined || payment.checkout_id !== null) return
  const message = payment.owner_id === owner_id ? `payment ${payment.id} has it` : 'it is in use'
  throw gatewayError('duplicate_order', { errors: [{ field: 'order_id', message }] })
}

/**
 * Names the caller's own checkout of that order id; another owner's is not revealed (ADR 0020). An
 * order id is one page for ever, as it is one payment (ADR 0003).
 */
async function duplicate(
  tx: Tx,
  owner_id: string,
  { order_id, fingerprint }: Pick<GatewayCheckout, 'order_id' | 'fingerprint'>,
): Promise<Error> {
  const other = await findCheckoutByOrderId(tx, order_id)
  const named = (message: string) => ({ errors: [{ field: 'order_id', message }] })
  if (other?.owner_id !== owner_id) return gatewayError('duplicate_order', named('it is in use'))
  const live = other.status === 'open' || other.status === 'initiated'
  if (live && other.fingerprint === fingerprint) return new SamePage(other.id)
  const { id, status } = other
  if (live || status === 'completed') {
    return gatewayError('duplicate_order', named(`checkout ${id} has it and is ${status}`))
  }
  const ended = `checkout ${id} has it and is ${status}; use a new order id`
  return gatewayError('order_ended', named(ended))
}

/**
 * Ends an open page, and cancels what the payer has chosen on it and not paid. The reply says
 * whether the gateway closed the page; if not, money may still arrive and opens an alarm.
 */
export async function cancelCheckout(
  ctx: Context,
  request: Request,
  id: string,
  why: Why = {},
): Promise<Outcome<CheckoutReply>> {
  const outcome = await changeObject(ctx, request, {
    type: CHECKOUT_OPERATIONS.cancel_checkout,
    id,
    kept: { ...why },
    check: ({ status }) => {
      if (status !== 'open') throw gatewayError('checkout_not_open')
    },
  })
  // A repeat after a crash in between cancels what is left.
  if (outcome.kind === 'reply' && outcome.reply.code < 300)
    await cancelChosen(ctx, request, id, why)
  return await withPage(ctx, outcome)
}

const CANCELLABLE: ReadonlySet<string> = new Set(['pending', 'authorize'])

async function cancelChosen(ctx: Context, request: Request, id: string, why: Why): Promise<void> {
  const payments = await withReadTransaction(ctx.db, (tx) => listPaymentsOfCheckout(tx, id))
  for (const payment of payments) {
    if (!CANCELLABLE.has(payment.transaction_status)) continue
    const key = `cancel-checkout:${payment.id}`
    const idempotency = { owner_id: '', key, fingerprint: payment.id } as const
    try {
      await cancelPayment(ctx, { ...request, idempotency }, payment.id, why)
    } catch (error) {
      // Refused: its status says why. Unclear: the resolver ends it.
      if (!(error instanceof GatewayError)) throw error
    }
  }
}
