// The rows of the ledger (ADR 0031): appended, never changed. The postings of a transition are written
// by its own statement (store/payments/transitions.ts), all others here, under the payment's lock.
import {
  BOOKED_COLUMNS,
  SUSPENSE_LATE,
  type Booked,
  type LedgerObject,
  type Posting,
} from '../../domain/ledger.ts'
import { formatMoney } from '../../domain/money.ts'
import type { Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

/** The fields of a posting that a statement reads from JSON. */
export const POSTING_TYPES = {
  kind: 'text',
  source: 'text',
  destination: 'text',
  amount: 'numeric',
  occurred_at: 'timestamptz',
} as const satisfies Record<keyof Posting, string>

/** As JSON has it. */
export const plainPosting = (posting: Posting): object => ({
  ...posting,
  amount: formatMoney(posting.amount),
  occurred_at: posting.occurred_at.toISOString(),
})

/** The day in whose figures it is: its own in Jakarta, or the first that is not closed. */
export const postedOn = (occurred_at: string): string => `greatest(
        (${occurred_at} at time zone 'Asia/Jakarta')::date,
        (select max(day) from gapura.ledger_closing) + 1
      )`

/** Postings of a payment beside its transitions, and what is booked of it after them. */
export interface Booking extends Booked {
  payment_id: string
  /** What caused them. */
  object_kind: LedgerObject
  object_id: string
  version: number
  postings: readonly Posting[]
}

const BOOKED = BOOKED_COLUMNS.join(', ')

// A journal of the same object, version and kind exists if two reports of refunds found the payment in
// the same version: the second adds a line to it.
const POST = `
  with booking as materialized (
    select *
    from jsonb_to_recordset($2::jsonb) as booking(
      payment_id uuid, object_kind text, object_id uuid, version integer, postings jsonb,
      ${BOOKED_COLUMNS.map((column) => `${column} numeric`).join(', ')}
    )
  ), booked as (
    update gapura.gateway_payment as payment
    set (${BOOKED}) = (select ${BOOKED_COLUMNS.map((column) => `booking.${column}`).join(', ')})
    from booking
    where payment.id = booking.payment_id
  )
  insert into gapura.ledger_posting
    (object_kind, object_id, payment_id, version, kind, line, source, destination, amount,
     occurred_at, booked_at, booked_on)
  select booking.object_kind, booking.object_id, booking.payment_id, booking.version, posting.kind,
    (
      select coalesce(max(known.line), 0)
      from gapura.ledger_posting as known
      where known.object_id = booking.object_id
        and known.version = booking.version
        and known.kind = posting.kind
    ) + row_number() over (
      partition by booking.object_id, booking.version, posting.kind
      order by posting.source, posting.destination
    ),
    posting.source, posting.destination, posting.amount, posting.occurred_at, $1,
    ${postedOn('posting.occurred_at')}
  from booking
  cross join lateral jsonb_to_recordset(booking.postings) as posting(
    ${Object.entries(POSTING_TYPES)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')}
  )`

/** Writes postings beside a transition, and what is booked of their payments, which are locked. */
export async function postBookings(tx: Tx, bookings: readonly Booking[], now: Date): Promise<void> {
  if (bookings.length > 0) await tx.query(POST, [now, toJson(bookings)])
}

/** What an account has of a payment: debits less credits. */
export interface AccountOfPayment {
  account: string
  balance: bigint
}

/** Every account with postings of this payment, also those that are at zero again. */
export const listAccountsOfPayment = async (
  tx: Tx,
  payment_id: string,
): Promise<AccountOfPayment[]> =>
  await tx.query<{ account: string; balance: bigint }>(
    `select account, sum(moved)::numeric(15, 2) as balance
     from gapura.ledger_posting
     cross join lateral (
       values (destination, amount), (source, -amount)
     ) as side (account, moved)
     where (object_id = $1 and object_kind = 'payment')
       or (payment_id = $1 and object_kind <> 'payment')
     group by account
     order by account`,
    [payment_id],
  )

/** What of this payment waits in the account of late money. */
export async function lateAmountOf(tx: Tx, payment_id: string): Promise<bigint> {
  const accounts = await listAccountsOfPayment(tx, payment_id)
  return -(accounts.find(({ account }) => account === SUSPENSE_LATE)?.balance ?? 0n)
}
