// Brings payments into the ledger that it lacks: those of before it, and those that a process of the
// previous release changed while both releases ran (ADR 0031). And corrects what was booked wrongly.
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import {
  accountOf,
  bookable,
  bookedOf,
  bookingOf,
  GATEWAY_PENDING,
  MERCHANT_BANK,
  SUSPENSE_LATE,
  type Posting,
} from '../../domain/ledger.ts'
import { formatMoney, sumMoney, type Money } from '../../domain/money.ts'
import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import {
  listAccountsOfPayment,
  postBookings,
  type AccountOfPayment,
  type Booking,
} from '../../store/ledger/postings.ts'
import {
  completeLedger,
  countUnbooked,
  ledgerCompleteAt,
  lockUnbooked,
  type UnbookedPayment,
} from '../../store/payments/unbooked.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import { listRefundsOfPayments } from '../../store/refunds/rows.ts'
import { lockAlarmAbout } from '../../store/staff/alarms.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { SHORT_REASON_INPUT } from '../staff/staff_query.ts'
import { keptTextParser, refuseFaults, requestParser } from '../validation.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'
const PAGE_MAX = 200
/** Of one call: for a long history the caller calls again with the id it ended at. */
const PAGES_MAX = 25

export const BACKFILL_INPUT = Type.Object(
  {
    after: Type.Optional(
      Type.String({ format: 'uuid', description: 'Continue after this payment.' }),
    ),
    finish: Type.Optional(
      Type.Boolean({
        description:
          'No process of the previous release runs any more: from now on a missing payment is a fault.',
      }),
    ),
  },
  { additionalProperties: false },
)

const parseBackfill = requestParser(BACKFILL_INPUT)

export interface Backfill {
  booked: number
  /** The last payment that was booked; null if none was. */
  last_id: string | null
  /** Whether no further payment was found. */
  done: boolean
  complete_at: Date | null
}

