import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import { jakartaDay, parseGatewayTime } from '../../domain/time.ts'
import { listFeeRates } from '../../store/ledger/fee_rates.ts'
import { measureOverduePayments } from '../../store/maintenance/gauges.ts'
import {
  measureResults,
  sumPeriod,
  sumReceived,
  sumRefunds,
  type Period,
} from '../../store/staff/overview.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { costsOf, rateDaysIn } from '../fees/fee_rates.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { requireStaff } from '../access/staff_caller.ts'

const DAY_MS = 86_400_000
const OVERVIEW_DAYS_MAX = 366
const DAYS_DEFAULT = 30

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }))

/** Days in Jakarta, both included; the last thirty by default. */
export const OVERVIEW_QUERY = Type.Object(
  {
    from: day('The first day in Jakarta, as 2026-01-31; 30 days in all by default.'),
    until: day('The last day in Jakarta, as 2026-01-31; today by default.'),
  },
  { additionalProperties: false },
)

const parseQuery = requestParser(OVERVIEW_QUERY)

/** Received and refunded amounts and success rates over a period. */
export async function readOverview(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const asked = parseQuery(query)
  return await withReadTransaction(ctx.db, async (tx) => {
    const days = daysOf(asked, await readClock(tx))
    const previous = previousOf(days.period)
    const rates = await listFeeRates(tx)
    const [{ booked, ...results }, received, refunds, before, overdue] = await Promise.all([
      measureResults(tx, days.period, rateDaysIn(rates, days.period)),
      sumReceived(tx, days.period),
      sumRefunds(tx, days.period),
      sumPeriod(tx, previous),
      measureOverduePayments(tx),
    ])
    return {
      from: days.from,
      until: days.until,
      received: received.map((row) => ({ ...row, amount: formatMoney(row.amount) })),
      previous: {
        from: jakartaDay(previous.from),
        until: jakartaDay(new Date(previous.before.getTime() - DAY_MS)),
        ...before,
        received: formatMoney(before.received),
        refunded: formatMoney(before.refunded),
      },
      ...results,
      refunds: refunds.map((row) => ({ ...row, amount: formatMoney(row.amount) })),
      costs: costsOf(ctx, rates, days.period, booked),
      overdue,
    }
  })
}

/** As many days, just before. */
const previousOf = ({ from, before }: Period): Period => ({
  from: new Date(2 * from.getTime() - before.getTime()),
  before: from,
})

interface Days {
  from: string
  until: string
  period: Period
}

function daysOf(asked: { from?: string; until?: string }, now: Date): Days {
  const until = asked.until ?? jakartaDay(now)
  const last = startOf(until)
  const from =
    asked.from ?? jakartaDay(new Date((last ?? now).getTime() - (DAYS_DEFAULT - 1) * DAY_MS))
  const first = startOf(from)
  const span = first && last ? (last.getTime() - first.getTime()) / DAY_MS : 0
  refuseFaults([
    ...(first === undefined ? [{ field: 'from', message: 'a day, as 2026-01-31' }] : []),
    ...(last === undefined ? [{ field: 'until', message: 'a day, as 2026-01-31' }] : []),
    ...(span < 0 ? [{ field: 'until', message: 'not before from' }] : []),
    ...(span >= OVERVIEW_DAYS_MAX
      ? [{ field: 'from', message: `at most ${OVERVIEW_DAYS_MAX} days` }]
      : []),
  ])
  const before = new Date((last ?? now).getTime() + DAY_MS)
  return { from, until, period: { from: first ?? now, before } }
}

const startOf = (text: string): Date | undefined => parseGatewayTime(`${text} 00:00:00`)
