// What callers, payers and staff do to one payment after another, chosen from the seed.
import { randomUUID } from 'node:crypto'
import { playCheckout } from './checkout_stories.ts'
import { AMOUNT, CARDS, cardToken, chargeInput } from './charge_inputs.ts'
import type { CampaignCaller } from './intents.ts'
import { playInvoice, playSubscription } from './object_stories.ts'
import { playRefunds, waitUntilPaid } from './refund_stories.ts'
import { picked, type Charged, type Scene } from './scene.ts'

const TYPES = ['bank_transfer', 'echannel', 'cstore', 'qris', 'gopay', 'shopeepay', 'credit_card']
const MINTED_ORDER_SHARE = 0.4
const LIST_SHARE = 0.3
const INVOICE_SHARE = 0.05
const SUBSCRIPTION_SHARE = 0.03
const CHECKOUT_SHARE = 0.1
/** What happens to a payment that waits for its payer; the rest waits until it expires. */
const PENDING_MIX = { pay: 0.5, cancel: 0.12, expire: 0.1, dashboard_cancel: 0.04, look: 0.14 }
/** How a card is charged; the rest is captured at once and settles later. */
const CARD_MIX = { authorize: 0.4, challenged: 0.3, cancel: 0.15 }
const CAPTURE_SHARE = 0.75
const PARTIAL_CAPTURE_SHARE = 0.5
const PARTIAL_CAPTURE = 90_000
const APPROVE_SHARE = 0.7

export async function playPayment(scene: Scene): Promise<void> {
  const { client, random } = scene
  const payment_type = random.pick(TYPES)
  const caller = random.pick(scene.deployment.callers)
  if (payment_type === 'credit_card') await playCard(scene, caller)
  else await playWaiting(scene, caller, payment_type)
  const { api_key } = caller
  if (random.chance(LIST_SHARE))
    await client.wish({ method: 'GET', path: '/payments/?page_size=20', api_key })
  if (random.chance(INVOICE_SHARE)) await playInvoice(scene, caller)
  if (scene.subscriptions && random.chance(SUBSCRIPTION_SHARE))
    await playSubscription(scene, caller)
  if (scene.checkouts && random.chance(CHECKOUT_SHARE)) await playCheckout(scene, caller)
}

export async function charge(
  { deployment, client, random }: Scene,
  caller: CampaignCaller,
  { payment_type, ...more }: { payment_type: string; token_id?: string; capture?: boolean },
): Promise<Charged | undefined> {
  const chosen = random.chance(MINTED_ORDER_SHARE) ? undefined : `c-${randomUUID()}`
  const answer = await deployment.intents.perform(client, {
    kind: 'charge',
    caller,
    path: '/charge/',
    amount: AMOUNT,
    ...(chosen !== undefined && { chosen_order_id: chosen }),
    body: (intent_id) =>
      chargeInput(payment_type, {
        ...(chosen !== undefined && { order_id: chosen }),
        metadata: { intent_id },
        ...(payment_type === 'credit_card' && { authentication: false }),
        ...more,
      }),
  })
  if (answer?.status !== 201) return undefined
  const { id, order_id } = answer.body
  return { id: String(id), order_id: String(order_id), payment_type, caller }
}

async function playWaiting(scene: Scene, caller: CampaignCaller, payment_type: string) {
  const { deployment, client, random } = scene
  const charged = await charge(scene, caller, { payment_type })
  if (charged === undefined) return
  const { id, order_id } = charged
  const drawn = picked(random, PENDING_MIX)
  const { api_key } = caller
  const look = { method: 'GET', path: `/payments/${id}/check_status/`, api_key } as const
  if (drawn === 'pay') {
    await waitUntilPaid(scene, charged)
    await playRefunds(scene, charged)
  } else if (drawn === 'cancel' || drawn === 'expire') await act(scene, charged, drawn)
  else if (drawn === 'dashboard_cancel') {
    // A look answered before the cancel may arrive after its notification.
    await Promise.all([
      client.wish(look),
      deployment.witness.control(`transactions/${order_id}/cancel`),
    ])
  } else if (drawn === 'look') {
    const paying = random.chance(0.5)
    await Promise.all([
      client.wish(look),
      ...(paying ? [deployment.witness.control(`transactions/${order_id}/pay`)] : []),
    ])
  }
}

async function playCard(scene: Scene, caller: CampaignCaller): Promise<void> {
  const { deployment, random } = scene
  const drawn = picked(random, CARD_MIX)
  const number = drawn === 'challenged' ? CARDS.challenged : CARDS.accepted
  const token_id = await cardToken(deployment.parts.ctx.gateway, number).catch(() => 'none')
  const authorize = drawn === 'authorize' && { capture: false }
  const charged = await charge(scene, caller, {
    payment_type: 'credit_card',
    token_id,
    ...authorize,
  })
  if (charged === undefined) return
  if (drawn === 'authorize' && random.chance(CAPTURE_SHARE)) await capture(scene, charged)
  else if (drawn === 'authorize' || drawn === 'cancel') await act(scene, charged, 'cancel')
  else if (drawn === 'challenged') await review(scene, charged)
}

async function capture(scene: Scene, { id, order_id, caller }: Charged): Promise<void> {
  const { deployment, client, random } = scene
  const partial = random.chance(PARTIAL_CAPTURE_SHARE)
  await deployment.intents.perform(client, {
    kind: 'capture',
    caller,
    path: `/payments/${id}/capture/`,
    target: order_id,
    amount: partial ? PARTIAL_CAPTURE : AMOUNT,
    ...(partial && { body: () => ({ amount: PARTIAL_CAPTURE }) }),
  })
}

/** A staff member decides about a card that the fraud system challenged. */
async function review(scene: Scene, { id, order_id }: Charged): Promise<void> {
  const { deployment, client, random } = scene
  const kind = random.chance(APPROVE_SHARE) ? 'approve' : 'deny'
  const path = `/staff/payments/${id}/${kind}/`
  const { intents, staff: caller } = deployment
  const body = (): object => ({ reason: 'looked at' })
  await intents.perform(client, { kind, caller, path, target: order_id, body })
}

export async function act(
  { deployment, client }: Scene,
  { id, order_id, caller }: Charged,
  kind: 'cancel' | 'expire',
): Promise<void> {
  const path = `/payments/${id}/${kind}/`
  await deployment.intents.perform(client, { kind, caller, path, target: order_id })
}
