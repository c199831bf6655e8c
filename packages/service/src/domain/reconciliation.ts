// Three-way matching (ADR 0035): what can be wrong between our payments, the gateway's lines and the
// bank's, what each of it means, and what staff can do about it.

export const ITEM_KINDS = [
  'payment',
  'refund',
  'chargeback',
  'payout',
  'bank',
  'balance',
  'other',
] as const

export const OPEN_STATES = [
  'mismatched',
  'missing_here',
  'missing_there',
  'duplicate',
  'late',
] as const

export const ITEM_STATES = ['expected', 'matched', ...OPEN_STATES, 'resolved'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** The keys of a match, in the order in which they are tried. */
export const MATCH_KEYS = [
  'transaction_id',
  'order_id_amount',
  'order_id',
  'refund_key',
  'order_id_refund',
  'payout_reference',
  'sender_amount',
  'batch',
  '',
] as const

export const RECONCILIATION_ACTIONS = [
  // Query the gateway about the payment and apply its answer.
  'refresh',
  // Import the order that only the gateway has.
  'adopt',
  // Post the fee that the gateway stated.
  'post_fee',
  // Post the difference to `adjustment`.
  'write_off',
  // Nothing is booked: the reason says why it is right.
  'accept',
] as const
export type ReconciliationAction = (typeof RECONCILIATION_ACTIONS)[number]

/** `held` waits for a second person. */
export const ACTION_STATES = ['held', 'done', 'undone'] as const

/**
 * How sure a bank holiday is. `decree`: of the government's joint decree, not checked against its text;
 * `fixed`: the same date every year; `merchant`: set by staff.
 */
export const HOLIDAY_CERTAINTIES = ['decree', 'fixed', 'merchant'] as const

interface CauseRow {
  proposed: ReconciliationAction
  /** What else can be done about it, beside `accept`. */
  also?: readonly ReconciliationAction[]
}

/** Every kind of discrepancy, with the action that is proposed. */
export const CAUSES = {
  amount_differs: { proposed: 'refresh', also: ['write_off'] },
  fee_differs: { proposed: 'post_fee' },
  fee_missing: { proposed: 'accept' },
  currency_differs: { proposed: 'accept' },
  order_differs: { proposed: 'refresh' },
  day_differs: { proposed: 'accept' },
  paid_there: { proposed: 'refresh' },
  unpaid_there: { proposed: 'refresh' },
  reversed_there: { proposed: 'refresh' },
  refunded_there: { proposed: 'refresh' },
  charged_back_there: { proposed: 'refresh' },
  charged_back_here: { proposed: 'refresh' },
  missing_there: { proposed: 'refresh' },
  missing_here: { proposed: 'adopt', also: ['write_off'] },
  paid_twice: { proposed: 'accept', also: ['write_off'] },
  transaction_differs: { proposed: 'refresh' },
  duplicate_line: { proposed: 'accept' },
  sources_differ: { proposed: 'accept' },
  refund_missing_here: { proposed: 'refresh', also: ['write_off'] },
  refund_missing_there: { proposed: 'refresh' },
  refund_amount_differs: { proposed: 'refresh', also: ['write_off'] },
  refund_unfinished: { proposed: 'refresh' },
  refund_of_unknown_order: { proposed: 'adopt', also: ['write_off'] },
  refund_duplicate: { proposed: 'accept' },
  chargeback_amount_known: { proposed: 'write_off' },
  chargeback_amount_differs: { proposed: 'write_off' },
  chargeback_of_unknown_order: { proposed: 'adopt', also: ['write_off'] },
  payout_missing_at_bank: { proposed: 'accept', also: ['write_off'] },
  payout_not_completed: { proposed: 'accept' },
  payout_amount_differs: { proposed: 'write_off' },
  payout_twice_at_bank: { proposed: 'accept', also: ['write_off'] },
  payout_returned: { proposed: 'accept' },
  payout_failed_but_received: { proposed: 'accept' },
  payout_sum_differs: { proposed: 'accept' },
  payout_unknown_at_gateway: { proposed: 'accept', also: ['write_off'] },
  paid_out_twice: { proposed: 'accept' },
  bank_statement_missing: { proposed: 'accept' },
  balance_gap: { proposed: 'accept' },
  other_movement: { proposed: 'write_off' },
  unreadable_line: { proposed: 'accept' },
} as const satisfies Record<string, CauseRow>

export type Cause = keyof typeof CAUSES

export const CAUSE_NAMES = Object.keys(CAUSES).filter((name): name is Cause => name in CAUSES)

/**
 * Causes that a query of the gateway can end: it knows of something that was not reported here. It is
 * made without staff; its answer takes the same path as any other report.
 */
export const PICKED_UP_CAUSES: readonly Cause[] = [
  'paid_there',
  'unpaid_there',
  'reversed_there',
  'refunded_there',
  'charged_back_there',
  'refund_missing_here',
  'refund_unfinished',
]

/** What staff may do about an exception of this cause. */
export function actionsFor(cause: Cause): readonly ReconciliationAction[] {
  const { proposed, also = [] }: CauseRow = CAUSES[cause]
  return [...new Set<ReconciliationAction>([proposed, ...also, 'accept'])]
}

/** Business days after which a day's balance must be explained to the rupiah. */
export const PROOF_DAYS = 3
/** Business days in which a completed payout must be at the bank. */
export const BANK_DAYS = 2
/** Business days in which a requested payout must be completed. */
export const PAYOUT_DAYS = 3
/** Business days that staff have for an exception before it counts as overdue. */
export const EXCEPTION_DAYS = 5

/** Accounts that matching moves money to. */
export const FEE_ACCOUNT = 'fee:gateway'
export const ADJUSTMENT_ACCOUNT = 'adjustment'
export const TRANSIT_ACCOUNT = 'gateway:transit'

/** Who sends the gateway's payouts, as banks print it. */
export const PAYOUT_SENDERS = ['DOMPET ANAK BANGSA', 'MIDTRANS'] as const
