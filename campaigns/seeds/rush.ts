// Short runs: one object is brought to a state without faults; then several actors in different
// processes work on it at the same moment, with few faults. A long run has few such moments. A seed
// plays six of them, one after the other: most of a seed's time is its start and its end.
import type { Scene } from '../bench/scene.ts'
import type { FaultShares } from './faults.ts'
import {
  rushCaptures,
  rushObjects,
  rushRefunds,
  rushRelay,
  rushSettlement,
  rushWebhooks,
} from './rush_actions.ts'
import { rushDays, rushGivenUp, rushLateCharge, rushOrders, rushSleeper } from './rush_charges.ts'
import { rushCheckout } from './rush_checkouts.ts'
import { rushMigration } from './rush_migrations.ts'
import type { Course } from './rush_actors.ts'

export interface Rush {
  faults_max: number
  /** An endpoint gets webhooks. */
  webhooks?: boolean
  /** Broken promises that it provokes on purpose. */
  expected?: RegExp
}

interface RushScenario {
  apis: number
  workers: number
  stories: number
  shares: FaultShares
  play: (scene: Scene, course: Course) => Promise<void>
  rush: Rush
}

const COMMITS: FaultShares = {
  'process dies before a commit': 0.04,
  'process dies after a commit': 0.04,
  'connection lost before a commit': 0.1,
  'reply to a commit lost': 0.1,
}
const REPLIES: FaultShares = {
  'gateway call lost before the work': 0.3,
  'gateway reply lost after the work': 0.4,
  'gateway answers 500 without the work': 0.1,
  'gateway answers 500 after the work': 0.3,
  'proxy answers 502 after the work': 0.3,
  'answer to a caller lost': 0.2,
}
const PAUSES: FaultShares = {
  'process pauses after a commit': 0.15,
  'process pauses before a reply of the gateway': 0.3,
}
const NOTICES: FaultShares = {
  'notification lost': 0.3,
  'notification doubled': 0.5,
  'gateway answers from a slow replica': 0.5,
}

const ROUNDS = 6

const rush = (
  play: RushScenario['play'],
  shares: FaultShares,
  more: Partial<Rush> = {},
): RushScenario => ({
  apis: 2,
  workers: 0,
  // The verdict leaves out what one charge provokes on purpose, and cannot count what several do.
  stories: more.expected === undefined ? ROUNDS : 1,
  shares,
  play,
  rush: { faults_max: 2, ...more },
})

/** Each is played by so many of the seeds. */
export const RUSHES: Readonly<Record<string, RushScenario>> = {
  settlement: rush(rushSettlement, { ...NOTICES, ...COMMITS }),
  refund_rush: rush(rushRefunds, { ...REPLIES, ...COMMITS }),
  late_charge: rush(
    rushLateCharge,
    { ...REPLIES, 'gateway reply lost after the work': 0.8 },
    { faults_max: 3 },
  ),
  capture_rush: rush(rushCaptures, { ...REPLIES, ...NOTICES }),
  sleeper: rush(rushSleeper, { ...REPLIES, ...COMMITS, ...PAUSES }, { faults_max: 3 }),
  relay_rush: rush(rushRelay, {
    'process dies after a commit': 0.04,
    'process pauses while it delivers an event': 0.3,
  }),
  webhook_rush: rush(
    rushWebhooks,
    {
      'process dies after a commit': 0.01,
      'reply to a commit lost': 0.03,
      'process pauses while it delivers an event': 0.3,
      'webhook lost on its way': 0.3,
      'reply to a webhook lost': 0.3,
      'receiver answers 500': 0.3,
    },
    { faults_max: 3, webhooks: true },
  ),
  migration_rush: rush(
    rushMigration,
    { ...COMMITS, 'process dies before a statement': 0.01 },
    { faults_max: 3 },
  ),
  given_up: rush(
    rushGivenUp,
    { 'gateway reply lost after the work': 1 },
    // The caller of the one charge was answered with what the gateway said for more than a minute.
    {
      faults_max: 1,
      expected:
        /^(?:charges called refused that were made|charge intents that were refused and carried out by the gateway|charges given up too early): 1,|^statuses of the gateway published too often: 1, such as payment_failed of/,
    },
  ),
  days_away: rush(rushDays, {}),
  checkout_rush: rush(rushCheckout, { ...REPLIES, ...NOTICES }),
  orders: rush(rushOrders, { ...REPLIES, 'gateway cannot be reached': 0.5 }),
  object_rush: rush(rushObjects, { ...REPLIES, ...COMMITS }),
}
