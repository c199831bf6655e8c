// Invoices and subscriptions: created, paid and charged by the gateway, and changed by their
// caller.
import { savedCardToken } from './charge_inputs.ts'
import type { CampaignCaller } from './intents.ts'
import type { Scene } from './scene.ts'

const INVOICE_PAID_SHARE = 0.5
const CYCLE_SHARE = 0.6
const DISABLE_SHARE = 0.4
const ENABLE_SHARE = 0.5
const CANCEL_SHARE = 0.3
const SUBSCRIPTION_AMOUNT = 50_000
/** A few days: the days that pass after the faults charge some of them. */
const CYCLES_MAX = 4
/** Past the days that pass on both clocks, so that no invoice becomes overdue. */
const DUE_DAYS = 20

export async function playInvoice(scene: Scene, caller: CampaignCaller): Promise<void> {
  const { deployment, client, random } = scene
  const { intents, witness } = deployment
  const due_date = new Date(Date.now() + DUE_DAYS * 86_400_000).toISOString().slice(0, 10)
  const answer = await intents.perform(client, {
    kind: 'invoice',
    caller,
    path: '/invoices/',
    body: (notes) => ({
      customer_name: 'Budi Santoso',
      customer_email: 'budi@example.com',
      due_date,
      items: [{ item_id: 'lamp', description: 'Lamp', price: 75_000, quantity: 2 }],
      notes,
    }),
  })
  const id = answer?.body['gateway_invoice_id']
  if (answer?.status === 201 && typeof id === 'string' && random.chance(INVOICE_PAID_SHARE))
    await witness.control(`invoices/${id}/pay`)
}

export async function playSubscription(scene: Scene, caller: CampaignCaller): Promise<void> {
  const { deployment, client, random } = scene
  const { intents, witness, parts } = deployment
  const token = await savedCardToken(parts.ctx.gateway).catch(() => 'none')
  const answer = await intents.perform(client, {
    kind: 'subscription',
    caller,
    path: '/subscriptions/',
    body: (intent_id) => ({
      name: 'Teh Harian',
      amount: SUBSCRIPTION_AMOUNT,
      payment_type: 'credit_card',
      token,
      interval: 1,
      interval_unit: 'day',
      max_interval: CYCLES_MAX,
      metadata: { intent_id },
    }),
  })
  if (answer?.status !== 201) return
  const target = String(answer.body['gateway_subscription_id'])
  const change = async (name: 'disable' | 'enable' | 'cancel') =>
    await intents.perform(client, {
      kind: `${name}_subscription`,
      caller,
      path: `/subscriptions/${String(answer.body['id'])}/${name}/`,
      target,
    })
  if (random.chance(CYCLE_SHARE)) await witness.control(`subscriptions/${target}/cycle`)
  if (random.chance(DISABLE_SHARE)) {
    const disabled = await change('disable')
    if (disabled?.status === 200 && random.chance(ENABLE_SHARE)) await change('enable')
  }
  if (random.chance(CANCEL_SHARE)) await change('cancel')
}
