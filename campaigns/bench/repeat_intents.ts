// Callers repeat their intents long after the service has deleted the keys: a day and eight days
// later, with maintenance in between. One intent has one effect for ever.
import { runMaintenance } from '../../packages/service/src/services/sweeps/run_maintenance.ts'
import { Client } from './client.ts'
import type { Deployment } from './deployment.ts'
import { converge } from './heal.ts'
import { judgeIntents } from './intent_verdict.ts'
import type { Intent, IntentKind } from './intents.ts'
import { seeded, type Random } from './random.ts'
import { progress, type Figure } from './report.ts'
import { approve } from './refund_stories.ts'

const HOUR_MINUTES = 60
/** When callers repeat, in hours after the end of the load. */
const REPEATED_AFTER_HOURS = [25, 8 * 24]
const CONCURRENCY = 8
const RATE = 200
const TIMEOUT_MS = 15_000
const DRAIN_MS_MAX = 120_000

/** A second effect of these moves money or makes an object: all are repeated, up to a bound. */
const FIRST: ReadonlySet<IntentKind> = new Set<IntentKind>([
  'refund',
  'direct_refund',
  'approved_refund',
  'capture',
  'approve',
  'subscription',
  'invoice',
])
/** A job is repeated by its queue, not by its caller. */
const NEVER: ReadonlySet<IntentKind> = new Set<IntentKind>(['queued_charge'])
/** The share of all other intents among the repeated ones. */
const OTHERS_SHARE = 0.25

/** Moves both clocks and repeats intents twice; nothing is open afterwards. */
export async function repeatOldIntents(
  deployment: Deployment,
  { seed, most }: { seed: number; most: number },
): Promise<{ figures: Figure[] }> {
  const urls = deployment.apis.map(({ url }) => url)
  const { api_key } = deployment
  const random = seeded(seed)
  const client = new Client({ urls, api_key, random, rate: RATE, timeout_ms: TIMEOUT_MS })
  const intents = [...deployment.intents.all]
  // Judged before the repeats too, to separate what they break from what the faults broke.
  const before = judgeIntents(intents, await deployment.witness.effects())
  let passed = 0
  let sent = 0
  for (const hours of REPEATED_AFTER_HOURS) {
    await deployment.pass((hours - passed) * HOUR_MINUTES)
    passed = hours
    const { replies_purged } = await runMaintenance(deployment.parts.ctx)
    const repeated = sampleOf(intents, random, most)
    progress(`${hours} hours later: ${replies_purged} replies purged, ${repeated.length} repeated`)
    client.deadline = performance.now() + DRAIN_MS_MAX
    await repeatAll(deployment, client, repeated)
    sent += repeated.length
  }
  await converge(deployment)
  return {
    figures: [
      {
        what: 'promises about intents broken before the repeats',
        measured: before.map((sentence) => sentence.split(', such as')[0]).join('; ') || 'none',
      },
      { what: 'intents repeated a day and eight days later', measured: sent },
      { what: 'answers to them', measured: answersOf(client) },
    ],
  }
}

function sampleOf(intents: readonly Intent[], random: Random, most: number): Intent[] {
  const isFirst = ({ kind, chosen_order_id }: Intent): boolean =>
    FIRST.has(kind) || (kind === 'charge' && chosen_order_id === null)
  const shuffled = intents
    .filter(({ kind }) => !NEVER.has(kind))
    .map((intent) => ({ intent, place: random.fraction() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ intent }) => intent)
  const others = shuffled.filter((intent) => !isFirst(intent)).slice(0, most * OTHERS_SHARE)
  const first = inTurns(shuffled.filter(isFirst)).slice(0, most - others.length)
  return [...first, ...others]
}

/** One of each kind, then the next of each, so that a bound cuts off no kind. */
function inTurns(intents: readonly Intent[]): Intent[] {
  const kinds = [...Map.groupBy(intents, ({ kind }) => kind).values()]
  const longest = Math.max(0, ...kinds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) =>
    kinds.flatMap((list) => list.slice(at, at + 1)),
  ).flat()
}

async function repeatAll(
  deployment: Deployment,
  client: Client,
  intents: readonly Intent[],
): Promise<void> {
  const waiting = intents.values()
  const repeatNext = async (): Promise<void> => {
    for (const intent of waiting) {
      await deployment.intents.send(client, intent)
      if (intent.approval_path !== null) await approve({ deployment, client }, intent)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, repeatNext))
}

const answersOf = ({ statuses }: Client): string =>
  [...statuses].map(([status, times]) => `${status}: ${times}`).join(', ')
