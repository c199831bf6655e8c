// Calls whose answer never arrives: the gateway may or may not have done the work. Callers get
// "unknown" or the truth, never a guess; the resolver looks, and every operation ends (F10).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readArguments } from './bench/arguments.ts'
import { AMOUNT, chargeInput } from './bench/charge_inputs.ts'
import { createCheckout } from './bench/checkout_stories.ts'
import { Client } from './bench/client.ts'
import { deploy } from './bench/deployment.ts'
import type { LedgerCall } from './bench/gateway_witness.ts'
import type { CampaignCaller } from './bench/intents.ts'
import { converge, heal } from './bench/heal.ts'
import { judgeRun } from './bench/judging.ts'
import { readOpenWork } from './bench/our_records.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'
import { storiesOf } from './bench/story.ts'

const TIMEOUT_MS = 1_000
const CONCURRENCY = 24
const MINTED_ORDER_SHARE = 0.4
const CHECKOUT_SHARE = 0.1
const REPEATED_MAX = 400
const REPEATED_QUICK_MAX = 40
const TYPES = ['bank_transfer', 'echannel', 'cstore', 'qris', 'gopay', 'shopeepay'] as const
/** Lost before the work was done, after it, or made unreadable on the way. */
const EFFECTS = ['timeout_after', 'timeout_before', 'drop_after', 'drop_before', 'truncated_json']
/** Of each kind; together fewer than half, or the circuit breaker would end the campaign. */
const SHARE = 0.08
const LOST_COMMIT_SHARE = 0.005
const FIRST_LOOK_MS_MAX = 10_000
/** The resolver's longest pause between looks at an unreachable gateway, and two rounds. */
const LOOK_AFTER_RETURN_MS_MAX = 40_000
const RESOLVED_MS_MAX = 60_000
const WATCH_MS_MAX = 150_000

const given = readArguments({ n: 2_000, quick_n: 20 })
const random = seeded(given.seed)
const deployment = await deploy({
  seed: given.seed,
  apis: 1,
  workers: 1,
  timeout_ms_max: TIMEOUT_MS,
  breaker_rest_ms: 250,
  broken: given.broken,
})
const { witness, parts, apis, api_key, lines, callers, intents, checkouts } = deployment
const urls = apis.map(({ url }) => url)
// The client does not retry: only the resolver acts on an unclear answer, and only it is measured.
const client = new Client({
  urls,
  api_key,
  random,
  rate: 200,
  timeout_ms: 15_000,
  persistent: false,
})
const in_flight: number[] = []
let unclear = 0
const load = { over: false }

async function sendCharges(): Promise<void> {
  while (!load.over) {
    const caller = random.pick(callers)
    if (random.chance(CHECKOUT_SHARE)) await openPage(caller)
    const chosen = random.chance(MINTED_ORDER_SHARE) ? undefined : `u-${randomUUID()}`
    const payment_type = random.pick(TYPES)
    const answer = await intents.perform(client, {
      kind: 'charge',
      caller,
      path: '/charge/',
      amount: AMOUNT,
      ...(chosen !== undefined && { chosen_order_id: chosen }),
      body: (intent_id) =>
        chargeInput(payment_type, {
          metadata: { intent_id },
          ...(chosen !== undefined && { order_id: chosen }),
        }),
    })
    const { id, order_id } = answer?.body ?? {}
    if (answer?.status === 201) {
      if (random.chance(0.3)) await action(caller, String(id), String(order_id))
    } else if (answer?.status !== 400) unclear += 1
  }
}

/** A page cannot be looked up: the resolver creates it again, and callers see one page. */
async function openPage(caller: CampaignCaller): Promise<void> {
  const order_id = `k-${randomUUID()}`
  const answer = await createCheckout({ client, log: checkouts, caller }, order_id)
  if (answer?.status !== 201 || random.chance(0.5)) return
  await witness.control(`checkouts/${order_id}/pay`, { method: 'bca_va' })
}

/** Answers to cancels are lost like those to charges. */
async function action(caller: CampaignCaller, id: string, target: string): Promise<void> {
  const kind = random.pick(['cancel', 'expire'] as const)
  await intents.perform(client, { kind, caller, path: `/payments/${id}/${kind}/`, target })
}

const lostReplies = (calls: readonly LedgerCall[]): LedgerCall[] =>
  calls.filter(({ fault, operation }) => fault !== undefined && operation !== 'get_status')

interface Look {
  order_id: string
  /** Until the next call about that order; null if there was none. */
  ms: number | null
}

interface Looks {
  looks: Look[]
  /** The gateway became unreachable before the goal had passed: counted from its return. */
  after_return: Look[]
  /** Repeats of a charge that was already found: its outcome was clear. */
  repeats: Look[]
}

/**
 * From each lost reply to the first look. Two kinds are counted apart, because the ledger does not
 * show the wait for a look. A charge that was already found is sent again only for its QR code or
 * link: if that reply is lost nothing is unclear, and the next call is the sweep's, minutes later.
 * A look at an unreachable gateway is in no ledger: for these the time from its return counts.
 */
