// Three-way matching in the background (ADR 0035). Lines are compared in pages, each in a transaction
// of its own, by one process at a time; a process that dies leaves its place in a row.
import { FEE_ROUNDING_DEFAULT } from '../../domain/fees.ts'
import { PAYMENT_TYPE, PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { EXCEPTION_DAYS, OPEN_STATES } from '../../domain/reconciliation.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import type { Stored } from '../../store/reconciliation/compared.ts'
import { compareOtherLines, compareOthersAgain } from '../../store/reconciliation/other_lines.ts'
import {
  comparePaymentLines,
  comparePaymentsAgain,
  type Page,
} from '../../store/reconciliation/payments.ts'
import { insertBankLines, linkBankLines } from '../../store/reconciliation/bank_lines.ts'
import { insertPayouts, judgePayouts } from '../../store/reconciliation/payouts.ts'
import {
  endUnpaid,
  findMissingPayments,
  findMissingRefunds,
  listChangedLines,
  listDueDays,
  lockProgress,
  moveProgress,
  nextPlace,
  passDueDay,
  readCalendar,
  type Place,
} from '../../store/reconciliation/progress.ts'
import {
  computeProofs,
  findBalanceGaps,
  listDaysToProve,
} from '../../store/reconciliation/proof.ts'
import type { Context } from '../context.ts'

/** What a run compared. `busy`: another process is at it. */
export interface Reconciled {
  busy: boolean
  lines: number
  matched: number
  exceptions: number
  days_proved: number
}

/** A statement of a page ends well within its time limit. */
const PAGE_LINES = 10_000
const PAYOUTS_PAGE = 500
const CHANGED_MAX = 1_000
const PROOF_DAYS_PAGE = 10
const SPAN_DAYS = 2
/** Business days after which a refund must be in the gateway's line about its payment. */
const REFUND_AGE = 5
/** Longer than any transaction that stores lines. */
const OVERLAP_S = 120
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

interface Run {
  ctx: Context
  today: string
  due_on: string
  days: Set<string>
  result: Reconciled
  aborted: AbortSignal | undefined
}

/** Compares everything that is new, and proves the days that it concerns. May be repeated at any time. */
export async function reconcile(ctx: Context, aborted?: AbortSignal): Promise<Reconciled> {
  const calendar = await withReadTransaction(
    ctx.db,
    async (tx) => await readCalendar(tx, EXCEPTION_DAYS),
  )
  const result = { busy: false, lines: 0, matched: 0, exceptions: 0, days_proved: 0 }
  const run: Run = { ctx, ...calendar, days: new Set(), result, aborted }
  for (const step of [compareLines, compareChanged, judge, findMissing, prove]) {
    if (aborted?.aborted === true || run.result.busy) break
    await step(run)
  }
  return run.result
}

/** A transaction that holds the place; undefined if another process has it. */
const holding = async <Result>(
  run: Run,
  work: (tx: Tx, place: Place) => Promise<Result>,
): Promise<Result | undefined> =>
  await withTransaction(run.ctx.db, async (tx) => {
    const place = await lockProgress(tx)
    if (place !== undefined) return await work(tx, place)
    run.result.busy = true
    return undefined
  })

function count({ result, days }: Run, stored: readonly Stored[]): void {
  for (const { state, count: items, days: touched } of stored) {
    if (state === 'matched') result.matched += items
    else if (OPEN_STATES.some((open) => open === state)) result.exceptions += items
    for (const day of touched) days.add(day)
  }
}

const roundingOf = ({ fee_rounding }: Context) => fee_rounding ?? FEE_ROUNDING_DEFAULT

async function compareLines(run: Run): Promise<void> {
  const { ctx, due_on } = run
  let place: Place | undefined
  for (let more = true; more && run.aborted?.aborted !== true;) {
    const done = await holding(run, async (tx, stored) => {
      const after = place ?? stored
      const until = await nextPlace(tx, after, PAGE_LINES)
      if (until === undefined) return { more: false, at: after }
      const page: Page = { after, until, batch: newId(), due_on }
      if (until.payments) count(run, await comparePaymentLines(tx, page, roundingOf(ctx)))
      if (until.others) count(run, await compareOtherLines(tx, { ...page, batch: newId() }))
      if (until.payouts) await insertPayouts(tx, page)
      if (until.bank) await insertBankLines(tx, page)
      await moveProgress(tx, until, OVERLAP_S)
      run.result.lines += until.lines
      return { more: until.lines === PAGE_LINES, at: until }
    })
    more = done?.more ?? false
    place = done?.at ?? place
  }
}

/** Exceptions whose payment was refreshed, adopted or refunded since. */
async function compareChanged(run: Run): Promise<void> {
  const { ctx, due_on } = run
  await holding(run, async (tx) => {
    await endUnpaid(tx)
    const changed = await listChangedLines(tx, CHANGED_MAX)
    const ids = (payments: boolean): string[] =>
      changed.filter(({ kind }) => (kind === 'payment') === payments).map(({ line_id }) => line_id)
    const of = () => ({ batch: newId(), due_on })
    if (ids(true).length > 0) {
      count(run, await comparePaymentsAgain(tx, ids(true), of(), roundingOf(ctx)))
    }
    if (ids(false).length > 0) count(run, await compareOthersAgain(tx, ids(false), of()))
  })
}

async function judge(run: Run): Promise<void> {
  await holding(run, linkBankLines)
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const from: string = after
    after = await holding(
      run,
      async (tx) => await judgePayouts(tx, { ...run, after: from, limit: PAYOUTS_PAGE }),
    )
  }
}

