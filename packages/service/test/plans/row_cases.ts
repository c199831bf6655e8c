// Statements that find, lock or change the rows of one object by a key of its own.
import { lockFreePayments } from '../../src/store/payments/locks.ts'
import { appendEvent, readPassedEvents } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  changeInvoice,
  findInvoice,
  listInvoiceItems,
  lockInvoice,
} from '../../src/store/invoices/rows.ts'
import { findNotifications, resolveUnmatched } from '../../src/store/notifications/rows.ts'
import {
  findRefundByKey,
  finishRefund,
  listRefunds,
  listRefundsOfPayments,
  releaseRefund,
  reserveRefund,
} from '../../src/store/refunds/rows.ts'
import {
  changePayment,
  fillPaymentDetails,
  stepPayments,
  type PaymentStep,
} from '../../src/store/payments/transitions.ts'
import {
  checkPaymentsNow,
  claimCheck,
  deferPayments,
  resumeDeferred,
  setNextCheck,
  settlePayments,
} from '../../src/store/payments/checks.ts'
import { lockRefusedPayments } from '../../src/store/payments/locks.ts'
import {
  findPaymentById,
  listItemsOfOrders,
  listItemsOfPayments,
  listPaymentItems,
} from '../../src/store/payments/rows.ts'
import { applyReportedRefunds } from '../../src/store/refunds/reports.ts'
import {
  changeSubscription,
  findSubscription,
  lockSubscription,
} from '../../src/store/subscriptions/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { STAFF, there } from '../store/sample_rows.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'

type Run = (tx: Tx) => Promise<unknown>

export const looks = (query: string, index: string, run: Run): PlanCase => ({
  query,
  indexes: [index],
  run,
})

export const writes = (query: string, index: string, run: Run): PlanCase => ({
  ...looks(query, index, run),
  writes: true,
})

export const rowCases = (known: Landmarks): PlanCase[] => [
  ...paymentRows(known),
  ...refundRows(known),
  ...otherRows(known),
]

/** Settles the payment as far as the statement is concerned: it is explained and rolled back. */
async function stepOf(tx: Tx, id: string): Promise<PaymentStep> {
  const before = there(await findPaymentById(tx, id))
  return {
    after: { ...before, transaction_status: 'settlement', version: before.version + 1 },
    from_status: 'pending',
    source: 'sweep',
    evidence_id: null,
    reason: null,
    event: null,
    postings: [],
  }
}

function paymentRows({ id, order_id }: Landmarks): PlanCase[] {
  const KEY = 'gateway_payment_pkey'
  const soon = new Date('2027-01-01T00:00:00Z')
  return [
    looks('payment by id, no caller', KEY, (tx) => findPaymentById(tx, id)),
    looks('items of a payment', 'gateway_payment_item_pkey', (tx) => listPaymentItems(tx, id)),
    looks('items of payments', 'gateway_payment_item_pkey', (tx) =>
      listItemsOfPayments(tx, [id, newId()]),
    ),
    looks('items of orders', 'gateway_payment_item_pkey', (tx) =>
      listItemsOfOrders(tx, [order_id, `${order_id}0`]),
    ),
    looks('lock those that are free', KEY, (tx) => lockFreePayments(tx, [id])),
    looks('history of an object', 'gateway_transition_pkey', (tx) => listTransitions(tx, id)),
    writes('change a payment', KEY, (tx) =>
      changePayment(tx, { id, version: 1 }, { status_code: '200' }),
    ),
    // Explaining it makes the step, which cannot be made from the same version again.
    writes('step of a payment', KEY, async (tx) => {
      await stepPayments(tx, [await stepOf(tx, id)], soon).catch(() => undefined)
    }),
    writes('steps of payments', KEY, async (tx) => {
      const [other] = await tx.query<{ id: string }>(
        'select id from gapura.gateway_payment where id > $1 order by id limit 1',
        [id],
      )
      const steps = [await stepOf(tx, id), await stepOf(tx, other?.id ?? '')]
      await stepPayments(tx, steps, soon).catch(() => undefined)
    }),
    writes('fill in details', KEY, (tx) =>
      fillPaymentDetails(tx, [{ id, details: { issuer: 'ovo' } }]),
    ),
    writes('set the next check', KEY, (tx) => setNextCheck(tx, id, soon, 1)),
    writes('check now', KEY, (tx) => checkPaymentsNow(tx, [id])),
    writes('defer', KEY, (tx) => deferPayments(tx, [id], { now: soon })),
    writes('settle', KEY, (tx) => settlePayments(tx, [id])),
    writes('resume what is deferred', 'gateway_payment_deferred', (tx) => resumeDeferred(tx)),
    writes('claim one check', 'gateway_payment_order_id', (tx) =>
      claimCheck(tx, { order_id }, 1_000),
    ),
    writes('claim the check of an id', KEY, (tx) => claimCheck(tx, { id }, 1_000)),
    writes('lock refused payments', KEY, (tx) => lockRefusedPayments(tx, [id])),
    writes('append an event', KEY, (tx) =>
      appendEvent(tx, {
        id: newId(),
        type: 'payment_settled',
        object_kind: 'payment',
        object_id: id,
        object: {},
        previous_status: null,
        source: 'sweep',
        notification_id: null,
      }),
    ),
  ]
}

