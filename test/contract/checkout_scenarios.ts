// The calls of hosted checkout, which are on another host of the gateway.
import { CHECKOUT } from '../gateway_calls.ts'
import type { Harness } from './harness.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const detailsOf = (order_id: string) => ({ order_id, gross_amount: 150_000 })

const allowCancel = async ({ simulator }: Harness): Promise<void> => {
  await fetch(`${simulator.url}/_sim/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ checkout_cancel: true }),
  })
}

const newPage = ({ fresh }: Harness) =>
  Promise.resolve({ ...CHECKOUT, transaction_details: detailsOf(fresh('page')) })

export const CHECKOUT_SCENARIOS = {
  create_checkout: {
    prepare: async (harness: Harness) => {
      const page = await newPage(harness)
      return () => harness.client.createCheckout(page)
    },
    refused: async ({ client, fresh }: Harness) => {
      const transaction_details = { order_id: fresh('page'), gross_amount: -1 }
      return await client.createCheckout({ ...CHECKOUT, transaction_details })
    },
    code: 'gateway_rejected',
  },
  cancel_checkout: {
    prepare: async (harness: Harness) => {
      await allowCancel(harness)
      const { token } = await harness.client.createCheckout(await newPage(harness))
      return () => harness.client.cancelCheckout(token)
    },
    refused: async (harness: Harness) => {
      await allowCancel(harness)
      return await harness.client.cancelCheckout(UNKNOWN_ID)
    },
    code: 'gateway_not_found',
  },
} as const
