// Notifications nobody with the key has signed, and genuine ones said again or with another word:
// none has an effect of its own, none makes us ask the gateway at once, and what they leave on disk
// is bounded.
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { withReadTransaction } from '../packages/service/src/store/transaction.ts'
import { readArguments } from './bench/arguments.ts'
import {
  FORGERY_NAMES,
  forged,
  settlement,
  shifted,
  swapped,
  type Notice,
} from './bench/forgeries.ts'
import { seeded } from './bench/random.ts'
import { progress, report, type Figure } from './bench/report.ts'
import { render, type KnownPayment } from './hostile/input.ts'
import { Line } from './hostile/lines.ts'
import { canaryKey, openTarget, paymentOf, somePayments } from './hostile/target.ts'

const LINES = 6
const DEPTH = 8
/** Of one order in a day (D-128), and what the batches under way may add to it. */
const ROWS_PER_ORDER_MAX = 300
const LOOK_EVERY_MS = 10_000
/** Long enough for a sweep of the worker, which comes every minute. */
const WATCH_MS = 65_000

const given = readArguments({ n: 100_000, quick_n: 2_000 })
const random = seeded(given.seed)
const server_key = canaryKey()
const target = await openTarget({ seed: given.seed, random, server_key, second: 'confirming' })
const { deployment, world, port, second_port } = target
const { db } = deployment.parts.ctx
const url = `http://127.0.0.1:${port}`
const [key = ''] = world.keys
const faults: string[] = []
const figures: Figure[] = []
const statuses = new Map<string, number>()

interface Counts {
  versions: number
  transitions: number
  events: number
  notifications: number
  calls: number
}

async function counted(): Promise<Counts> {
  const [row] = await withReadTransaction(
    db,
    async (tx) =>
      await tx.query<Omit<Counts, 'calls'>>(
        `select
           (select coalesce(sum(version), 0)::int from gapura.gateway_payment) as versions,
           (select count(*)::int from gapura.gateway_transition) as transitions,
           (select count(*)::int from gapura.gateway_event) as events,
           (select count(*)::int from gapura.gateway_notification) as notifications`,
      ),
  )
  if (row === undefined) throw new Error('no counts')
  return { ...row, calls: (await deployment.witness.calls()).length }
}

interface Flood {
  name: string
  count: number
  to?: number
  make: (at: number) => object
}

