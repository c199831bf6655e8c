import { urlsOf } from '../charge/charge.ts'
import { orderOf } from '../charge/request.ts'
import { paramOf, type Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { listAt, type Fields } from '../wire/fields.ts'
import { checkoutStatus, isInProgress, type Checkout } from '../world/checkout.ts'
import { freesOrder } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { METHOD_NAMES } from './checkout_methods.ts'
import { recordCheckout } from './checkout_payments.ts'
import { checkoutFaults, pageLifeOf } from './checkout_request.ts'

const refuse = (http_status: number, ...error_messages: string[]): Reply =>
  httpReply(http_status, { error_messages })

const TAKEN = 'transaction_details.order_id has already been taken'

/** POST /snap/v1/transactions: a page, and no transaction before the payer chooses a method. */
export function createCheckout(world: World, call: Call): Reply {
  const { body } = call
  if (!body) return refuse(400, 'the body must be a JSON object')
  const messages = checkoutFaults(body)
  const { order_id, gross_amount } = orderOf(body)
  if (messages.length > 0 || order_id === undefined || gross_amount === undefined)
    return refuse(400, ...messages)
  const earlier = repeatOf(world, order_id)
  if (earlier === 'refused') return refuse(400, TAKEN)
  const checkout = earlier ?? openCheckout(world, call, { order_id, gross_amount, body })
  return httpReply(201, { token: checkout.token, redirect_url: pageUrl(world, checkout) })
}

/** Where hosted pages are; the gateway's version number changes. */
export const PAGE_PATH = '/snap/v4/redirection'

export const pagePath = ({ token }: Checkout): string => `${PAGE_PATH}/${token}`

/** The page's address as the payer gets it. */
export const pageUrl = ({ base_url }: World, checkout: Checkout): string =>
  `${base_url}${pagePath(checkout)}`

/** The page that a second call for an order id gets, a refusal, or nothing for a new page. */
function repeatOf(world: World, order_id: string): Checkout | 'refused' | undefined {
  const { checkout_repeat } = world.settings
  const pages = world.checkouts.allOf(order_id)
  if (checkout_repeat === 'refused' && pages.length > 0) return 'refused'
  const newest = pages.at(-1)
  const reopens = newest !== undefined && checkoutStatus(newest, world.clock.now()) === 'live'
  if (checkout_repeat === 'same' && reopens) return newest
  const taken = world.transactions.allOf(order_id).some((one) => !freesOrder(one))
  return taken ? 'refused' : undefined
}

function openCheckout(
  world: World,
  call: Call,
  { order_id, gross_amount, body }: { order_id: string; gross_amount: number; body: Fields },
): Checkout {
  const now = world.clock.now()
  const enabled = listAt(body, 'enabled_payments')
  const checkout: Checkout = {
    token: world.random.uuid(),
    order_id,
    gross_amount,
    created_at: now,
    expires_at: now + pageLifeOf(body),
    canceled_at: undefined,
    abandoned_at: undefined,
    opened: 0,
    methods: METHOD_NAMES.filter((name) => enabled.length === 0 || enabled.includes(name)),
    body,
    ...urlsOf(call),
    transactions: [],
  }
  world.checkouts.add(checkout)
  recordCheckout(world, checkout, 'created')
  watchPage(world, checkout)
  return checkout
}

/** A page ends without a notification (gateway-protocol.md#hosted-checkout). */
function watchPage(world: World, checkout: Checkout): void {
  const { expires_at } = checkout
  world.clock.schedule(expires_at, () => {
    // A page that the tester ended before has its entry already.
    if (checkout.expires_at !== expires_at) return
    if (checkoutStatus(checkout, world.clock.now()) === 'expired')
      recordCheckout(world, checkout, 'expired')
  })
}

/** POST /snap/v1/transactions/{token}/cancel, if the account may. */
export function cancelCheckout(world: World, call: Call): Reply {
  if (!world.settings.checkout_cancel) return NO_ROUTE
  const checkout = world.checkouts.byToken(paramOf(call, 'id'))
  if (!checkout) return refuse(404, 'token not found')
  if (checkout.canceled_at !== undefined) return refuse(400, 'token already canceled')
  if (isInProgress(checkout)) return refuse(400, 'Transaction is in progress')
  checkout.canceled_at = world.clock.now()
  recordCheckout(world, checkout, 'canceled')
  return httpReply(200, { canceled_at: new Date(checkout.canceled_at).toISOString() })
}

/** What the edge answers for a route that an account does not have. */
const NO_ROUTE = httpReply(404, '<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>')
