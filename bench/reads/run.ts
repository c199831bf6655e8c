// `npm run bench reads`: lists and look-ups over HTTP at two sizes of the payments table, in turns,
// with equally many rows per owner: reads of one owner must not slow down as other owners grow.
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { NEWEST_FIRST } from '../../packages/service/src/http/platform/list.ts'
import { callersOf } from '../charge_requests.ts'
import { costOf, costTable, type Costed } from '../costs.ts'
import { readFlags } from '../flags.ts'
import { send, startProcess } from '../processes.ts'
import { goalOf, goalTable, plotOf, type Goal } from '../report.ts'
import {
  migrate,
  onStage,
  progress,
  serviceOrder,
  sizeOf,
  writeResults,
  type Stage,
} from '../stage.ts'
import { checkDiskSpace, fillPayments, ownersOf } from './fill.ts'
import { DEEP, NAMES, questionsOf, rowsOf, walk, type Shop } from './questions.ts'

const flags = readFlags({
  small: [1_000_000, 5_000],
  large: [10_000_000, 20_000],
  rounds: [5, 1],
  /** Requests per kind, size and round. */
  requests: [2_000, 100],
  /** Owners that are read; fewer where there are fewer. */
  owners: [1_000, 5],
  connections: [4, 4],
})

type Rounds = Record<string, Costed[]>

const caseOf = (name: string, payments: number): string =>
  `${name}, ${payments.toLocaleString('en')} payments`

/** Fills a schema, and makes keys for owners spread over all of it. */
async function openShop(stage: Stage, schema: string, payments: number): Promise<Shop> {
  const began = performance.now()
  await fillPayments(stage.pool, schema, payments)
  const gigabytes = (await sizeOf(stage.pool, schema)) / 1e9
  const seconds = (performance.now() - began) / 1_000
  progress(`${payments} payments: ${gigabytes.toFixed(2)} GB, filled in ${seconds.toFixed(0)} s`)
  const all = ownersOf(payments)
  const count = Math.min(flags.owners, all)
  const chosen = Array.from({ length: count }, (_, n) => Math.floor((n * all) / count))
  const place = { url: stage.url, schema }
  const keys = await callersOf(
    place,
    chosen.map((owner) => `owner-${owner}`),
  )
  const cursors = await cursorsOf(stage, schema, { payments, chosen })
  const owners = chosen.map((owner, at) => {
    const authorization = keys[at] ?? ''
    return { owner, authorization, cursor: cursors[at] ?? '' }
  })
  const { url, pid } = await startProcess('service_child.ts', serviceOrder(place))
  const [first, second] = owners
  if (first === undefined || second === undefined) throw new RangeError('fewer than two owners')
  await walk(url, first.authorization, rowsOf({ payments }, first.owner))
  const [n] = rowsOf({ payments }, first.owner)
  const foreign = { headers: { authorization: second.authorization } }
  const reply = await fetch(`${url}/payments/?order_id=order-${n}`, foreign)
  deepStrictEqual(((await reply.json()) as { results: unknown[] }).results, [], "another's row")
  return { payments, url, pid, owners }
}

/** The cursor before the deep page of each owner. */
async function cursorsOf(
  { pool }: Stage,
  schema: string,
  { payments, chosen }: { payments: number; chosen: readonly number[] },
): Promise<string[]> {
  const orders = chosen.map((owner) => `order-${rowsOf({ payments }, owner)[DEEP - 1]}`)
  const { rows } = await pool.query<{ id: string; created_at: Date }>(
    `select id, created_at
     from unnest($1::text[]) with ordinality as asked (order_id, at)
     join ${schema}.gateway_payment using (order_id)
     order by at`,
    [orders],
  )
  return rows.map((row) => NEWEST_FIRST.encode({ ...row, direction: 'older' }))
}

async function ask(stage: Stage, shop: Shop, name: string): Promise<Costed> {
  const questions = questionsOf(shop, name, flags.requests)
  const order = { urls: [shop.url], connections: flags.connections }
  const asked = async () => await send(order, questions)
  const { costed, answers } = await costOf(stage, [shop.pid], asked)
  questions.forEach(({ check }, at) => {
    const { status, body = '' } = answers[at] ?? {}
    strictEqual(status, 200, body)
    check(body)
  })
  return costed
}

async function measure(stage: Stage, shops: readonly Shop[]): Promise<Rounds> {
  const rounds: Rounds = {}
  // Round 0 warms up code and caches and is not counted; its answers are checked all the same.
  for (let round = flags.quick ? 1 : 0; round <= flags.rounds; round++) {
    for (const name of NAMES) {
      for (const shop of round % 2 === 0 ? shops : shops.toReversed()) {
        const one = await ask(stage, shop, name)
        const label = caseOf(name, shop.payments)
        progress(`${round} ${label}: ${one.p50_ms?.toFixed(1)} ms, p99 ${one.p99_ms?.toFixed(1)}`)
        if (round > 0) (rounds[label] ??= []).push(one)
      }
    }
  }
  return Object.fromEntries(
    NAMES.flatMap((name) => shops.map(({ payments }) => caseOf(name, payments))).map((name) => [
      name,
      rounds[name] ?? [],
    ]),
  )
}

const goalsOf = (rounds: Rounds): Goal[] =>
  NAMES.map((name) => {
    const at = (payments: number): number[] =>
      (rounds[caseOf(name, payments)] ?? []).map(({ p99_ms = 0 }) => p99_ms)
    const small = at(flags.small)
    const ratios = at(flags.large).map((p99, round) => p99 / (small[round] ?? 0))
    return goalOf({ name: `${name}: p99 large ÷ small`, rounds: ratios, most: 1.4 })
  })

await onStage(async (stage) => {
  progress(await checkDiskSpace(stage.pool, flags.small + flags.large))
  const other = stage.another('large')
  await migrate(stage.url, other)
  const shops = [
    await openShop(stage, stage.schema, flags.small),
    await openShop(stage, other, flags.large),
  ]
  const rounds = await measure(stage, shops)
  const goals = goalsOf(rounds)
  if (!flags.quick) {
    await writeResults(stage, 'reads', { result: { flags, rounds, goals }, plot: plotOf(rounds) })
  }
  process.stdout.write(
    `${costTable(rounds)}\n\n${goalTable(goals)}\n\nEvery answer held its own rows.\n`,
  )
})
