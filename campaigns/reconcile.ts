// Three-way matching at size: honest records with every kind of discrepancy planted among them, and
// (--quarter) three months of a merchant day by day, whose balance must be proved to the rupiah.
import { GatewayClient } from '../packages/service/src/gateway/client.ts'
import type { Context } from '../packages/service/src/services/context.ts'
import { withInbox } from '../packages/service/src/services/notifications/open_inbox.ts'
import { reconcile } from '../packages/service/src/services/reconciliation/run.ts'
import { checkInvariants } from '../packages/service/src/services/verify/check_invariants.ts'
import { openDatabase } from '../packages/service/src/store/connection/database.ts'
import { createOwnDatabase, dropOwnDatabase } from '../packages/service/test/store/own_database.ts'
import { readArguments } from './bench/arguments.ts'
import { progress, report, type Figure } from './bench/report.ts'
import { addHonest, FILLED_WRONGLY, honestPayouts } from './reconcile/honest.ts'
import { coverBank, KINDS, plant, plantGap } from './reconcile/planted.ts'
import type { Finding, Planted } from './reconcile/scene.ts'
import { runQuarter } from './reconcile/quarter.ts'
import { addLines, addPayments, addRefunds } from './reconcile/world.ts'

const SECONDS_GOAL = 60
const given = readArguments({ n: 1_000_000, quick_n: 5_000 }, ['quarter'])
const url = await createOwnDatabase()
const db = openDatabase(url)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const gateway = new GatewayClient({ server_key: 'SB-Mid-server-campaign' })
const ctx: Context = withInbox({
  db,
  gateway,
  log: silent,
  confirm_notifications: false,
  reached: () => undefined,
})
const faults: string[] = []
const figures: Figure[] = []

interface Stored {
  id: string
  state: string
  cause: string
  matched_by: string
  booked_adjustment: string
}

async function storedItems(planted: Planted): Promise<Map<string, Stored>> {
  const { rows } = await db.pool.query<Stored>(
    `select id::text, state, cause, matched_by, booked_adjustment::text
     from gapura.reconciliation_item where id = any($1::uuid[]) or cause <> ''`,
    [planted.findings.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

function faultOf({ kind, id, state, cause, having = {} }: Finding, item: Stored | undefined) {
  if (item === undefined) return `${kind} ${id}: not compared, and should be ${state} ${cause}`
  const found: Readonly<Record<string, string>> = { ...item }
  const wanted = { state, cause, ...having }
  const wrong = Object.entries(wanted).filter(([name, value]) => found[name] !== value)
  if (wrong.length === 0) return undefined
  const words = wrong.map(([name, value]) => `${name} ${found[name]} instead of ${value}`)
  return `${kind} ${id}: ${words.join(', ')}`
}

async function judge(planted: Planted): Promise<void> {
  const items = await storedItems(planted)
  const wrong = planted.findings.flatMap((finding) => {
    const fault = faultOf(finding, items.get(finding.id))
    return fault === undefined ? [] : [fault]
  })
  const known = new Set(planted.findings.map(({ id }) => id))
  const others = [...items.values()].filter(({ id }) => !known.has(id))
  faults.push(
    ...wrong,
    ...others.map(({ id, cause }) => `${id} is honest, and was found to be ${cause}`),
  )
  const kinds = Object.keys(KINDS).length + 1
  const matched = planted.findings.filter(({ state }) => state === 'matched').length
  figures.push(
    { what: 'kinds of discrepancy', measured: kinds, goal: '≥ 40', missed: kinds < 40 },
    { what: 'planted findings', measured: planted.findings.length },
    { what: 'classified wrongly', measured: wrong.length, goal: '0', missed: wrong.length > 0 },
    { what: 'of them must match, and do', measured: matched },
    {
      what: 'honest items reported',
      measured: others.length,
      goal: '0',
      missed: others.length > 0,
    },
  )
}

/** Every honest payment and payout is matched, and what was posted is what was compared. */
async function judgeHonest(n: number): Promise<void> {
  const { rows } = await db.pool.query<{ payments: number; payouts: number }>(
    `select count(*) filter (where item.kind = 'payment')::integer as payments,
       count(*) filter (where item.kind = 'payout')::integer as payouts
     from gapura.reconciliation_item as item
     left join gapura.gateway_payment as payment on payment.id = item.id
     where item.state = 'matched'
       and (payment.order_id like 'honest-%' or item.kind = 'payout' and item.source = 'portal_csv')`,
  )
  const { payments = 0, payouts = 0 } = rows[0] ?? {}
  figures.push(
    {
      what: 'honest payments matched',
      measured: payments,
      goal: String(n),
      missed: payments !== n,
    },
    {
      what: 'honest payouts matched with the bank',
      measured: payouts,
      goal: String(honestPayouts(n)),
      missed: payouts !== honestPayouts(n),
    },
  )
}

async function judgeLedger(): Promise<void> {
  await db.pool.query('analyze')
  const patient = openDatabase(url, { statement_timeout_ms: 120_000 })
  const checked = await checkInvariants(patient)
  await patient.close()
  for (const { id, violations } of checked) {
    // The campaign writes payments without the history of their transitions.
    if (violations > 0 && id.startsWith('I-43')) faults.push(`${violations} violations of ${id}`)
  }
}

/** What the filler wrote in place of a trigger is what the trigger writes. */
async function judgeFilled(): Promise<void> {
  const { rows } = await db.pool.query<{ wrong: number }>(FILLED_WRONGLY)
  const wrong = rows[0]?.wrong
  if (wrong !== 0) faults.push(`${wrong} payments are written as the service does not write them`)
}

async function atSize(): Promise<void> {
  const planted = plant(given.quick ? 3 : 10)
  plantGap(planted)
  coverBank(planted, '2026-11-01')
  await addHonest(url, given.n, progress)
  await addPayments(db, planted.payments)
  await addRefunds(db, planted.refunds)
  for (const [source, lines] of planted.lines) await addLines(db, source, lines)
  await db.pool.query('analyze')
  await judgeFilled()
  progress('records written')
  const began = performance.now()
  const result = await reconcile(ctx)
  const took = (performance.now() - began) / 1_000
  progress(`${result.lines} lines in ${took.toFixed(1)} s`)
  figures.push({
    what: `seconds for ${given.n} payments in three records`,
    measured: took.toFixed(1),
    goal: `≤ ${SECONDS_GOAL}`,
    missed: took > SECONDS_GOAL,
    timed: true,
  })
  await judge(planted)
  await judgeHonest(given.n)
  progress('judged')
  const before = await counted()
  const again = performance.now()
  await reconcile(ctx)
  const repeat = (performance.now() - again) / 1_000
  const after = await counted()
  figures.push({ what: 'seconds of a run without news', measured: repeat.toFixed(1) })
  if (JSON.stringify(before) !== JSON.stringify(after))
    faults.push('a second run changed something')
  await judgeLedger()
}

const counted = async (): Promise<unknown> =>
  (
    await db.pool.query(
      `select (select count(*) from gapura.ledger_posting) as postings, count(*) as items,
         sum(effect) as effect, max(updated_at) as changed
       from gapura.reconciliation_item`,
    )
  ).rows

try {
  if (given.switches.has('quarter')) await runQuarter(ctx, given, { figures, faults })
  else await atSize()
} finally {
  await gateway.close()
  await db.close()
  await dropOwnDatabase(url)
}
report('reconcile', given, { figures, faults: faults.slice(0, 50) })