const AGES = [...new Set(PAYMENT_TYPES.map((type) => PAYMENT_TYPE[type].listed_within_days))]

/** What is due and has no line. A day of which no line was read waits until there are some. */
async function findMissing(run: Run): Promise<void> {
  for (const age of AGES) {
    const types = PAYMENT_TYPES.filter((type) => PAYMENT_TYPE[type].listed_within_days === age)
    await eachDueSpan(run, { name: `payments_${age}`, age }, async (tx, span) => {
      const given = { ...span, batch: newId(), due_on: run.due_on }
      count(run, await findMissingPayments(tx, given, types))
    })
  }
  await eachDueSpan(run, { name: 'refunds', age: REFUND_AGE }, async (tx, span) => {
    const given = { ...span, batch: newId(), due_on: run.due_on }
    count(run, await findMissingRefunds(tx, given))
  })
}

interface Span {
  from: string
  to: string
}

async function eachDueSpan(
  run: Run,
  { name, age }: { name: string; age: number },
  find: (tx: Tx, span: Span) => Promise<void>,
): Promise<void> {
  const { today } = run
  const days = await withReadTransaction(
    run.ctx.db,
    async (tx) => await listDueDays(tx, { name, days: age, today }),
  )
  // A day that no statement covers is waited for, but not for ever.
  const waiting = days.findIndex(({ covered, old }) => !covered && !old)
  const due = waiting < 0 ? days : days.slice(0, waiting)
  for (let at = 0; at < due.length && run.aborted?.aborted !== true; at += SPAN_DAYS) {
    const page = due.slice(at, at + SPAN_DAYS)
    await holding(run, async (tx) => {
      for (const span of coveredSpans(page)) await find(tx, span)
      await passDueDay(tx, name, page.at(-1)?.day ?? today)
    })
  }
}

/** The covered days, those in a row together. */
function coveredSpans(days: readonly { day: string; covered: boolean }[]): Span[] {
  const spans: Span[] = []
  let open: Span | undefined
  for (const { day, covered } of days) {
    if (!covered) open = undefined
    else if (open === undefined) spans.push((open = { from: day, to: day }))
    else open.to = day
  }
  return spans
}

async function prove(run: Run): Promise<void> {
  const { ctx, today, due_on } = run
  const days = await withReadTransaction(
    ctx.db,
    async (tx) => await listDaysToProve(tx, { today, touched: [...run.days] }),
  )
  for (let at = 0; at < days.length; at += PROOF_DAYS_PAGE) {
    const page = days.slice(at, at + PROOF_DAYS_PAGE)
    await holding(run, async (tx) => {
      await computeProofs(tx, page)
      await findBalanceGaps(tx, page, due_on)
    })
    run.result.days_proved += page.length
  }
}