function firstLooks(calls: readonly LedgerCall[], away: { from: number; to: number }): Looks {
  const found: Looks = { looks: [], after_return: [], repeats: [] }
  const of = Map.groupBy(calls, ({ order_id }) => order_id ?? '')
  for (const { sequence, at, operation, order_id = '' } of lostReplies(calls)) {
    if (operation === 'create_checkout') continue
    const others = of.get(order_id) ?? []
    const seen = others.some((call) => call.operation === 'get_status' && call.sequence < sequence)
    const next = others.find((call) => call.sequence > sequence)
    const lost_at = Date.parse(at)
    const next_at = next === undefined ? null : Date.parse(next.at)
    const look = { order_id, ms: next_at === null ? null : next_at - lost_at }
    const went = lost_at > away.from - FIRST_LOOK_MS_MAX
    if (operation === 'charge' && seen) found.repeats.push(look)
    else if (went && next_at !== null && next_at >= away.to)
      found.after_return.push({ order_id, ms: next_at - away.to })
    else found.looks.push(look)
  }
  return found
}

/** Longest first; without those that a notification ended before a look. */
const waitsOf = (looks: readonly Look[]): { order_id: string; ms: number }[] =>
  looks
    .flatMap(({ order_id, ms }) => (ms === null ? [] : [{ order_id, ms }]))
    .toSorted((one, other) => other.ms - one.ms)

const operation = (name: string, effect: string): object => ({
  effect,
  match: { operation: name },
  probability: SHARE,
})
for (const effect of EFFECTS) {
  for (const name of ['charge', 'cancel', 'expire', 'create_checkout'])
    await witness.control('faults', operation(name, effect))
}
lines.database.weather = { lost_commit_share: LOST_COMMIT_SHARE }
const began = performance.now()
const senders = Array.from({ length: CONCURRENCY }, sendCharges)
for (;;) {
  await sleep(2_000)
  const lost = lostReplies(await witness.calls()).length
  in_flight.push(client.in_flight.get(urls[0] ?? '') ?? 0)
  progress(`${lost} replies lost`)
  if (lost >= given.n || performance.now() - began > given.seconds_max * 1_000) break
}
// The gateway becomes unreachable during the load; callers give up; it returns.
const away = { from: Date.now(), to: 0 }
lines.gateway.weather = { black_hole: true }
await sleep(2_000)
load.over = true
await Promise.all([...senders, sleep(given.quick ? 10_000 : 20_000)])
lines.gateway.weather = {}
lines.gateway.resetAll()
lines.database.weather = {}
await witness.heal()
away.to = Date.now()
const returned = performance.now()
const at_return = (await readOpenWork(parts.ctx.db)).operations
progress(`${at_return} operations open at the gateway's return`)
let resolved_ms: number | null = null
// A 404 is believed only after a real minute; the quick form moves the clocks past it instead.
while (!given.quick && resolved_ms === null && performance.now() - returned < WATCH_MS_MAX) {
  if ((await readOpenWork(parts.ctx.db)).operations === 0)
    resolved_ms = performance.now() - returned
  else await sleep(250)
}
const calls = await witness.calls()
const { looks, after_return, repeats } = firstLooks(calls, away)
const waits = waitsOf(looks)
const longest = waits[0]?.ms ?? 0
const noticed_ms = waitsOf(after_return)[0]?.ms ?? 0
// The history of the longest waits, read before the clocks are moved.
const late = waits.filter(({ ms }) => ms > FIRST_LOOK_MS_MAX)
const sentences = late.map(({ order_id, ms }) => `${order_id} was looked at after ${seconds(ms)}`)
const histories = await storiesOf(sentences, { db: parts.ctx.db, witness })
const { first_charge_ms } = await heal(deployment)
await converge(deployment)
const lost_replies = lostReplies(calls).length
const repeated = await repeatOldIntents(deployment, {
  seed: given.seed + 2,
  most: given.quick ? REPEATED_QUICK_MAX : REPEATED_MAX,
})
const { faults, figures } = await judgeRun(deployment, first_charge_ms)
report('unknown', given, {
  figures: [
    ...figuresOf(client),
    inFlightFigure(in_flight),
    {
      what: 'replies lost',
      measured: lost_replies,
      goal: `≥ ${given.n}`,
      missed: lost_replies < given.n,
    },
    { what: 'commits whose answer was lost', measured: lines.database.counts.lost_commits },
    { what: 'callers answered that the outcome is unknown, or not at all', measured: unclear },
    {
      // A notification ended these first; an operation that nothing ended would still be open.
      what: 'lost replies ended by a notification, without a look',
      measured: looks.length - waits.length,
    },
    {
      what: 'lost replies to a repeat for instructions, of a charge seen before',
      measured: `${repeats.length}, asked about next after ${seconds(waitsOf(repeats)[0]?.ms ?? null)} at the longest`,
    },
    {
      what: 'first look, median',
      measured: seconds(waits[Math.floor(waits.length / 2)]?.ms ?? null),
    },
    {
      what: 'first look, longest',
      measured: seconds(longest),
      goal: '≤ 10 s',
      timed: true,
      missed: longest > FIRST_LOOK_MS_MAX,
    },
    {
      what: `first look after the gateway's return, longest of ${after_return.length} lost as it went`,
      measured: seconds(noticed_ms),
      goal: '≤ 40 s',
      timed: true,
      missed: noticed_ms > LOOK_AFTER_RETURN_MS_MAX,
    },
    ...figures,
    ...repeated.figures,
    { what: "operations open at the gateway's return", measured: at_return },
    {
      what: "all resolved after the gateway's return",
      measured: given.quick ? 'not measured' : seconds(resolved_ms),
      goal: '≤ 60 s',
      timed: true,
      missed: !given.quick && (resolved_ms === null || resolved_ms > RESOLVED_MS_MAX),
    },
  ],
  faults,
  stories: [...histories, ...(await storiesOf(faults, { db: parts.ctx.db, witness }))],
})
await deployment.close()
