// Three months of a merchant, a day at a time: charges by every method, cards that settle a day later,
// refunds here and on the portal, chargebacks, holidays and payouts. The gateway's balance is kept here
// by plain addition; each day must be proved from the lines alone, to the rupiah.
import type { Context } from '../../packages/service/src/services/context.ts'
import { importStatement } from '../../packages/service/src/services/statements/import_file.ts'
import { reconcile } from '../../packages/service/src/services/reconciliation/run.ts'
import type { CampaignArguments } from '../bench/arguments.ts'
import { seeded, type Random } from '../bench/random.ts'
import { progress, type Figure } from '../bench/report.ts'
import {
  bankFile,
  Records,
  dayAfter,
  DAYS,
  FIRST_DAY,
  payOut,
  PAYMENTS,
  push,
  sell,
  settle,
  type PaidOut,
} from './quarter_records.ts'
import {
  addLines,
  addPayments,
  addRefunds,
  idOf,
  transactionOf,
  type Line,
  type Refund,
} from './world.ts'

interface Into {
  figures: Figure[]
  faults: string[]
}

const caller = { owner_id: 'campaign', staff: true, scopes: ['staff:act'] as const }
const request = { caller, request_id: 'campaign', idempotency: null }

async function setClock({ db }: Context, day: string): Promise<void> {
  await db.pool.query(
    `update gapura.setting
     set clock_offset = ($1::date + 1)::timestamp at time zone 'Asia/Jakarta' + interval '3 hours'
       - clock_timestamp()`,
    [day],
  )
}

/** What is known here at the end of a day. */
async function writeOurs({ db }: Context, records: Records, day: string): Promise<void> {
  const sold = [...records.by_day.values()].flat().filter(({ paid_at }) => paid_at.startsWith(day))
  const chunks = 1_000
  for (let at = 0; at < sold.length; at += chunks) {
    await addPayments(
      db,
      sold.slice(at, at + chunks).map(({ refund, status, ...one }) => ({
        ...one,
        ...(refund === undefined && status !== undefined && { status }),
      })),
    )
  }
  const learned = [...records.refunds.values()]
    .flat()
    .filter(({ refund }) => refund?.learned_on === day)
  const refunds = learned.flatMap(({ name, refund }): Refund[] =>
    refund === undefined
      ? []
      : [{ payment: name, key: refund.key, amount: refund.amount, made_at: `${day}T23:00:00` }],
  )
  await addRefunds(db, refunds)
  await db.pool.query(
    `with refund as (
       select payment.id, payment.gross_amount, refund.amount, refund.created_at
       from gapura.gateway_refund as refund
       join gapura.gateway_payment as payment on payment.id = refund.payment_id
       where refund.refund_key = any($1)
     ), changed as (
       update gapura.gateway_payment as payment
       set refunded_amount = refund.amount, booked_refunded = refund.amount,
           version = payment.version + 1,
           transaction_status = case when refund.amount = refund.gross_amount then 'refund'
             else 'partial_refund' end
       from refund
       where payment.id = refund.id
     )
     insert into gapura.ledger_posting
       (object_id, payment_id, occurred_at, booked_at, booked_on, version, object_kind, kind,
        source, destination, amount)
     select id, id, created_at, gapura.now(), (created_at at time zone 'Asia/Jakarta')::date, 2,
       'payment', 'refunded', 'gateway:pending', 'refunds:shop', amount
     from refund`,
    [refunds.map(({ key }) => key)],
  )
}

/** What the gateway says after the day is over. */
async function writeTheirs(
  { db }: Context,
  records: Records,
  { day, change, paid_out }: { day: string; change: number; paid_out: PaidOut | undefined },
): Promise<void> {
  const lines = (records.by_day.get(day) ?? []).map(
    ({ name, amount, fee, history_status, paid_at }): Line => ({
      key: `PAYMENT:${transactionOf(name)}`,
      day: paid_at.slice(0, 10),
      status: history_status,
      order_id: name,
      transaction_id: transactionOf(name),
      amount: amount - fee,
      fee,
    }),
  )
  const refunds = (records.refunds.get(day) ?? []).map(({ name, refund }): Line => ({
    key: `refund ${name}`,
    kind: 'refund',
    day,
    order_id: name,
    reference: refund?.key ?? null,
    amount: -(refund?.amount ?? 0),
  }))
  if (paid_out !== undefined) {
    lines.push({
      key: `WITHDRAWAL:${idOf(paid_out.reference)}`,
      kind: 'withdrawal',
      day,
      status: paid_out.failed ? 'FAILED' : 'SUCCESS',
      reference: paid_out.reference,
      amount: paid_out.amount,
      fee: 0,
    })
  }
  await addLines(db, 'history_api', lines)
  await addLines(db, 'portal_csv', refunds)
  const balance = {
    key: day,
    kind: 'balance',
    day,
    amount: change,
    balance: records.balance,
  } as const
  await addLines(db, 'balance_api', [balance])
}

