import type { CheckoutReply } from 'gapura'
import { checkoutRows } from '../object_rows.ts'
import { asMade, scenario, type Kind, type Stage } from './scenario.ts'

const CHECKOUT: Kind<CheckoutReply> = {
  noun: 'checkout',
  find: async ({ gapura, caller }, id) => await gapura.api.getCheckout(caller, id),
  history: async ({ gapura, caller }, id) => await gapura.staff.checkoutHistory(caller, id),
  // Its payments are found by the sweep; there is nothing to ask about the page itself.
  refresh: async ({ gapura, caller }, id) => await gapura.api.getCheckout(caller, id),
  rows: checkoutRows,
}

const MINUTES = 5

const made = async ({ gapura, caller }: Stage): Promise<CheckoutReply> =>
  await gapura.api.createCheckout(caller, { amount: 150_000, page_expiry_minutes: MINUTES })

const paid = async ({ simulator }: Stage, { order_id }: CheckoutReply): Promise<void> =>
  await simulator.act(`checkouts/${order_id}/pay`, { method: 'other_qris' })

const cancelled = async ({ gapura, caller }: Stage, { id }: CheckoutReply): Promise<void> => {
  await gapura.api.cancelCheckout(caller, id)
}

export const CHECKOUT_SCENARIOS = {
  checkout_created: scenario(CHECKOUT, { make: made, provoke: asMade }),
  checkout_completed: scenario(CHECKOUT, { make: made, provoke: paid }),
  checkout_cancelled: scenario(CHECKOUT, { make: made, provoke: cancelled }),
}
