// Notifications not signed with the server key, and genuine ones repeated or with another status:
// none has an effect of its own, none causes a call to the gateway at once, and what they store is
// bounded.
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
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
import { report } from './bench/report.ts'
import type { KnownPayment } from './hostile/input.ts'
import { NoticeFloods, ROWS_PER_ORDER_MAX } from './hostile/notice_floods.ts'
import { canaryKey, openTarget, paymentOf, somePayments } from './hostile/target.ts'

/** Per order: below the limit of what is stored, so that each one is judged. */
const PER_ORDER = 100
/** Long enough for three sweeps of the worker, which come every minute. */
const WATCH_S = 190

const given = readArguments({ n: 100_000, quick_n: 1_000, seconds: 60 * 60 })
const random = seeded(given.seed)
const server_key = canaryKey()
const target = await openTarget({ seed: given.seed, random, server_key, second: 'confirming' })
const { deployment, world, port, second_port } = target
const url = `http://127.0.0.1:${port}`
const [key = ''] = world.keys
const floods = new NoticeFloods(target)

const share = (part: number): number => Math.max(10, Math.round(given.n * part))
/** As many payments as are needed for so many notifications. */
const enough = (count: number): number => Math.ceil(count / PER_ORDER)
const notices = new Map<string, Notice>()
const noticeOf = (one: KnownPayment | undefined): Notice => {
  if (one === undefined) throw new RangeError('there is no payment to notify about')
  const known = notices.get(one.id) ?? settlement(one, server_key)
  notices.set(one.id, known)
  return known
}
/** In turn, so that none has more than its share. */
const turn = (of: readonly KnownPayment[], at: number): Notice => noticeOf(of[at % of.length])
const MISFITS = ['deny', 'cancel', 'expire', 'pending', 'failure']
const misfit = (notice: Notice, note: number): object => ({
  ...notice,
  transaction_status: random.pick(MISFITS),
  note,
})
/** No two are equal, or the second would only be a duplicate. */
const another = (notice: Notice, note: number): object => ({ ...swapped(notice, random), note })

const pending = await somePayments(url, key, 20)
const elsewhere = settlement(
  { order_id: 'somebody-else-a', transaction_id: 'x', gross_amount: '10000.00' },
  server_key,
)
await floods.harmless(
  {
    name: 'forged',
    count: share(0.5),
    make: () => {
      const both = { genuine: noticeOf(random.pick(pending)), other: elsewhere }
      return forged(random.pick(FORGERY_NAMES), both, random)
    },
  },
  { rows_max: 0 },
)

const readings = pending.flatMap((one) => shifted(settlement(one, server_key)))
await floods.harmless(
  { name: 'boundary-shifted', count: share(0.05), make: () => random.pick(readings) },
  { rows_max: ROWS_PER_ORDER_MAX * new Set(readings.map(({ order_id }) => order_id)).size },
)

// Two orders whose signed texts are equal: the digits move between fields. The forger also knows
// the other order's transaction id.
const pairs: [KnownPayment, KnownPayment][] = []
for (let at = 0; at < enough(share(0.05)); at++) {
  const stem = `w${given.seed}-${at}x1`
  pairs.push([
    await paymentOf(url, key, { order_id: stem, gross_amount: 20_050_000 }),
    await paymentOf(url, key, { order_id: `${stem}200`, gross_amount: 50_000 }),
  ])
}
const wandered = pairs.flatMap(([long, short]) => {
  const asOther = (of: KnownPayment, to: KnownPayment): object | undefined => {
    const reading = shifted(noticeOf(of)).find(({ order_id }) => order_id === to.order_id)
    return reading && { ...reading, transaction_id: to.transaction_id }
  }
  return [asOther(long, short), asOther(short, long)].filter((one) => one !== undefined)
})
if (wandered.length !== pairs.length * 2)
  throw new Error('the two orders have no common signed text')
await floods.harmless(
  {
    name: "boundary-shifted to another order of ours, with that one's transaction id",
    count: share(0.05),
    make: (at) => ({ ...wandered[at % wandered.length], note: at }),
  },
  { rows_max: share(0.05), judged: true },
)

const settled = pending.slice(0, 10)
await floods.flood({ name: 'genuine', count: 10, make: (at) => noticeOf(settled[at]) })
await floods.harmless(
  { name: 'replayed', count: share(0.2), make: () => noticeOf(random.pick(settled)) },
  { rows_max: ROWS_PER_ORDER_MAX * settled.length },
)

const paid = await somePayments(url, key, enough(share(0.05)))
await floods.flood({ name: 'genuine', count: paid.length, make: (at) => noticeOf(paid[at]) })
await floods.harmless(
  {
    name: 'replayed with another unsigned field',
    count: share(0.05),
    make: (at) => ({ ...turn(paid, at), note: at }),
  },
  { rows_max: share(0.05), judged: true },
)

const unsettled = await somePayments(url, key, enough(share(0.05)))
await floods.harmless(
  {
    name: 'a status whose code does not fit',
    count: share(0.05),
    make: (at) => misfit(turn(unsettled, at), at),
  },
  { rows_max: share(0.05), judged: true },
)

const untouched = await somePayments(url, key, enough(share(0.1)))
await floods.harmless(
  {
    name: 'another word of the 200 class, confirming',
    count: share(0.1),
    to: second_port,
    make: (at) => another(turn(untouched, at), at),
  },
  { rows_max: share(0.1), judged: true },
)

if (!given.quick) {
  let note = 0
  const [some, others] = [await somePayments(url, key, 10), await somePayments(url, key, 10)]
  await floods.looks(
    [...some, ...others],
    [
      { name: 'misfit, beside a worker', count: 10, make: (at) => misfit(turn(some, at), note++) },
      {
        name: 'another word, beside a worker',
        count: 10,
        to: second_port,
        make: (at) => another(turn(others, at), note++),
      },
    ],
    WATCH_S,
  )
}
await floods.stored()
const { faults, figures, answers } = floods
const { broken } = await verifyDatabase(deployment.database_url, { schema: deployment.schema })
for (const { id, promise, violations } of broken)
  faults.push(`${id} broken by ${violations}: ${promise}`)
for (const { errors: count, last_error } of await target.stats())
  if (count > 0) faults.push(`${count} failures of our own: ${last_error}`)
figures.push({ what: 'answers', measured: answers })
report('forged', given, { figures, faults })
await target.close()