/** Sends what is made, as many as told, through connections that do not wait. */
async function flood({ name, count, to = port, make }: Flood): Promise<void> {
  const lines = Array.from({ length: LINES }, () => new Line(to))
  let next = 0
  const lane = async (line: Line): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const body = JSON.stringify(make(at))
      const heard = await line.send(render({ path: '/notification/', body }))
      const status = `${name} ${typeof heard === 'string' ? heard : heard.status}`
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (typeof heard !== 'string' && heard.status >= 500) faults.push(`${status}: ${heard.body}`)
    }
  }
  const began = performance.now()
  const lanes = lines.flatMap((line) => Array.from({ length: DEPTH }, async () => await lane(line)))
  await Promise.all(lanes)
  for (const line of lines) line.close()
  progress(`${count} ${name} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}

/** The flood, and what it changed: nothing but so many rows. */
async function harmless(order: Flood, rows_max: number): Promise<void> {
  // What the charges themselves brought must have come before.
  await sleep(1_500)
  const before = await counted()
  await flood(order)
  const after = await counted()
  const effects =
    after.transitions -
    before.transitions +
    after.events -
    before.events +
    after.versions -
    before.versions
  const rows = after.notifications - before.notifications
  const calls = after.calls - before.calls
  const { name, count } = order
  figures.push({
    what: `${name}, ${count} of them: effects, calls of the gateway, rows`,
    measured: `${effects}, ${calls}, ${rows}`,
    goal: `0, 0, ≤ ${rows_max}`,
    missed: effects !== 0 || calls !== 0 || rows > rows_max,
  })
  if (effects !== 0) faults.push(`${name} had effects: ${effects}`)
  if (calls !== 0) faults.push(`${name} made us call the gateway: ${calls}`)
}

/** With a worker that sweeps: how often the gateway was asked about one payment. */
async function looks(orders: readonly KnownPayment[], seconds: number): Promise<void> {
  const from = (await deployment.witness.calls()).length
  const worker = await target.startWorker()
  const began = performance.now()
  while (performance.now() - began < seconds * 1_000) {
    const make = (): object => misfit(random.pick(orders))
    await flood({ name: 'misfit, beside a worker', count: 50, make })
    await sleep(2_000)
  }
  const calls = (await deployment.witness.calls()).slice(from)
  await worker.stop()
  const ours = new Set(orders.map(({ order_id }) => order_id))
  const asked = Map.groupBy(
    calls.filter(({ order_id }) => ours.has(order_id ?? '')),
    ({ order_id }) => order_id ?? '',
  )
  const most = Math.max(0, ...[...asked.values()].map((all) => all.length))
  const allowed = 1 + Math.floor((performance.now() - began) / LOOK_EVERY_MS)
  const in_all = [...asked.values()].reduce((sum, all) => sum + all.length, 0)
  figures.push({
    what: `looks at one payment in ${seconds} s of misfits beside a worker (${in_all} in all)`,
    measured: most,
    goal: `≤ ${allowed}`,
    missed: most > allowed,
  })
  if (most > allowed) faults.push(`one payment was asked about ${most} times in ${seconds} s`)
}

const share = (part: number): number => Math.max(10, Math.round(given.n * part))
const pending = await somePayments(url, key, 20)
const notices = new Map(pending.map((one) => [one.id, settlement(one, server_key)]))
const noticeOf = (one: KnownPayment): Notice => notices.get(one.id) ?? settlement(one, server_key)
const misfit = (one: KnownPayment): object => ({
  ...noticeOf(one),
  transaction_status: random.pick(['deny', 'cancel', 'expire', 'pending', 'failure']),
})
const elsewhere = settlement(
  { order_id: 'somebody-else-a', transaction_id: 'x', gross_amount: '10000.00' },
  server_key,
)

await harmless(
  {
    name: 'forged',
    count: share(0.5),
    make: () => {
      const both = { genuine: noticeOf(random.pick(pending)), other: elsewhere }
      return forged(random.pick(FORGERY_NAMES), both, random)
    },
  },
  0,
)

// Two orders of which each can be read out of the other's signature: the digits wander.
const stem = `w${given.seed}-1`
const pair = [
  await paymentOf(url, key, { order_id: stem, gross_amount: 20_050_000 }),
  await paymentOf(url, key, { order_id: `${stem}200`, gross_amount: 50_000 }),
]
const readings = [...pair, ...pending].flatMap((one) => shifted(settlement(one, server_key)))
await harmless(
  { name: 'boundary-shifted', count: share(0.1), make: () => random.pick(readings) },
  ROWS_PER_ORDER_MAX * new Set(readings.map(({ order_id }) => order_id)).size,
)

const settled = pending.slice(0, 10)
const unsettled = pending.slice(10)
await flood({
  name: 'genuine',
  count: 10,
  make: (at) => noticeOf(settled[at] ?? random.pick(pair)),
})
await harmless(
  { name: 'replayed', count: share(0.2), make: () => noticeOf(random.pick(settled)) },
  ROWS_PER_ORDER_MAX * settled.length,
)
await harmless(
  {
    name: 'replayed with another unsigned field',
    count: share(0.05),
    make: (at) => ({ ...noticeOf(random.pick(settled)), note: String(at) }),
  },
  ROWS_PER_ORDER_MAX * settled.length,
)
await harmless(
  {
    name: 'a status whose code does not fit',
    count: share(0.05),
    make: () => misfit(random.pick(unsettled)),
  },
  ROWS_PER_ORDER_MAX * unsettled.length,
)
// Others than those above: of those enough is kept by now.
const untouched = await somePayments(url, key, 10)
await harmless(
  {
    name: 'another word of the 200 class, confirming',
    count: share(0.1),
    to: second_port,
    make: () => swapped(noticeOf(random.pick(untouched)), random),
  },
  ROWS_PER_ORDER_MAX * untouched.length,
)
if (!given.quick) await looks(unsettled, WATCH_MS / 1_000)
const { broken } = await verifyDatabase(deployment.database_url, { schema: deployment.schema })
for (const { id, promise, violations } of broken)
  faults.push(`${id} broken by ${violations}: ${promise}`)
const errors = await target.stats()
for (const { errors: count, last_error } of errors)
  if (count > 0) faults.push(`${count} failures of our own: ${last_error}`)
figures.push({
  what: 'answers',
  measured: [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '),
})
report('forged', given, { figures, faults })
await target.close()
