// Rushes about a payment that exists: notifications, refunds, captures and events.
import { AMOUNT, CARDS, cardToken } from '../bench/charge_inputs.ts'
import { playInvoice, playSubscription } from '../bench/object_stories.ts'
import { act, charge } from '../bench/payment_stories.ts'
import { holdRefund, playRefunds, waitUntilPaid } from '../bench/refund_stories.ts'
import type { Charged, Scene } from '../bench/scene.ts'
import { RECEIVER_URL } from './receivers.ts'
import type { Course } from './rush_actors.ts'
import {
  beginRefund,
  control,
  lateCopy,
  look,
  pass,
  pause,
  resolveOpen,
  send,
  some,
  together,
  type Actor,
} from './rush_actors.ts'

const REFUND_AMOUNT = 60_000
const DASHBOARD_REFUND = 5_000
/** Of a held refund whose approval meets a second one, or a repeat of the request. */
const DECISIONS = { approve: 0.2, approve_twice: 0.5, approve_and_repeat: 0.2, decline: 0.1 }
const INVOICE_LOOKS_MAX = 30
const WAITING = ['bank_transfer', 'echannel', 'gopay', 'qris']

/** A payment that waits for its payer; undefined does not happen before the faults. */
export async function waiting(scene: Scene, types = WAITING): Promise<Charged | undefined> {
  const { deployment, random } = scene
  return await charge(scene, random.pick(deployment.callers), { payment_type: random.pick(types) })
}

/** The payer pays; then the dashboard may refund twice, and the provider take the money back. */
export function pays(scene: Scene, { order_id, payment_type }: Charged): Actor {
  const { random } = scene
  const refund = control(scene, `transactions/${order_id}/refund`, { amount: DASHBOARD_REFUND })
  const reverse = control(scene, `transactions/${order_id}/reverse`)
  return async () => {
    await control(scene, `transactions/${order_id}/pay`)()
    if (payment_type === 'echannel' && random.chance(0.4)) await reverse()
    if (random.chance(0.7)) await refund()
    if (random.chance(0.7)) await refund()
  }
}

/** Payer, dashboard, callers and notifications about one waiting payment. */
export async function rushSettlement(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const charged = await waiting(scene)
  if (charged === undefined) return
  if (random.chance(0.5)) await look(scene, charged)()
  if (random.chance(0.4)) await course.relay('worker-1')
  const payer = random.chance(0.8) ? [pays(scene, charged)] : []
  // Several notifications arrive at the same moment.
  const { traffic } = course.sim
  traffic.held = random.pick(['no', 'to the rush', 'to the rush', 'to the end'] as const)
  if (traffic.held !== 'no') await together(payer.splice(0))
  course.sim.rush()
  const cancel: Actor = async () => await act(scene, charged, 'cancel')
  const expire: Actor = async () => await act(scene, charged, 'expire')
  const more = [
    control(scene, `transactions/${charged.order_id}/cancel`),
    cancel,
    cancel,
    expire,
    look(scene, charged),
    look(scene, charged),
    look(scene, charged),
    lateCopy(scene, course),
    lateCopy(scene, course),
    pass(course, 2_000, 20_000),
  ]
  await together([...payer, ...some(scene, more, 0.35)])
  // Asked once it has moved, by a process that has seen the last step.
  for (let looks = 0; looks < 2; looks++) if (random.chance(0.5)) await look(scene, charged)()
}

/** More refunds than the payment has money for, with their repeats and approvals. */
export async function rushRefunds(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const charged = await waiting(scene, ['gopay', 'qris'])
  if (charged === undefined) return
  await waitUntilPaid(scene, charged)
  if (random.chance(0.3)) await look(scene, charged)()
  course.sim.rush()
  const refund = (): Actor => send(scene, beginRefund(scene, charged, REFUND_AMOUNT))
  const repeated = send(scene, beginRefund(scene, charged, REFUND_AMOUNT))
  const amount = random.chance(0.3) ? AMOUNT : DASHBOARD_REFUND
  const dashboard = control(scene, `transactions/${charged.order_id}/refund`, { amount })
  const held: Actor = async () => await playRefunds(scene, charged)
  const approved: Actor = async () => await holdRefund(scene, charged, { decisions: DECISIONS })
  const first: Actor[] = random.pick([
    [refund(), refund(), refund()],
    [repeated, repeated, refund()],
    [held, refund()],
    [approved, refund()],
    [approved, look(scene, charged)],
    [repeated, dashboard],
  ])
  const more = [
    dashboard,
    held,
    look(scene, charged),
    look(scene, charged),
    lateCopy(scene, course),
    pass(course, 6_000, 17_000, 65_000),
    resolveOpen(course, 'resolver-1'),
  ]
  await together([...first, ...some(scene, more, 0.25)])
}

