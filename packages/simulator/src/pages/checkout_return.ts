// How the payer leaves a hosted page: to the shop's finish URL, or out of the shop's popup.
import { abandonPage, recordCheckout } from '../operations/checkout_payments.ts'
import { fieldsAt, textAt, type Fields } from '../wire/fields.ts'
import { codeFor, transactionFields } from '../wire/representation.ts'
import { checkoutStatus, type Checkout } from '../world/checkout.ts'
import { isPaid, type Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'

/** Which callback of the shop is called. */
type ResultKind = 'success' | 'pending' | 'error' | 'close'

/** The transaction that counts for the shop: a paid one, else the newest. */
export const countingOf = ({ transactions }: Checkout): Transaction | undefined =>
  transactions.find(isPaid) ?? transactions.at(-1)

const KINDS: Record<string, ResultKind> = { '200': 'success', '201': 'pending' }

const EXPIRED = { status_code: '407', status_message: ['Transaction is expired'] }

/** What the shop's callback gets (gateway-protocol.md#hosted-checkout). */
export function resultOf(world: World, checkout: Checkout): { kind: ResultKind; result: Fields } {
  const finish_redirect_url = finishUrl(world, checkout)
  const shown = finish_redirect_url === undefined ? {} : { finish_redirect_url }
  const transaction = countingOf(checkout)
  if (transaction) {
    const status_code = codeFor(transaction)
    const kind = KINDS[status_code] ?? 'error'
    return { kind, result: { status_code, ...transactionFields(world, transaction), ...shown } }
  }
  const live = checkoutStatus(checkout, world.clock.now()) === 'live'
  return live ? { kind: 'close', result: {} } : { kind: 'error', result: { ...EXPIRED, ...shown } }
}

/** The shop's address with what it may show; never proof of a payment. */
export function finishUrl(world: World, checkout: Checkout): string | undefined {
  const finish = textAt(fieldsAt(checkout.body, 'callbacks'), 'finish')
  const url = finish === undefined ? null : URL.parse(finish)
  if (!url) return undefined
  const transaction = countingOf(checkout)
  url.searchParams.set('merchant_id', world.settings.merchant_id)
  url.searchParams.set('order_id', checkout.order_id)
  if (transaction) {
    url.searchParams.set('status_code', codeFor(transaction))
    url.searchParams.set('transaction_status', transaction.status)
  }
  return url.href
}

/** Records that the payer left: with a chosen method, or without. */
export function leavePage(world: World, checkout: Checkout): void {
  if (checkout.transactions.length === 0) abandonPage(world, checkout)
  else recordCheckout(world, checkout, 'returned')
}