async function dayOf(ctx: Context, records: Records, random: Random, day: string): Promise<void> {
  await setClock(ctx, day)
  await writeOurs(ctx, records, day)
  const paid_out = payOut(records, day, random)
  const sold = settle(records, day)
  const change = sold - (paid_out === undefined || paid_out.failed ? 0 : paid_out.amount)
  records.balance += change
  await writeTheirs(ctx, records, { day, change, paid_out })
  if (paid_out !== undefined && !paid_out.failed) {
    const content_base64 = Buffer.from(bankFile(day, paid_out)).toString('base64')
    await importStatement(ctx, request, { file_name: day, format: 'mt940', content_base64 })
  }
  await reconcile(ctx)
}

/** Days that are due and not explained, as they stand now. */
async function unproved({ db }: Context): Promise<string[]> {
  const { rows } = await db.pool.query<{ day: string; unexplained: string; causes: unknown }>(
    `select day::text, unexplained::text, causes
     from gapura.reconciliation_proof
     where due_on < (gapura.now() at time zone 'Asia/Jakarta')::date
       and unexplained <> 0
     order by day`,
  )
  return rows.map((row) => `${row.day}: ${row.unexplained} ${JSON.stringify(row.causes)}`)
}

/** Plays the three months, and looks at the proofs at the end of every day. */
export async function runQuarter(
  ctx: Context,
  given: CampaignArguments,
  { figures, faults }: Into,
): Promise<void> {
  const random = seeded(given.seed)
  const records = new Records()
  const payments = given.quick ? 2_000 : Math.min(given.n, PAYMENTS)
  for (let number = 0; number < payments; number++) {
    const day = dayAfter(FIRST_DAY, Math.floor(random.fraction() * (DAYS - 1)))
    const sold = sell(random, day, number)
    push(records.by_day, sold.settles_on, sold)
    if (sold.refund !== undefined) push(records.refunds, sold.refund.day, sold)
    records.payments += 1
  }
  const missed = new Set<string>()
  // Two weeks more, so that the last days are due too.
  for (let number = 0; number < DAYS + 14; number++) {
    const day = dayAfter(FIRST_DAY, number)
    await dayOf(ctx, records, random, day)
    for (const fault of await unproved(ctx)) missed.add(fault)
    if (number % 10 === 9) progress(`${day}: ${missed.size} days not proved`)
  }
  await judge(ctx, records, { figures, faults, missed })
}

const OUTCOME = `select
       (select count(*) from gapura.reconciliation_proof) as days,
       (select count(*) from gapura.reconciliation_proof where unexplained = 0) as proved,
       (select count(*) from gapura.reconciliation_item where kind = 'payment' and state = 'matched')
         as matched,
       (select count(*) from gapura.reconciliation_item
        where state not in ('matched', 'expected', 'resolved')) as open,
       (select sum(case when destination = 'gateway:pending' then amount
          when source = 'gateway:pending' then -amount else 0 end)
        from gapura.ledger_posting)::text as pending`

async function judge(
  { db }: Context,
  records: Records,
  { figures, faults, missed }: Into & { missed: ReadonlySet<string> },
): Promise<void> {
  const { rows } = await db.pool.query<Record<string, string>>(OUTCOME)
  const [found = {}] = rows
  faults.push(...missed)
  const { days, proved, matched, open, pending } = found
  figures.push(
    { what: 'payments of the quarter', measured: records.payments },
    {
      what: 'of them matched',
      measured: matched ?? '0',
      goal: String(records.payments),
      missed: matched !== String(records.payments),
    },
    { what: 'payouts', measured: records.payouts },
    { what: 'days with a proof', measured: days ?? '0' },
    {
      what: 'of them at Rp 0 unexplained',
      measured: proved ?? '0',
      goal: days ?? '0',
      missed: proved !== days,
    },
    {
      what: 'days that were not proved after three business days, at any evening',
      measured: missed.size,
      goal: '0',
      missed: missed.size > 0,
    },
    { what: 'open exceptions at the end', measured: open ?? '0', goal: '0', missed: open !== '0' },
    {
      what: "gateway's account in the ledger",
      measured: pending ?? '0',
      goal: `${records.balance}.00, the gateway's balance`,
      missed: pending !== `${records.balance}.00`,
    },
  )
}
