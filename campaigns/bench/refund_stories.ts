// Refunds of one payment: several partial ones, direct ones, and those that a second staff member
// must approve, with concurrent repeats and refunds on the gateway's own dashboard.
import { setTimeout as sleep } from 'node:timers/promises'
import { AMOUNT } from './charge_inputs.ts'
import { SECOND_PERSON_ABOVE } from './deployment.ts'
import { answerTo, type Intent } from './intents.ts'
import { picked, type Charged, type Scene } from './scene.ts'

const PARTIAL = new Set(['qris', 'gopay'])
const WHOLE = new Set(['shopeepay'])
const PAID_LOOKS_MAX = 8
const REFUND_MIX = { partial: 0.45, held: 0.2, dashboard: 0.1 }
/** All of them twice still fit into the payment: a double must be possible. */
const PARTIAL_REFUND = 20_000
const PARTIAL_REFUNDS_MAX = 3
const HELD_REFUND = SECOND_PERSON_ABOVE + 5_000
const DASHBOARD_REFUND = 5_000
const DIRECT_SHARE = 0.3
/** Sent a second time under the same key, while the first is in flight. */
const REPEATED_SHARE = 0.1
/** What a staff member does with a held refund; the rest waits until it expires. */
const DECISION_MIX = { approve: 0.45, approve_twice: 0.2, approve_and_repeat: 0.15, decline: 0.1 }

export async function waitUntilPaid(
  { deployment, client, isOver }: Scene,
  { id, order_id, caller }: Charged,
): Promise<void> {
  await deployment.witness.control(`transactions/${order_id}/pay`)
  const look = { method: 'GET', path: `/payments/${id}/`, api_key: caller.api_key } as const
  for (let looks = 0; looks < PAID_LOOKS_MAX && !isOver(); looks++) {
    const seen = await client.wish(look)
    if (seen?.body['is_paid'] === true) return
    await sleep(100)
  }
}

export async function playRefunds(scene: Scene, charged: Charged): Promise<void> {
  const { deployment, random, isOver } = scene
  const drawn = picked(random, REFUND_MIX)
  if (WHOLE.has(charged.payment_type) && drawn !== undefined)
    await holdRefund(scene, charged, { amount: AMOUNT })
  if (!PARTIAL.has(charged.payment_type)) return
  if (drawn === 'held') await holdRefund(scene, charged)
  if (drawn === 'dashboard' || drawn === 'held') {
    const path = `transactions/${charged.order_id}/refund`
    await deployment.witness.control(path, { amount: DASHBOARD_REFUND })
  }
  if (drawn === undefined || drawn === 'held') return
  const times = Math.floor(random.between(1, PARTIAL_REFUNDS_MAX + 1))
  // The first one always: in a short run most payments are paid when the load is over.
  for (let time = 0; time < times && (time === 0 || !isOver()); time++) await refund(scene, charged)
}

const orderOf = (
  { id, order_id, caller }: Charged,
  { kind, amount }: { kind: 'refund' | 'direct_refund' | 'approved_refund'; amount: number },
) => ({
  kind,
  caller,
  path: `/payments/${id}/refund/`,
  target: order_id,
  amount,
  body: (reason: string) => ({ amount, reason, direct: kind === 'direct_refund' }),
})

async function refund(scene: Scene, charged: Charged): Promise<void> {
  const { deployment, client, random } = scene
  const { intents } = deployment
  const kind = random.chance(DIRECT_SHARE) ? 'direct_refund' : 'refund'
  const intent = intents.begin(orderOf(charged, { kind, amount: PARTIAL_REFUND }))
  const send = async () => await intents.send(client, intent)
  await together(scene, random.chance(REPEATED_SHARE) ? [send, send] : [send])
}

interface HeldRefund {
  amount?: number
  decisions?: Readonly<Record<keyof typeof DECISION_MIX, number>>
}

const REQUEST = /refund request ([0-9a-f-]{36})/

/** Asks for a refund that needs a second staff member; then one decides. */
export async function holdRefund(
  scene: Scene,
  charged: Charged,
  { amount = HELD_REFUND, decisions = DECISION_MIX }: HeldRefund = {},
): Promise<void> {
  const { deployment, client, random } = scene
  const { intents, staff } = deployment
  const intent = intents.begin(orderOf(charged, { kind: 'approved_refund', amount }))
  const answer = await intents.send(client, intent)
  const request_id = REQUEST.exec(JSON.stringify(answer?.body['errors'] ?? ''))?.[1]
  if (request_id === undefined) return
  intent.held_in = request_id
  const path = `/staff/refund_requests/${request_id}`
  const drawn = picked(random, decisions)
  if (drawn === undefined) return
  if (drawn === 'decline') {
    const body = { reason: 'not agreed to' }
    const { api_key } = staff
    await client.wish({ method: 'POST', path: `${path}/decline/`, body, api_key })
    return
  }
  intent.approval_path = `${path}/approve/`
  const agree = async () => await approve(scene, intent)
  const repeat = async () => await intents.send(client, intent)
  await together(scene, [
    agree,
    ...(drawn === 'approve_twice' ? [agree] : []),
    ...(drawn === 'approve_and_repeat' ? [repeat] : []),
  ])
}

/** Concurrently, or one after the other where the same request must not be in flight twice. */
async function together(
  { concurrent_repeats }: Scene,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (concurrent_repeats) await Promise.all(steps.map(async (step) => await step()))
  else for (const step of steps) await step()
}

/** Approves a held refund, for the first time or again. */
export async function approve(
  { deployment, client }: Pick<Scene, 'deployment' | 'client'>,
  intent: Intent,
): Promise<void> {
  if (intent.approval_path === null) return
  await client.wish({
    method: 'POST',
    path: intent.approval_path,
    body: { reason: 'agreed to' },
    api_key: deployment.staff.api_key,
    onSend: () => {
      const onAnswer = answerTo(intent)
      return (answer) => {
        if (answer?.body['code'] === 'invalid_request') throw new Error(JSON.stringify(answer.body))
        onAnswer(answer)
      }
    },
  })
}
