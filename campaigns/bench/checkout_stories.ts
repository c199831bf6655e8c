// Checkouts in the load of other campaigns: created with retries by the same key, then paid, denied
// and retried, abandoned or paid twice at the simulator. What callers were shown is kept for the
// verdict.
import { randomUUID } from 'node:crypto'
import type { Answer } from './client.ts'
import type { CampaignCaller, CheckoutLog } from './intents.ts'
import { picked, type Scene } from './scene.ts'

export const CHECKOUT_AMOUNT = 150_000
export const DENIED_CARD = '4911111111111113'
/** Stays pending until it is paid: a card is decided at once, OVO within a minute. */
export const WAITING = ['bca_va', 'bni_va', 'gopay', 'other_qris', 'permata_va'] as const

/** What the payer does; the rest never opens the page. */
const PAYER_MIX = { paid: 0.5, retried: 0.2, paid_twice: 0.1, chosen: 0.1 }

type Creation = Pick<Scene, 'client'> & { log: CheckoutLog; caller: CampaignCaller }

/** Creates a page until the answer is definite; the order id names it at the gateway. */
export async function createCheckout(
  { client, log, caller }: Creation,
  order_id: string,
  more: { key?: string; page_expiry_minutes?: number } = {},
): Promise<Answer | undefined> {
  const { key = `key-${order_id}`, ...page } = more
  return await client.wish({
    method: 'POST',
    path: '/checkouts/',
    body: {
      amount: CHECKOUT_AMOUNT,
      order_id,
      item_details: [{ name: 'Tea', price: CHECKOUT_AMOUNT, quantity: 1 }],
      customer_details: { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' },
      ...page,
    },
    key,
    api_key: caller.api_key,
    onSend: () => (answer) => log.note(order_id, answer),
  })
}

export async function playCheckout(scene: Scene, caller: CampaignCaller): Promise<void> {
  const { client, random, deployment } = scene
  const { witness, checkouts: log } = deployment
  const order_id = `k-${randomUUID()}`
  const answer = await createCheckout({ client, log, caller }, order_id)
  if (answer?.status !== 201) return
  const act = async (action: string, body: object): Promise<string> => {
    const reply = await witness.control(`checkouts/${order_id}/${action}`, body)
    const { transaction_id } = (await reply.json()) as { transaction_id?: string }
    return transaction_id ?? ''
  }
  const waiting = (): object => ({ method: random.pick(WAITING) })
  const drawn = picked(random, PAYER_MIX)
  if (drawn === 'paid') await act('pay', { method: random.pick(['credit_card', ...WAITING]) })
  else if (drawn === 'chosen') await act('choose', waiting())
  else if (drawn === 'retried') {
    await act('choose', { method: 'credit_card', card_number: DENIED_CARD })
    await act('pay', waiting())
  } else if (drawn === 'paid_twice') {
    const chosen = [await act('choose', waiting()), await act('choose', waiting())]
    for (const id of chosen) await witness.control(`transactions/${id}/pay`)
  }
}
