// What the callers, payers and staff of a run do, and which faults it has more of.
import { AMOUNT, CARDS, cardToken } from '../bench/charge_inputs.ts'
import { playCheckout } from '../bench/checkout_stories.ts'
import { playInvoice, playSubscription } from '../bench/object_stories.ts'
import { act, charge, playPayment } from '../bench/payment_stories.ts'
import { playRefunds, waitUntilPaid } from '../bench/refund_stories.ts'
import type { Charged, Scene } from '../bench/scene.ts'
import type { FaultShares } from './faults.ts'
import { RUSHES, type Rush } from './rush.ts'
import type { Course } from './rush_actors.ts'

interface Scenario {
  apis: number
  workers: number
  stories: number
  shares: FaultShares
  play: (scene: Scene, course: Course) => Promise<void>
  /** A short run: its setting is made without faults, then everything happens at once. */
  rush?: Rush
  /** Callers repeat their keys a day and eight days later, after maintenance. */
  repeats_later?: boolean
}

export interface SeedOrder {
  seed: number
  scenario: string
  apis: number
  workers: number
  stories: number
  /** The number of the last step with a fault. */
  faults_until: number
}

const REFUND_AMOUNT = 60_000
const REFUNDS = 3
const DASHBOARD_REFUND = 5_000

export const LONG_SCENARIOS: Readonly<Record<string, Scenario>> = {
  charges: { apis: 2, workers: 1, stories: 3, shares: {}, play: playPayment },
  refunds: { apis: 2, workers: 1, stories: 2, shares: {}, play: playRefundRace },
  webhooks: {
    apis: 2,
    workers: 1,
    stories: 2,
    shares: { 'notification doubled': 0.5, 'notification lost': 0.3 },
    play: playActionRace,
  },
  resolver: {
    apis: 2,
    workers: 2,
    stories: 2,
    shares: {
      'gateway call lost before the work': 0.2,
      'gateway reply lost after the work': 0.3,
      'clock jumps': 0.02,
    },
    play: playPayment,
  },
  deaths: {
    apis: 3,
    workers: 2,
    stories: 3,
    shares: {
      'process dies before a statement': 0.005,
      'process dies before a commit': 0.06,
      'process dies after a commit': 0.08,
      'connection lost before a commit': 0.04,
      'reply to a commit lost': 0.06,
    },
    play: playPayment,
  },
  relay: {
    apis: 1,
    workers: 3,
    stories: 3,
    shares: { 'clock jumps': 0.02, 'process dies after a commit': 0.05 },
    play: playActionRace,
  },
  captures: { apis: 2, workers: 1, stories: 2, shares: {}, play: playCaptureRace },
  approvals: { apis: 2, workers: 1, stories: 2, shares: {}, play: playApprovals },
  pauses: {
    apis: 3,
    workers: 2,
    stories: 2,
    shares: { 'process pauses': 0.03, 'clock jumps': 0.02 },
    play: async (scene) =>
      await scene.random.pick([playRefundRace, playActionRace, playPayment])(scene),
  },
  objects: { apis: 2, workers: 1, stories: 3, shares: {}, play: playObjects },
  days: {
    apis: 2,
    workers: 1,
    stories: 2,
    shares: {
      'gateway call lost before the work': 0.3,
      'gateway reply lost after the work': 0.4,
      'answer to a caller lost': 0.3,
    },
    play: async (scene) =>
      await scene.random.pick([playRefundRace, playApprovals, playPayment])(scene),
    repeats_later: true,
  },
}

const SCENARIOS: Readonly<Record<string, Scenario>> = { ...LONG_SCENARIOS, ...RUSHES }

/** The scenario of this name. */
export function scenarioOf({ scenario }: { scenario: string }): Scenario {
  const found = SCENARIOS[scenario]
  if (found === undefined) throw new RangeError(`no scenario is named ${scenario}`)
  return found
}

async function chargeWaiting(scene: Scene, payment_type: string): Promise<Charged | undefined> {
  const caller = scene.random.pick(scene.deployment.callers)
  return await charge(scene, caller, { payment_type })
}

