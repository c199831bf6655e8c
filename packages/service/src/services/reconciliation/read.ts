// Exceptions, balance proofs, payouts and bank holidays, for staff.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { CAUSE_NAMES, EXCEPTION_DAYS, ITEM_KINDS } from '../../domain/reconciliation.ts'
import { formatMoney } from '../../domain/money.ts'
import { addDays } from '../../domain/time.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  listHolidays as listStoredHolidays,
  setHoliday as setStoredHoliday,
} from '../../store/reconciliation/holidays.ts'
import { listInside, referencesOf, sumInside } from '../../store/reconciliation/inside.ts'
import {
  countExceptions,
  findItem,
  listExceptions as listStored,
  listPayouts as listStoredPayouts,
  type ReconciliationItem,
} from '../../store/reconciliation/items.ts'
import { readCalendar } from '../../store/reconciliation/progress.ts'
import { listProofs, type BalanceProof } from '../../store/reconciliation/proof.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import {
  dayFaults,
  dayQuery,
  flagQuery,
  isSet,
  listQueryParser,
  PAGE_QUERY,
  uuidQuery,
} from '../page_query.ts'
import { staffList } from '../staff/staff_list.ts'
import { keptTextParser, refuseFaults, requestParser } from '../validation.ts'
import { representItem } from './represent.ts'
import { reconcile, type Reconciled } from './run.ts'

const maybe = Type.Optional
const closed = { additionalProperties: false }

export const EXCEPTION_QUERY = Type.Object(
  {
    cause: maybe(Type.Enum([...CAUSE_NAMES], { description: 'Only exceptions of this cause.' })),
    kind: maybe(Type.Enum([...ITEM_KINDS], { description: 'Only exceptions about this.' })),
    day: maybe(dayQuery('Only exceptions of this day in Jakarta, as 2026-01-31.')),
    payment_id: maybe(uuidQuery('Only exceptions about this payment.')),
    overdue: maybe(flagQuery('Only those that staff should have decided by now.')),
    closed: maybe(flagQuery('Also those that were decided or solved themselves.')),
    ...PAGE_QUERY,
  },
  closed,
)

interface ExceptionQuery {
  cause?: string
  kind?: string
  day?: string
  payment_id?: string
  overdue: boolean
  closed: boolean
}

export const parseExceptionQuery = listQueryParser(
  EXCEPTION_QUERY,
  ({ page_size: _size, cursor: _cursor, overdue, closed: also_closed, ...filters }) => ({
    filters: { ...filters, overdue: isSet(overdue), closed: isSet(also_closed) },
    faults: dayFaults('day', filters.day),
  }),
)

/** A page of exceptions, newest first. For staff. */
export const listExceptions = staffList(
  'reconciliation.list',
  async (tx, { overdue, closed: also_closed, ...filters }: ExceptionQuery, page) => {
    const { today } = await readCalendar(tx, EXCEPTION_DAYS)
    const wanted = { ...filters, open: !also_closed, ...(overdue && { overdue_on: today }) }
    const found = await listStored(tx, wanted, page)
    return { ...found, results: found.results.map(representItem) }
  },
)

export const PROOF_QUERY = Type.Object(
  {
    from: maybe(dayQuery('The first day in Jakarta; 30 days before the last by default.')),
    to: maybe(dayQuery('The last day in Jakarta; today by default.')),
  },
  closed,
)

const parseProofQuery = requestParser(PROOF_QUERY)

const DAYS_MAX = 100
const representProof = (proof: BalanceProof, today: string) => ({
  ...proof,
  movements: [...proof.movements],
  causes: [...proof.causes],
  state:
    Number(proof.unexplained) === 0
      ? ('proved' as const)
      : proof.due_on < today
        ? ('unexplained' as const)
        : ('waiting' as const),
})

/** Opening balance, movements and closing balance of each day, and what explains a difference. For staff. */
export async function readProofs(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const given = parseProofQuery(query)
  refuseFaults([...dayFaults('from', given.from), ...dayFaults('to', given.to)])
  return await withReadTransaction(ctx.db, async (tx) => {
    const { today } = await readCalendar(tx, EXCEPTION_DAYS)
    const to = given.to ?? today
    const from = given.from ?? addDays(to, -30)
    if (from < addDays(to, -DAYS_MAX)) {
      refuseFaults([{ field: 'from', message: `at most ${DAYS_MAX} days before the last day` }])
    }
    const proofs = await listProofs(tx, { from, to })
    const exceptions = await countExceptions(tx, today)
    return { from, to, days: proofs.map((proof) => representProof(proof, today)), exceptions }
  })
}

