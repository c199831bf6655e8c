// Calls whose answer never comes: the work was done or was not, and nobody said which. Callers are
// told "unknown" or the truth, never a guess; the resolver looks, and everything ends (F10).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readArguments } from './bench/arguments.ts'
import { chargeInput } from './bench/charge_inputs.ts'
import { Client } from './bench/client.ts'
import { deploy } from './bench/deployment.ts'
import type { LedgerCall } from './bench/gateway_witness.ts'
import { converge, heal } from './bench/heal.ts'
import { readBooks, readOpenWork } from './bench/our_books.ts'
import { seeded } from './bench/random.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'
import { judge } from './bench/verdict.ts'

const TIMEOUT_MS = 1_000
const LANES = 24
const TYPES = ['bank_transfer', 'echannel', 'cstore', 'qris', 'gopay', 'shopeepay'] as const
/** Lost before the work was done, after it, or made unreadable on the way. */
const EFFECTS = ['timeout_after', 'timeout_before', 'drop_after', 'drop_before', 'truncated_json']
/** Of each kind; together fewer than half, or the breaker would end the campaign. */
const SHARE = 0.08
const LOST_COMMIT_SHARE = 0.005
const FIRST_LOOK_MS_MAX = 10_000
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
})
const { witness, parts, apis, api_key, lines } = deployment
const urls = apis.map(({ url }) => url)
// No second try: what an unclear answer leaves behind is the resolver's, and it alone is measured.
const client = new Client({
  urls,
  api_key,
  random,
  rate: 200,
  timeout_ms: 15_000,
  persistent: false,
})
const charges: { id: string; order_id: string }[] = []
const refused_orders: string[] = []
const in_flight: number[] = []
let unclear = 0
const callers = { over: false }

async function lane(): Promise<void> {
  while (!callers.over) {
    const order_id = `u-${randomUUID()}`
    const body = chargeInput(random.pick(TYPES), { order_id })
    const wish = { method: 'POST', path: '/charge/', body, key: randomUUID() } as const
    const answer = await client.wish(wish)
    const id = String(answer?.body['id'])
    if (answer?.status === 201) {
      charges.push({ id, order_id })
      if (random.chance(0.3)) await action(id)
    } else if (answer?.status === 400) refused_orders.push(order_id)
    else unclear += 1
  }
}

/** Cancels are lost as charges are. */
async function action(id: string): Promise<void> {
  const path = `/payments/${id}/${random.pick(['cancel', 'expire'])}/`
  await client.wish({ method: 'POST', path, key: randomUUID() })
}

const lostReplies = (calls: readonly LedgerCall[]): LedgerCall[] =>
  calls.filter(({ fault, operation }) => fault !== undefined && operation !== 'get_status')

/** From each lost reply to the next time anybody asked about that order. */
function firstLooks(calls: readonly LedgerCall[]): (number | null)[] {
  const later = Map.groupBy(calls, ({ order_id }) => order_id ?? '')
  return lostReplies(calls).map(({ sequence, at, order_id = '' }) => {
    const next = later.get(order_id)?.find((call) => call.sequence > sequence)
    return next === undefined ? null : Date.parse(next.at) - Date.parse(at)
  })
}

const operation = (name: string, effect: string): object => ({
  effect,
  match: { operation: name },
  probability: SHARE,
})
for (const effect of EFFECTS) {
  for (const name of ['charge', 'cancel', 'expire'])
    await witness.control('faults', operation(name, effect))
}
lines.database.weather = { lost_commit_share: LOST_COMMIT_SHARE }
const began = performance.now()
const lanes = Array.from({ length: LANES }, lane)
for (;;) {
  await sleep(2_000)
  const lost = lostReplies(await witness.calls()).length
  in_flight.push(client.in_flight.get(urls[0] ?? '') ?? 0)
  progress(`${lost} replies lost`)
  if (lost >= given.n || performance.now() - began > given.seconds_max * 1_000) break
}
// The gateway goes away altogether with everything under way; callers give up; it returns.
lines.gateway.weather = { black_hole: true }
await sleep(2_000)
callers.over = true
await Promise.all([...lanes, sleep(given.quick ? 10_000 : 20_000)])
lines.gateway.weather = {}
lines.gateway.resetAll()
lines.database.weather = {}
await witness.heal()
const returned = performance.now()
const at_return = (await readOpenWork(parts.ctx.db)).operations
progress(`${at_return} operations open at the gateway's return`)
let resolved_ms: number | null = null
// The minute that a 404 must wait is real; the quick form lets the clocks jump over it instead.
while (!given.quick && resolved_ms === null && performance.now() - returned < WATCH_MS_MAX) {
  if ((await readOpenWork(parts.ctx.db)).operations === 0)
    resolved_ms = performance.now() - returned
  else await sleep(250)
}
const calls = await witness.calls()
const looks = firstLooks(calls)
const looked = looks.filter((ms) => ms !== null).toSorted((one, other) => one - other)
const longest = looked.at(-1) ?? 0
const { first_charge_ms } = await heal(deployment)
await converge(deployment)
const read = { db: parts.ctx.db, database_url: deployment.database_url, witness, first_charge_ms }
const acknowledged = { charges, refused_orders, queued_orders: [], refunds: [] }
const faults = judge(await readBooks({ ...read, acknowledged }))
report('unknown', given, {
  figures: [
    ...figuresOf(client),
    inFlightFigure(in_flight),
    {
      what: 'replies lost',
      measured: looks.length,
      goal: `≥ ${given.n}`,
      missed: looks.length < given.n,
    },
    { what: 'commits whose answer was lost', measured: lines.database.counts.lost_commits },
    { what: 'callers told that the outcome is unknown, or nothing', measured: unclear },
    {
      // A notification said it before anybody had to ask; what nothing ended would still be open.
      what: 'lost replies ended by a notification, without a look',
      measured: looks.length - looked.length,
    },
    {
      what: 'first look, median',
      measured: seconds(looked[Math.floor(looked.length / 2)] ?? null),
    },
    {
      what: 'first look, longest',
      measured: seconds(longest),
      goal: '≤ 10 s',
      timed: true,
      missed: longest > FIRST_LOOK_MS_MAX,
    },
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
})
await deployment.close()
