// The payer's side of a hosted page, for the control API and the page itself.
import { openCharge } from '../charge/charge.ts'
import type { Reply } from '../http/reply.ts'
import { has, listAt, type Fields } from '../wire/fields.ts'
import { checkoutStatus, type Checkout } from '../world/checkout.ts'
import type { CheckoutEvent } from '../world/ledger.ts'
import { isPaid, type Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { chargeFieldsOf, offeredMethods, type Choice } from './checkout_methods.ts'
import { customExpiryOf } from './checkout_request.ts'

/** Adds an event of the page to the ledger. */
export function recordCheckout(
  world: World,
  { token, order_id }: Checkout,
  event: CheckoutEvent,
  transaction_id?: string,
): void {
  world.ledger.checkout({ event, token, order_id, ...(transaction_id && { transaction_id }) })
}

/** Why the payer cannot choose a method on the page now. */
export function refusalOf(world: World, checkout: Checkout): string | undefined {
  const status = checkoutStatus(checkout, world.clock.now())
  if (status !== 'live') return `the page is ${status}`
  // Another page, or a direct charge, may have brought the money of the same order.
  const paid = world.transactions.allOf(checkout.order_id).some(isPaid)
  return paid ? 'the order is paid' : undefined
}

/** The payer opens the page. Returns why it shows no methods. */
export function openPage(world: World, checkout: Checkout): string | undefined {
  const refusal = refusalOf(world, checkout)
  if (refusal !== undefined) return refusal
  checkout.opened += 1
  recordCheckout(world, checkout, 'opened')
  return undefined
}

/** The payer closes the page; it stays live, and what was chosen stays payable. */
export function abandonPage(world: World, checkout: Checkout): void {
  checkout.abandoned_at = world.clock.now()
  recordCheckout(world, checkout, 'abandoned')
}

/** Ends the page now; what was chosen stays payable. Returns why it is not possible. */
export function expirePage(world: World, checkout: Checkout): string | undefined {
  const now = world.clock.now()
  const status = checkoutStatus(checkout, now)
  if (status !== 'live') return `the page is ${status}`
  checkout.expires_at = now
  recordCheckout(world, checkout, 'expired')
  return undefined
}

const CHARGE_KEYS = [
  'transaction_details',
  'item_details',
  'customer_details',
  'custom_field1',
  'custom_field2',
  'custom_field3',
  'metadata',
]

/** Payment types whose expiry is fixed. */
const FIXED_EXPIRY = new Set(['credit_card', 'ovo'])

/**
 * The payer chooses a method: a new transaction of the same order. An earlier one that is still
 * pending stays payable, so that both can be paid (gateway-protocol.md#hosted-checkout).
 */
export function chooseMethod(
  world: World,
  checkout: Checkout,
  choice: Choice & { method: string },
): Transaction | string {
  const refusal = refusalOf(world, checkout)
  if (refusal !== undefined) return refusal
  const offered = offeredMethods(world, checkout)
  if (!offered.includes(choice.method)) return `method must be one of ${offered.join(', ')}`
  const made = chargeFieldsOf(world, checkout, choice)
  if (Array.isArray(made)) return made.join('; ')
  const { order_id, gross_amount, token, body, override_urls, append_urls } = checkout
  const kept = Object.fromEntries(
    CHARGE_KEYS.filter((key) => has(body, key)).map((key) => [key, body[key]]),
  )
  const expiry = FIXED_EXPIRY.has(made.payment_type) ? {} : customExpiryOf(body)
  const request = {
    payment_type: made.payment_type,
    order_id,
    gross_amount,
    body: { ...kept, ...expiry, ...made },
  }
  const origin = { origin: 'checkout', checkout_token: token, override_urls, append_urls } as const
  const opened = openCharge(world, request, { origin, taken: false })
  if ('http_status' in opened) return reasonOf(opened)
  checkout.transactions.push(opened.transaction)
  recordCheckout(world, checkout, 'method_chosen', opened.transaction.transaction_id)
  return opened.transaction
}

function reasonOf({ body }: Reply): string {
  const fields: Fields = typeof body === 'string' ? {} : body
  const messages = listAt(fields, 'validation_messages')
  return messages.length > 0 ? messages.join('; ') : String(fields['status_message'])
}