/** More refunds at the same time than the payment has money for, one of them at the gateway. */
async function playRefundRace(scene: Scene): Promise<void> {
  const { deployment, client, random } = scene
  const charged = await chargeWaiting(scene, random.pick(['gopay', 'qris']))
  if (charged === undefined) return
  await waitUntilPaid(scene, charged)
  const { id, order_id, caller } = charged
  const refund = async (): Promise<unknown> =>
    await deployment.intents.perform(client, {
      kind: 'refund',
      caller,
      path: `/payments/${id}/refund/`,
      target: order_id,
      amount: REFUND_AMOUNT,
      body: (reason) => ({ amount: REFUND_AMOUNT, reason }),
    })
  const dashboard = async (): Promise<unknown> =>
    await deployment.witness.control(`transactions/${order_id}/refund`, {
      amount: random.chance(0.3) ? AMOUNT : DASHBOARD_REFUND,
    })
  const refunds = Array.from({ length: REFUNDS }, async () => await refund())
  await Promise.all([...refunds, ...(random.chance(0.5) ? [dashboard()] : [])])
}

/** The payer, the gateway's dashboard and two requests of the caller act on one payment. */
async function playActionRace(scene: Scene): Promise<void> {
  const { deployment, client, random } = scene
  const charged = await chargeWaiting(scene, random.pick(['bank_transfer', 'gopay', 'qris']))
  if (charged === undefined) return
  const { id, order_id, caller } = charged
  const { api_key } = caller
  const control = async (what: string): Promise<unknown> =>
    await deployment.witness.control(`transactions/${order_id}/${what}`)
  const look = async (): Promise<unknown> =>
    await client.wish({ method: 'GET', path: `/payments/${id}/check_status/`, api_key })
  const ways = [
    async () => await control('pay'),
    async () => await control('cancel'),
    async () => await act(scene, charged, 'cancel'),
    async () => await act(scene, charged, 'expire'),
    look,
    look,
  ]
  const chosen = ways.filter(() => random.chance(0.6))
  await Promise.all(chosen.map(async (way) => await way()))
}

/** A card is authorized; then it is captured twice, cancelled and looked at, at the same time. */
async function playCaptureRace(scene: Scene): Promise<void> {
  const { deployment, client, random } = scene
  const caller = random.pick(deployment.callers)
  const challenged = random.chance(0.4)
  const number = challenged ? CARDS.challenged : CARDS.accepted
  const token_id = await cardToken(deployment.parts.ctx.gateway, number).catch(() => 'none')
  const card = { payment_type: 'credit_card', token_id, ...(!challenged && { capture: false }) }
  const charged = await charge(scene, caller, card)
  if (charged === undefined) return
  const { id, order_id } = charged
  const { intents, staff } = deployment
  const capture = (amount: number) => async () =>
    await intents.perform(client, {
      kind: 'capture',
      caller,
      path: `/payments/${id}/capture/`,
      target: order_id,
      amount,
      body: () => ({ amount }),
    })
  const decide = (kind: 'approve' | 'deny') => async () =>
    await intents.perform(client, {
      kind,
      caller: staff,
      path: `/staff/payments/${id}/${kind}/`,
      target: order_id,
      body: () => ({ reason: 'looked at' }),
    })
  const look = async (): Promise<unknown> =>
    await client.wish({
      method: 'GET',
      path: `/payments/${id}/check_status/`,
      api_key: caller.api_key,
    })
  const ways = challenged
    ? [decide('approve'), decide('approve'), decide('deny'), look]
    : [capture(AMOUNT), capture(AMOUNT), look, async () => await act(scene, charged, 'cancel')]
  const chosen = ways.filter(() => random.chance(0.7))
  await Promise.all(chosen.map(async (way) => await way()))
}

/** Partial, direct and held refunds of one payment at the same time, with their approvals. */
async function playApprovals(scene: Scene): Promise<void> {
  const charged = await chargeWaiting(scene, scene.random.pick(['gopay', 'qris']))
  if (charged === undefined) return
  await waitUntilPaid(scene, charged)
  await Promise.all([playRefunds(scene, charged), playRefunds(scene, charged)])
}

async function playObjects(scene: Scene): Promise<void> {
  const { random, deployment } = scene
  const play = random.pick([playInvoice, playSubscription, playCheckout, playCheckout])
  await play(scene, random.pick(deployment.callers))
}