/** Posts what the ledger lacks of payments, a page in each transaction. May be repeated at any time. */
export async function backfillLedger(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<Backfill> {
  requireStaff(caller, 'staff:act')
  const { after = FIRST, finish = false } = parseBackfill(input)
  let last_id: string | null = null
  let booked = 0
  let done = false
  for (let page = 0; page < PAGES_MAX && !done; page++) {
    const from: string = last_id ?? after
    const ids: string[] = await withTransaction(ctx.db, async (tx) => await postPage(tx, from))
    booked += ids.length
    last_id = ids.at(-1) ?? last_id
    done = ids.length < PAGE_MAX
  }
  const complete_at = await withTransaction(ctx.db, async (tx) => {
    if (done && finish) await finishBackfill(tx, ctx, caller)
    return await ledgerCompleteAt(tx)
  })
  return { booked, last_id, done, complete_at }
}

async function postPage(tx: Tx, after: string): Promise<string[]> {
  const payments = await lockUnbooked(tx, { after, limit: PAGE_MAX })
  const refunds = await listRefundsOfPayments(
    tx,
    payments.map(({ id }) => id),
  )
  const bookings = payments.flatMap((payment) => bookingsOf(payment, refunds.get(payment.id) ?? []))
  await postBookings(tx, bookings, await readClock(tx))
  return payments.map(({ id }) => id)
}

const REFUND_FROM = {
  gateway: { kind: 'refunded', source: GATEWAY_PENDING },
  merchant: { kind: 'refunded_outside', source: MERCHANT_BANK },
} as const

/** Each refund on its own day, if the refunds are what is missing; else the difference in one sum. */
function bookingsOf(payment: UnbookedPayment, refunds: readonly GatewayRefund[]): Booking[] {
  const { paid_at, settlement_time, updated_at, charged_back_at } = payment
  const made = refunds.filter(({ status }) => status === 'succeeded')
  const wanted = bookable(payment)
  const apart =
    payment.booked_refunded === 0n &&
    wanted.booked_refunded > 0n &&
    sumMoney(made.map(({ amount }) => amount)) === wanted.booked_refunded
  const { postings } = bookingOf(payment, {
    received_at: earlier(paid_at, settlement_time) ?? updated_at,
    refunded_at: made.at(-1)?.confirmed_at ?? made.at(-1)?.updated_at ?? updated_at,
    charged_back_at: charged_back_at ?? updated_at,
    late: payment.is_late,
  })
  const of = { payment_id: payment.id, ...wanted }
  const itself = {
    object_kind: 'payment',
    object_id: payment.id,
    version: payment.version,
  } as const
  const own = apart ? postings.filter(({ kind }) => kind !== 'refunded') : postings
  const each = apart ? made : []
  return [
    { ...of, ...itself, postings: own },
    ...each.map(({ id, amount, source, confirmed_at, updated_at: made_at }) => ({
      ...of,
      object_kind: 'refund' as const,
      object_id: id,
      version: 1,
      postings: [
        {
          ...REFUND_FROM[source === 'outside' ? 'merchant' : 'gateway'],
          destination: accountOf('refunds', payment.owner_id),
          amount,
          occurred_at: confirmed_at ?? made_at,
        },
      ],
    })),
  ]
}

const earlier = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

async function finishBackfill(tx: Tx, ctx: Context, caller: Caller): Promise<void> {
  const missing = await countUnbooked(tx)
  if (missing > 0) {
    const message = `${missing} payments are not booked yet: run it again from the beginning`
    refuseFaults([{ field: 'finish', message }])
  }
  if ((await ledgerCompleteAt(tx)) !== null) return
  await completeLedger(tx)
  const about = { subject_kind: 'ledger', subject_id: '-' }
  await recordAudit(tx, ctx, caller, { action: 'ledger.complete', ...about })
}

const parseReason = keptTextParser(SHORT_REASON_INPUT)

/**
 * Moves what a payment's accounts have too much or too little, by a further journal. Nothing is
 * changed or deleted. Undefined if there is no such payment.
 */
export async function correctLedger(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<{ corrected: number } | undefined> {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  return await withTransaction(ctx.db, async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment === undefined) return undefined
    const now = await readClock(tx)
    // Late money waits only while its alarm is open.
    const alarm = await lockAlarmAbout(tx, { kind: 'late_money', subject_id: id })
    const accounts = await listAccountsOfPayment(tx, id)
    const refunds = (await listRefundsOfPayments(tx, [id])).get(id) ?? []
    const outside = sumMoney(
      refunds.filter(({ source }) => source === 'outside').map(({ amount }) => amount),
    )
    const facts = { now, outside, waits: alarm !== undefined }
    const postings = corrections(payment, accounts, facts)
    if (postings.length === 0) return { corrected: 0 }
    const { version } = payment
    const caused = { payment_id: id, object_kind: 'payment', object_id: id, version } as const
    await postBookings(tx, [{ ...caused, ...bookedOf(payment), postings }], now)
    await recordAudit(tx, ctx, caller, {
      action: 'ledger.correct',
      subject_kind: 'payment',
      subject_id: id,
      owner_id: payment.owner_id,
      reason,
      detail: { moved: postings.map(({ amount }) => formatMoney(amount)) },
    })
    return { corrected: postings.length }
  })
}

/** From the accounts that have too much to those that have too little. */
function corrections(
  payment: GatewayPayment,
  accounts: readonly AccountOfPayment[],
  { now, outside, waits }: { now: Date; outside: Money; waits: boolean },
): Posting[] {
  const had = new Map(accounts.map(({ account, balance }) => [account, balance]))
  const { booked_received, booked_refunded, booked_charged_back, owner_id } = payment
  const late = had.get(SUSPENSE_LATE) ?? 0n
  const waiting = waits && late < 0n && -late <= booked_received ? late : 0n
  const wanted = new Map([
    [SUSPENSE_LATE, waiting],
    [accountOf('sales', owner_id), -booked_received - waiting],
    [GATEWAY_PENDING, booked_received - booked_refunded + outside - booked_charged_back],
    [MERCHANT_BANK, -outside],
    [accountOf('refunds', owner_id), booked_refunded],
    [accountOf('chargebacks', owner_id), booked_charged_back],
  ])
  const names = [...new Set([...had.keys(), ...wanted.keys()])]
  const off = names.map((account) => ({
    account,
    by: (wanted.get(account) ?? 0n) - (had.get(account) ?? 0n),
  }))
  const givers = off.filter(({ by }) => by < 0n)
  const takers = off.filter(({ by }) => by > 0n)
  const postings: Posting[] = []
  for (const taker of takers) {
    for (const giver of givers) {
      const amount = -giver.by < taker.by ? -giver.by : taker.by
      if (amount === 0n) continue
      giver.by += amount
      taker.by -= amount
      const moved = { source: giver.account, destination: taker.account, amount }
      postings.push({ kind: 'corrected', ...moved, occurred_at: now })
    }
  }
  return postings
}
