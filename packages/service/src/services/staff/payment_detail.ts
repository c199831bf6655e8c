// Everything about one payment on one page: what it is, why it is so, what proves it, and what can
// be done about it now.
import { ERRORS, type ErrorCode } from '../../domain/error_catalogue.ts'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import { actionRefusal, PAYMENT_ACTIONS } from '../../domain/payment_actions.ts'
import { paymentReason } from '../../domain/payment_reason.ts'
import { PAYMENT_TYPE } from '../../domain/payment_type.ts'
import {
  refundableAmount,
  refundRefusal,
  refundWindowEnds,
  outsideRefusal,
} from '../../domain/refund_rules.ts'
import { listFeeRates } from '../../store/ledger/fee_rates.ts'
import { listAlarms } from '../../store/staff/alarms.ts'
import { listAudit, listAuditTail } from '../../store/audit/entries.ts'
import { PAGE_SIZE_MAX } from '../../store/sql/lists.ts'
import { findPayment } from '../../store/payments/rows.ts'
import { listRefundRequests } from '../../store/refunds/requests.ts'
import { listRefunds } from '../../store/refunds/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { listStaffNotes } from '../../store/staff/notes.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { expectedAmounts } from '../fees/fee_rates.ts'
import { readHistoryWithin, type PaymentHistory } from './history.ts'
import { representWithin } from '../payments/representation.ts'
import { representRefundRequest } from './refund_requests.ts'
import { requireStaff } from '../access/staff_caller.ts'

type StaffPaymentDetail = Awaited<ReturnType<typeof detailOf>> & {
  expected: ReturnType<typeof expectedAmounts>
}

/** A payment with its history, reason and possible actions. Nothing if there is no such payment. */
export async function readStaffPayment(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<StaffPaymentDetail | undefined> {
  requireStaff(caller, 'staff:read')
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    if (payment === undefined) return undefined
    const expected = expectedAmounts(ctx, payment, await listFeeRates(tx))
    return { payment, detail: { ...(await detailOf(tx, payment)), expected } }
  })
  if (read !== undefined) await recordRead(ctx, caller, 'payment.read', read.payment)
  return read?.detail
}

async function detailOf(tx: Tx, payment: GatewayPayment) {
  const { id } = payment
  const latest = { cursor: null, page_size: PAGE_SIZE_MAX }
  const [history, refunds, now, alarms, requests, notes, acts, shown] = await Promise.all([
    readHistoryWithin(tx, payment),
    listRefunds(tx, id),
    readClock(tx),
    listAlarms(tx, { closed: true, subject_id: id }, latest),
    listRefundRequests(tx, { payment_id: id }, latest),
    listStaffNotes(tx, id),
    actsOn(tx, id),
    representWithin(tx, payment),
  ])
  return {
    payment: shown,
    owner_id: payment.owner_id,
    subscription_id: payment.subscription_id,
    invoice_id: payment.invoice_id,
    version: payment.version,
    next_check_at: payment.next_check_at,
    check_attempts: payment.check_attempts,
    why: whyOf({ payment, history, refunds, now }),
    actions: PAYMENT_ACTIONS.map((name) => possibility(name, refusalOf(name, payment))),
    refund: refundOf(payment),
    refund_requests: requests.results.map(representRefundRequest),
    ...history,
    alarms: alarms.results,
    notes,
    acts,
  }
}

const ACTS_MAX = 200

/** What was done to it and who looked at it, newest first; what waits for its seal is part of it. */
async function actsOn(tx: Tx, subject_id: string) {
  const [tail, sealed] = await Promise.all([
    listAuditTail(tx, { subject_id }, ACTS_MAX),
    listAudit(tx, { subject_id }, ACTS_MAX),
  ])
  return [...tail, ...sealed].map(({ id, occurred_at, actor, actor_kind, action, ...rest }) => {
    const { reason, request_id, operation_id } = rest
    return { id, occurred_at, actor, actor_kind, action, reason, request_id, operation_id }
  })
}

interface Known {
  payment: GatewayPayment
  history: PaymentHistory
  refunds: readonly GatewayRefund[]
  now: Date
}

/** The reason, and the step that brought it about. */
function whyOf({ payment, history, refunds, now }: Known) {
  const { transitions, operations } = history
  const last = transitions.at(-1)
  return {
    code: paymentReason({ payment, transitions, operations, refunds, now }),
    source: last?.source ?? null,
    occurred_at: last?.occurred_at ?? null,
    evidence_id: last?.evidence_id ?? null,
    reason: last?.reason ?? null,
  }
}

function refusalOf(name: (typeof PAYMENT_ACTIONS)[number], payment: GatewayPayment) {
  const { payment_type, transaction_status: status, fraud_status: fraud } = payment
  return actionRefusal(name, { payment_type, status, fraud })
}

const possibility = <Name extends string>(name: Name, refusal: ErrorCode | undefined) => ({
  name,
  allowed: refusal === undefined,
  refusal: refusal ?? null,
  why_not: refusal === undefined ? null : ERRORS[refusal].title,
})

/** What can be paid back, until when it is promised, and why not where it cannot. */
function refundOf(payment: GatewayPayment) {
  const facts = { ...payment, status: payment.transaction_status }
  const left = refundableAmount(facts)
  const rule = PAYMENT_TYPE[payment.payment_type].refund
  const settled_at = payment.settlement_time ?? payment.paid_at
  const ends = settled_at && refundWindowEnds(payment.payment_type, settled_at, payment.acquirer)
  const { allowed, refusal, why_not } = possibility('refund', refundRefusal(facts, left, false))
  return {
    allowed,
    refusal,
    why_not,
    refundable_amount: formatMoney(left),
    partial: rule?.partial ?? false,
    window_ends_at: ends ?? null,
    outside: possibility('outside', outsideRefusal(facts, left)).allowed,
  }
}