function refundRows({ id }: Landmarks): PlanCase[] {
  const KEYS = 'gateway_refund_payment_key'
  const reported = { id: newId(), refund_key: 'elsewhere', amount: 1n, reason: 'by hand' }
  const end = { status: 'failed', status_code: '412', status_message: null, confirmed_at: null }
  return [
    looks('refunds of a payment', KEYS, (tx) => listRefunds(tx, id)),
    looks('refunds of payments', KEYS, (tx) => listRefundsOfPayments(tx, [id, newId()])),
    looks('refund by key', KEYS, (tx) => findRefundByKey(tx, id, `refund-${id}`)),
    writes('reserve a refund', 'gateway_payment_pkey', (tx) => reserveRefund(tx, id, 1n)),
    writes('release a refund', 'gateway_payment_pkey', (tx) => releaseRefund(tx, id, 1n)),
    writes('finish a refund', 'gateway_refund_pkey', (tx) =>
      finishRefund(tx, newId(), { ...end, status: 'failed' }),
    ),
    writes('apply reported refunds', KEYS, (tx) =>
      applyReportedRefunds(tx, id, [{ ...reported, is_direct: false, confirmed_at: null }]),
    ),
  ]
}

function otherRows({ id, invoice_id, subscription_id }: Landmarks): PlanCase[] {
  const INVOICE = 'gateway_invoice_pkey'
  const SUBSCRIPTION = 'gateway_subscription_pkey'
  const first = { object_id: id, sequence: 1 }
  const place = { id: newId(), received_at: new Date() }
  const end = { payment_id: null, owner_id: null, reason: 'ping', effect: 'unmatched' as const }
  return [
    looks('invoice by id', INVOICE, (tx) => findInvoice(tx, STAFF, invoice_id)),
    looks('lock an invoice', INVOICE, (tx) => lockInvoice(tx, invoice_id)),
    looks('items of an invoice', 'gateway_invoice_item_position', (tx) =>
      listInvoiceItems(tx, invoice_id),
    ),
    writes('change an invoice', INVOICE, (tx) =>
      changeInvoice(tx, { id: invoice_id, version: 1 }, { status: 'paid' }),
    ),
    looks('subscription by id', SUBSCRIPTION, (tx) => findSubscription(tx, STAFF, subscription_id)),
    looks('lock a subscription', SUBSCRIPTION, (tx) => lockSubscription(tx, subscription_id)),
    writes('change a subscription', SUBSCRIPTION, (tx) =>
      changeSubscription(tx, { id: subscription_id, version: 1 }, { status: 'disabled' }),
    ),
    looks('events behind a failed one', '_pkey', (tx) =>
      readPassedEvents(tx, 'subscriber-1', first, 20),
    ),
    looks('notifications by id', '_pkey', (tx) => findNotifications(tx, [place.id])),
    {
      query: 'resolve a notification',
      // Of the unmatched, or of all that were not applied: both indexes find it.
      indexes: ['_received_at_id_idx', '_received_at_id_idx2'],
      writes: true,
      run: async (tx) => await resolveUnmatched(tx, place, end),
    },
  ]
}