/** An authorized or challenged card: captures, decisions, a cancel and the settlement at once. */
export async function rushCaptures(scene: Scene, course: Course): Promise<void> {
  const { deployment, client, random } = scene
  const { intents, staff } = deployment
  const caller = random.pick(deployment.callers)
  const challenged = random.chance(0.3)
  const number = challenged ? CARDS.challenged : CARDS.accepted
  const token_id = await cardToken(deployment.parts.ctx.gateway, number)
  const card = { payment_type: 'credit_card', token_id, ...(!challenged && { capture: false }) }
  const charged = await charge(scene, caller, card)
  if (charged === undefined) return
  const { id, order_id } = charged
  course.sim.rush()
  const capture = (amount: number): Actor => {
    const path = `/payments/${id}/capture/`
    const order = { kind: 'capture', caller, path, target: order_id, amount } as const
    return async () => await intents.perform(client, { ...order, body: () => ({ amount }) })
  }
  const decide = (kind: 'approve' | 'deny'): Actor => {
    const path = `/staff/payments/${id}/${kind}/`
    const body = (): object => ({ reason: 'looked at' })
    const order = { kind, caller: staff, path, target: order_id, body }
    return async () => await intents.perform(client, order)
  }
  const cancel: Actor = async () => await act(scene, charged, 'cancel')
  const first = challenged
    ? [decide('approve'), decide('approve'), decide('deny')]
    : [capture(AMOUNT), capture(AMOUNT), capture(90_000)]
  const settles: Actor = async () => {
    await pass(course, 1_000)()
    await control(scene, `transactions/${order_id}/settle`)()
    if (random.chance(0.4)) await control(scene, `transactions/${order_id}/chargeback`)()
  }
  const more = [
    cancel,
    control(scene, `transactions/${order_id}/cancel`),
    look(scene, charged),
    look(scene, charged),
    settles,
    lateCopy(scene, course),
  ]
  await together([random.pick(first), ...some(scene, [...first, ...more], 0.35)])
  await together([pass(course, 65_000), resolveOpen(course, 'resolver-1')])
  await together([resolveOpen(course, 'resolver-1'), settles])
}

/** Several payments move while two processes take the lead of the relay from each other. */
export async function rushRelay(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const payments: Charged[] = []
  for (let at = 0; at < 2; at++) {
    const charged = await waiting(scene)
    if (charged !== undefined) payments.push(charged)
  }
  await course.relay('worker-1')
  if (random.chance(0.6)) await course.relay('worker-2')
  const payers = payments.map((charged) => pays(scene, charged))
  // Notifications of both arrive at the same moment, so that one transaction has both.
  if (random.chance(0.6)) {
    course.sim.traffic.held = 'to the rush'
    await together(payers.splice(0))
  }
  course.sim.rush()
  const actors = payments.flatMap((charged) => [
    look(scene, charged),
    async () => await act(scene, charged, random.pick(['cancel', 'expire'])),
  ])
  const time = pass(course, 60, 200, 400, 16_000, 500)
  const sleeping = random.chance(0.4) ? [pauseLeader(course)] : []
  await together([...payers, ...some(scene, actors, 0.6), time, ...sleeping])
}

const pauseLeader =
  ({ sim }: Course): Actor =>
  async () =>
    await sim.outside('a leader pauses', async () => {
      sim.pauses.pauseNamed('worker-1', 20_000)
      await Promise.resolve()
    })

/** Webhooks of two payments, of one owner or of two, while two processes may take the lead. */
export async function rushWebhooks(scene: Scene, course: Course): Promise<void> {
  const { random, deployment, client } = scene
  const { receivers } = course.sim
  const caller = (receivers.caller ??= random.pick(deployment.callers))
  const { api_key } = caller
  // The address is refused if there is such an endpoint already.
  const body = { url: RECEIVER_URL }
  await client.wish({ method: 'POST', path: '/webhook_endpoints/', body, api_key })
  await course.relay('worker-1')
  if (random.chance(0.6)) await course.relay('worker-2')
  const payment = { payment_type: random.pick(WAITING) }
  const payments = [
    await charge(scene, caller, payment),
    await charge(scene, random.pick([caller, ...deployment.callers]), payment),
  ].filter((charged) => charged !== undefined)
  course.sim.rush()
  const cancels = payments.map(
    (charged): Actor =>
      async () =>
        await act(scene, charged, 'cancel'),
  )
  const sleeps = random.chance(0.3) ? [pauseLeader(course)] : []
  const payers = payments.map((charged) => pays(scene, charged))
  const time = pass(course, 1_100, 200, 6_000, 16_000, 1_100, 70_000)
  await together([...payers, ...(random.chance(0.3) ? cancels : []), ...sleeps, time])
}

/** A payer has the gateway's mail about an invoice and pays at once, whether or not we know of it. */
function paysAtOnce({ deployment, random }: Scene, { sim }: Course): Actor {
  const { witness } = deployment
  return async () => {
    for (let looks = 0; looks < INVOICE_LOOKS_MAX; looks++) {
      const open = await sim.outside('a payer looks', async () => await witness.openInvoices())
      if (open.length > 0) {
        await witness.control(`invoices/${random.pick(open)}/pay`)
        return
      }
    }
  }
}

/** Invoices and subscriptions, with one process that pauses. */
export async function rushObjects(scene: Scene, course: Course): Promise<void> {
  const { random, deployment } = scene
  const caller = random.pick(deployment.callers)
  course.sim.rush()
  const play = random.pick([playInvoice, playInvoice, playSubscription])
  await together([
    async () => await play(scene, caller),
    async () => await playInvoice(scene, caller),
    ...(random.chance(0.6) ? [paysAtOnce(scene, course)] : []),
    ...(random.chance(0.3) ? [pause(scene, course, 20_000)] : []),
    ...(random.chance(0.5) ? [pass(course, 6_000, 17_000, 65_000)] : []),
    resolveOpen(course, 'resolver-1'),
  ])
}
