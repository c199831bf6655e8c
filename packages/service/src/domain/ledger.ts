// What a payment is in the ledger (ADR 0031). Postings are the difference between what the payment
// is now and what was booked of it, so no transition is forgotten and none is booked twice.
import type { Money } from './money.ts'
import { chargedBackAmount, type GatewayPayment } from './payment.ts'
import { hasMoney } from './payment_status.ts'

/** The gateway's account of money that it has not paid out. */
export const GATEWAY_PENDING = 'gateway:pending'
/** The merchant's own bank account, from which staff refund what the gateway cannot. */
export const MERCHANT_BANK = 'bank:merchant'
/** Money that arrived after a payment had ended, until a staff member has decided about it. */
export const SUSPENSE_LATE = 'suspense:late'

/** The account of this kind that an owner has. */
export const accountOf = (kind: 'sales' | 'refunds' | 'chargebacks', owner_id: string): string =>
  `${kind}:${owner_id}`

/** What a journal is about. */
export const LEDGER_OBJECTS = ['payment', 'refund', 'matching', 'payout'] as const

export type LedgerObject = (typeof LEDGER_OBJECTS)[number]

export const JOURNAL_KINDS = [
  'received',
  'received_late',
  'reversed',
  'refunded',
  'refunded_outside',
  'refund_reversed',
  'charged_back',
  'chargeback_reversed',
  'late_accepted',
  'corrected',
  'fee_charged',
  'vat_charged',
  'fee_adjusted',
  'paid_out',
  'payout_received',
  'decided',
  'decision_undone',
  'moved_out',
  'moved_in',
] as const

type JournalKind = (typeof JOURNAL_KINDS)[number]

/** An amount that moves from one account to another. */
export interface Posting {
  kind: JournalKind
  source: string
  destination: string
  amount: Money
  occurred_at: Date
}

/** The columns of a payment that say what was booked of it. */
export const BOOKED_COLUMNS = [
  'booked_received',
  'booked_refunded',
  'booked_charged_back',
] as const satisfies readonly (keyof GatewayPayment)[]

export type Booked = Pick<GatewayPayment, (typeof BOOKED_COLUMNS)[number]>

/**
 * What must be booked of a payment. Received, less refunded, less charged back is its net amount. A
 * payment that the gateway calls refunded is refunded whole, also if its list of refunds is short.
 */
export function bookable(payment: GatewayPayment): Booked {
  const { transaction_status, fraud_status, captured_amount, refunded_amount } = payment
  if (!hasMoney(transaction_status, fraud_status)) {
    return { booked_received: 0n, booked_refunded: 0n, booked_charged_back: 0n }
  }
  const whole = transaction_status === 'refund'
  return {
    booked_received: captured_amount,
    booked_refunded: whole ? captured_amount : refunded_amount,
    booked_charged_back: chargedBackAmount(payment) ?? 0n,
  }
}

/** What was booked of it so far. */
export const bookedOf = (payment: Booked): Booked => ({
  booked_received: payment.booked_received,
  booked_refunded: payment.booked_refunded,
  booked_charged_back: payment.booked_charged_back,
})

interface Occasion {
  /** When each of them happened. */
  received_at: Date
  refunded_at: Date
  charged_back_at: Date
  /** The money came after the payment had ended: it waits for a decision. */
  late: boolean
}

/** The postings that are missing, and the payment as it is once they are written. */
export function bookingOf<Payment extends GatewayPayment>(
  payment: Payment,
  { received_at, refunded_at, charged_back_at, late }: Occasion,
): { payment: Payment; postings: readonly Posting[] } {
  const wanted = bookable(payment)
  const sales = accountOf('sales', payment.owner_id)
  const refunds = accountOf('refunds', payment.owner_id)
  const chargebacks = accountOf('chargebacks', payment.owner_id)
  const received = wanted.booked_received - payment.booked_received
  const refunded = wanted.booked_refunded - payment.booked_refunded
  const charged_back = wanted.booked_charged_back - payment.booked_charged_back
  const postings: Posting[] = []
  const post = (
    amount: Money,
    [kind, source, destination]: readonly [JournalKind, string, string],
    occurred_at: Date,
  ) => {
    if (amount > 0n) postings.push({ kind, source, destination, amount, occurred_at })
  }
  const arrival = late
    ? (['received_late', SUSPENSE_LATE] as const)
    : (['received', sales] as const)
  post(received, [...arrival, GATEWAY_PENDING], received_at)
  post(-received, ['reversed', GATEWAY_PENDING, sales], received_at)
  post(refunded, ['refunded', GATEWAY_PENDING, refunds], refunded_at)
  post(-refunded, ['refund_reversed', refunds, GATEWAY_PENDING], refunded_at)
  post(charged_back, ['charged_back', GATEWAY_PENDING, chargebacks], charged_back_at)
  post(-charged_back, ['chargeback_reversed', chargebacks, GATEWAY_PENDING], charged_back_at)
  return { payment: postings.length === 0 ? payment : { ...payment, ...wanted }, postings }
}

/**
 * The booking of a change that was made now. Money came when the gateway settled it, where it says
 * so: a report that is delivered after midnight belongs to the day before.
 */
export function bookingNow<Payment extends GatewayPayment>(
  payment: Payment,
  now: Date,
  late: boolean,
): { payment: Payment; postings: readonly Posting[] } {
  const { settlement_time } = payment
  const arrives = bookable(payment).booked_received > payment.booked_received
  const settled = settlement_time !== null && settlement_time < now ? settlement_time : now
  const received_at = arrives ? settled : now
  return bookingOf(payment, { received_at, refunded_at: now, charged_back_at: now, late })
}
