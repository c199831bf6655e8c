// What the callers, payers and staff of a run do, and which faults it has more of.
import { AMOUNT } from '../bench/charge_inputs.ts'
import { act, charge, playPayment } from '../bench/payment_stories.ts'
import { waitUntilPaid } from '../bench/refund_stories.ts'
import type { Charged, Scene } from '../bench/scene.ts'
import type { FaultShares } from './faults.ts'

interface Scenario {
  apis: number
  workers: number
  stories: number
  shares: FaultShares
  play: (scene: Scene) => Promise<void>
}

const REFUND_AMOUNT = 60_000
const REFUNDS = 3
const DASHBOARD_REFUND = 5_000

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
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
}

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
