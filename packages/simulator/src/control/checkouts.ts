import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { offeredMethods } from '../operations/checkout_methods.ts'
import { abandonPage, chooseMethod, expirePage, openPage } from '../operations/checkout_payments.ts'
import { pageUrl } from '../operations/checkouts.ts'
import { textAt, type Fields } from '../wire/fields.ts'
import { checkoutStatus, type Checkout } from '../world/checkout.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { pageOf } from './page.ts'
import { performAction } from './payer.ts'
import { fault, route, type ControlRoute } from './reply.ts'
import { shownTransaction } from './transactions.ts'

const iso = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString()

/** One page and its transactions, oldest first. */
function shownCheckout(world: World, checkout: Checkout): Fields {
  return {
    token: checkout.token,
    order_id: checkout.order_id,
    gross_amount: checkout.gross_amount,
    status: checkoutStatus(checkout, world.clock.now()),
    redirect_url: pageUrl(world, checkout),
    created_at: iso(checkout.created_at),
    expires_at: iso(checkout.expires_at),
    canceled_at: iso(checkout.canceled_at),
    abandoned_at: iso(checkout.abandoned_at),
    opened: checkout.opened,
    methods: offeredMethods(world, checkout),
    transactions: checkout.transactions.map((one) => ({
      transaction_id: one.transaction_id,
      payment_type: one.payment_type,
      channel: one.channel,
      transaction_status: one.status,
      captured: one.purse.captured,
    })),
  }
}

function list(host: Host, call: Call): Reply {
  const world = host.world()
  const { after, limit } = pageOf(call.query)
  const order_id = call.query.get('order_id')
  const found =
    order_id === null ? world.checkouts.page({ after, limit }) : world.checkouts.allOf(order_id)
  const checkouts = found.map((one) => shownCheckout(world, one))
  const next_after = after + found.length
  return httpReply(200, { checkouts, total: world.checkouts.size, next_after })
}

function show(host: Host, call: Call): Reply {
  const world = host.world()
  const checkout = world.checkouts.find(paramOf(call, 'id'))
  if (!checkout) return fault(404, 'no such checkout')
  return httpReply(200, { ...shownCheckout(world, checkout), sent: checkout.body })
}

/** The answer of an action: a refusal, the page, or the transaction it concerns. */
type Acted = string | undefined | Transaction
type PageAction = (world: World, checkout: Checkout, body: Fields) => Acted

const PAGE_ACTIONS: Record<string, PageAction> = {
  open: openPage,
  choose,
  pay,
  abandon: (world, checkout) => {
    abandonPage(world, checkout)
    return undefined
  },
  expire: expirePage,
}

function choose(world: World, checkout: Checkout, body: Fields): Transaction | string {
  return chooseMethod(world, checkout, {
    method: textAt(body, 'method') ?? '',
    card_number: textAt(body, 'card_number'),
    card_exp_month: textAt(body, 'card_exp_month'),
    card_exp_year: textAt(body, 'card_exp_year'),
    card_cvv: textAt(body, 'card_cvv'),
    phone: textAt(body, 'phone'),
  })
}

/** Pays the named transaction of the page or its newest; with a method, chooses it first. */
function pay(world: World, checkout: Checkout, body: Fields): Transaction | string {
  const id = textAt(body, 'transaction_id')
  const chosen = textAt(body, 'method') === undefined ? undefined : choose(world, checkout, body)
  if (typeof chosen === 'string') return chosen
  // A card without 3DS is decided at the choice: there is nothing left to pay.
  if (chosen && chosen.status !== 'pending') return chosen
  const named = checkout.transactions.find((one) => one.transaction_id === id)
  const transaction = chosen ?? (id === undefined ? checkout.transactions.at(-1) : named)
  if (!transaction) return 'no method was chosen'
  return performAction(world, transaction, 'pay', body) ?? transaction
}

function act(host: Host, call: Call): Reply {
  const world = host.world()
  const checkout = world.checkouts.find(paramOf(call, 'id'))
  if (!checkout) return fault(404, 'no such checkout')
  const action = PAGE_ACTIONS[paramOf(call, 'action')]
  if (!action)
    return fault(404, `unknown action; use one of ${Object.keys(PAGE_ACTIONS).join(', ')}`)
  const acted = action(world, checkout, call.body ?? {})
  if (typeof acted === 'string') return fault(409, acted)
  return httpReply(200, acted ? shownTransaction(world, acted) : shownCheckout(world, checkout))
}

/** The payer's side of a hosted page; `{id}` is a token, or an order id for its newest page. */
export const CHECKOUT_ROUTES: ControlRoute[] = [
  route('GET /_sim/checkouts', list),
  route('GET /_sim/checkouts/{id}', show),
  route('POST /_sim/checkouts/{id}/{action}', act),
]