export const PAYOUT_QUERY = Type.Object(PAGE_QUERY, closed)

export const parsePayoutQuery = listQueryParser(PAYOUT_QUERY, () => ({ filters: {} }))

const representPayout = (item: ReconciliationItem) => {
  const { id, created_at, day, due_on, state, reference, owner_id } = item
  const { cause, matched_by, theirs, received } = representItem(item)
  const shown = { id, created_at, day, due_on, state, cause, reference, owner_id, matched_by }
  return { ...shown, stated: theirs, received }
}

/** A page of the gateway's payouts, newest first, with what the bank received. For staff. */
export const listPayouts = staffList(
  'reconciliation.list_payouts',
  async (tx, _filters: object, page) => {
    const found = await listStoredPayouts(tx, page)
    return { ...found, results: found.results.map(representPayout) }
  },
)

const INSIDE_MAX = 500

async function insideOf(tx: Tx, { gateway_line_id }: ReconciliationItem) {
  const references = gateway_line_id === null ? [] : await referencesOf(tx, gateway_line_id)
  const { lines, expected } = await sumInside(tx, references)
  const inside = await listInside(tx, references, INSIDE_MAX)
  return {
    expected,
    lines,
    inside: inside.map(({ amount, fee, cause, ...line }) => ({
      ...line,
      cause: cause === '' ? null : cause,
      amount: formatMoney(amount),
      fee: fee === null ? null : formatMoney(fee),
    })),
  }
}

/** A payout with the payments inside it: expected, stated by the gateway, received by the bank. For staff. */
export async function readPayout(ctx: Context, caller: Caller, id: string) {
  requireStaff(caller, 'staff:read')
  return await withTransaction(ctx.db, async (tx) => {
    const item = await findItem(tx, id)
    if (item?.kind !== 'payout') return undefined
    const about = { subject_kind: 'reconciliation', subject_id: id }
    await recordAudit(tx, ctx, caller, { action: 'reconciliation.read_payout', ...about })
    return { ...representPayout(item), ...(await insideOf(tx, item)) }
  })
}

/** How long a run waits for the one of the background to end. */
const TURN_MS_MAX = 10_000
const AGAIN_MS = 200

/**
 * Compares everything that is new, now instead of in the background. For staff. What was imported before
 * it is compared, also if the background was at it: that run may have begun before the import.
 */
export async function runReconciliation(ctx: Context, caller: Caller): Promise<Reconciled> {
  requireStaff(caller, 'staff:act')
  const until = performance.now() + TURN_MS_MAX
  let result = await reconcile(ctx)
  while (result.busy && performance.now() < until) {
    await sleep(AGAIN_MS)
    result = await reconcile(ctx)
  }
  return result
}

/** The calendar of bank holidays that ageing counts by. For staff. */
export async function readHolidays(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  return { holidays: await withReadTransaction(ctx.db, listStoredHolidays) }
}

export const HOLIDAY_INPUT = Type.Object(
  {
    day: dayQuery('The day, as 2026-01-31.'),
    closed: Type.Boolean({ description: 'Whether banks are closed on it.' }),
    name: Type.String({ minLength: 1, maxLength: 255, description: 'What it is.' }),
  },
  closed,
)

const parseHoliday = keptTextParser(HOLIDAY_INPUT)

/** Says whether banks are closed on a day. For staff. */
export async function setHoliday(ctx: Context, caller: Caller, input: unknown) {
  requireStaff(caller, 'staff:act')
  const given = parseHoliday(input)
  refuseFaults(dayFaults('day', given.day))
  return await withTransaction(ctx.db, async (tx) => {
    const set = await setStoredHoliday(tx, { ...given, updated_by: caller.owner_id })
    const about = { subject_kind: 'bank_holiday', subject_id: given.day }
    const detail = { closed: given.closed, name: given.name }
    await recordAudit(tx, ctx, caller, { action: 'bank_holiday.set', ...about, detail })
    return set
  })
}
