// Actors of a rush: each is something that one process, the payer or the gateway does.
import { randomUUID } from 'node:crypto'
import type { Parts } from '../../packages/service/src/main/compose.ts'
import { isUnavailable } from '../../packages/service/src/store/connection/errors.ts'
import type { Migration } from '../../packages/service/src/store/schema/migrate.ts'
import { resolveOperations } from '../../packages/service/src/services/sweeps/resolve_operations.ts'
import { AMOUNT, chargeInput } from '../bench/charge_inputs.ts'
import type { Intent } from '../bench/intents.ts'
import type { Charged, Scene } from '../bench/scene.ts'
import type { Api } from './callers.ts'
import type { Simulation } from './simulation.ts'

/** What a rush may do beside the calls of callers. */
export interface Course {
  sim: Simulation
  apis: readonly Api[]
  /** Starts a process that delivers events. */
  relay: (name: string) => Promise<void>
  /** Does the work of a process with this name. */
  within: (name: string, work: (parts: Parts) => Promise<unknown>) => Promise<void>
  /** From now on callers repeat a request so often. */
  patience: (repeats: number) => void
  /** Those of the service and those that the run has added. */
  migrations: Migration[]
  /** Reports a broken promise. */
  report: (what: string) => void
}

export type Actor = () => Promise<unknown>

const RESOLVED_MAX = 20

/** All at the same moment. */
export const together = async (actors: readonly Actor[]): Promise<void> =>
  void (await Promise.all(actors.map(async (actor) => await actor())))

/** Two of them at least. */
export function some({ random }: Scene, actors: readonly Actor[], share = 0.5): Actor[] {
  const chosen = actors.filter(() => random.chance(share))
  return chosen.length > 1 ? chosen : [random.pick(actors), random.pick(actors)]
}

/** What the payer or the gateway's dashboard does. */
export const control =
  ({ deployment }: Scene, path: string, body: object = {}): Actor =>
  async () =>
    await deployment.witness.control(path, body)

export const look =
  ({ client }: Scene, { id, caller }: Charged): Actor =>
  async () =>
    await client.wish({
      method: 'GET',
      path: `/payments/${id}/check_status/`,
      api_key: caller.api_key,
    })

/** The times pass one after the other. */
export const pass =
  ({ sim }: Course, ...times_ms: number[]): Actor =>
  async () => {
    for (const ms of times_ms) await sim.outside('time passes', async () => await sim.pass(ms))
  }

/** One of the APIs does nothing for so long, and then goes on. */
export const pause =
  ({ random }: Scene, { sim, apis }: Course, ms: number): Actor =>
  async () =>
    await sim.outside('a process pauses', async () => {
      sim.pauses.pause(random.pick(apis).owner, ms)
      await Promise.resolve()
    })

/** The gateway delivers one of its notifications again, late. */
export const lateCopy =
  ({ random }: Scene, { sim }: Course): Actor =>
  async () =>
    await sim.outside('a late copy', async () => {
      const { received } = sim.traffic
      if (received.length > 0) sim.traffic.receive({ ...random.pick(received), attempts: 0 })
      await Promise.resolve()
    })

export const resolveOpen =
  ({ within }: Course, name: string): Actor =>
  async () =>
    await within(name, async ({ ctx }) => {
      try {
        await resolveOperations(ctx, RESOLVED_MAX)
      } catch (error) {
        // As a worker's timer would, whose next round comes.
        if (!isUnavailable(error)) throw error
      }
    })

/** A charge that is not sent yet. */
export function beginCharge(
  { deployment, random }: Scene,
  { payment_type, order_id = `c-${randomUUID()}`, minted = false, ...more }: ChargeOrder,
): Intent {
  const chosen = minted ? {} : { order_id }
  return deployment.intents.begin({
    kind: 'charge',
    caller: random.pick(deployment.callers),
    path: '/charge/',
    amount: AMOUNT,
    ...(!minted && { chosen_order_id: order_id }),
    body: (intent_id) => chargeInput(payment_type, { ...chosen, metadata: { intent_id }, ...more }),
  })
}

interface ChargeOrder {
  payment_type: string
  order_id?: string
  minted?: boolean
  token_id?: string
}

export const send =
  ({ deployment, client }: Scene, intent: Intent): Actor =>
  async () =>
    await deployment.intents.send(client, intent)

export function beginRefund(
  { deployment, random }: Scene,
  { id, order_id, caller }: Charged,
  amount: number,
): Intent {
  const direct = random.chance(0.4)
  return deployment.intents.begin({
    kind: direct ? 'direct_refund' : 'refund',
    caller,
    path: `/payments/${id}/refund/`,
    target: order_id,
    amount,
    body: (reason) => ({ amount, reason, direct }),
  })
}
