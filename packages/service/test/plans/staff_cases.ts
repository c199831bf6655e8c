// What staff read: their lists, and one object by its id.
import { listAlarms, noteAlarm, takeAlarm } from '../../src/store/staff/alarms.ts'
import { listAllApiKeys } from '../../src/store/access/api_keys.ts'
import { listObjectEvents } from '../../src/store/events/history.ts'
import { newId } from '../../src/store/sql/values.ts'
import { listNotifications } from '../../src/store/notifications/lists.ts'
import { findNotification } from '../../src/store/notifications/rows.ts'
import { listEntries } from '../../src/store/ledger/journals.ts'
import {
  lateAmountOf,
  listAccountsOfPayment,
  postBookings,
} from '../../src/store/ledger/postings.ts'
import { listStaffNotes } from '../../src/store/staff/notes.ts'
import {
  listStaffPayments,
  type PaymentSort,
  type StaffPaymentFilters,
} from '../../src/store/payments/lists.ts'
import { countStaffPayments } from '../../src/store/payments/totals.ts'
import { lockLatePayment } from '../../src/store/payments/locks.ts'
import { findByTerm, listCustomerObjects, type SearchedKind } from '../../src/store/search/found.ts'
import {
  measureResults,
  sumPeriod,
  sumReceived,
  sumRefunds,
} from '../../src/store/staff/overview.ts'
import { listOperations } from '../../src/store/operations/rows.ts'
import { listLedgerPayments } from '../../src/store/payments/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

export function staffCases({ id, order_id, middle }: Landmarks): PlanCase[] {
  const first = { cursor: null, page_size: 20 }
  const cursor = { created_at: middle, id, direction: 'older' as const }
  const RECEIVED = '_pkey'
  return [
    looks('notifications, staff', RECEIVED, (tx) => listNotifications(tx, {}, first)),
    looks('notifications, staff, further on', RECEIVED, (tx) =>
      listNotifications(tx, {}, { ...first, cursor }),
    ),
    looks('notifications with an effect, staff', RECEIVED, (tx) =>
      listNotifications(tx, { relevant: true }, first),
    ),
    looks('notifications of an order', '_order_id_received_at_idx', (tx) =>
      listNotifications(tx, { order_id }, first),
    ),
    looks('notification by id', '_pkey', (tx) => findNotification(tx, newId())),
    looks('operations of a payment', 'gateway_operation_subject', (tx) =>
      listOperations(tx, { subject_id: id }, first),
    ),
    looks('open alarms, a page', 'gateway_alarm_open', (tx) =>
      listAlarms(tx, { closed: false }, first),
    ),
    {
      query: 'payments, all of them in turn',
      indexes: ['gateway_payment_pkey'],
      // Each with its refunds outside the gateway.
      reads_max: 200,
      run: async (tx) => await listLedgerPayments(tx, { after: id, limit: 100 }),
    },
    looks('alarms of an object, closed ones too', 'gateway_alarm_subject', (tx) =>
      listAlarms(tx, { closed: true, subject_id: id }, first),
    ),
    looks('journals of a payment', 'ledger_posting_pkey', (tx) =>
      listEntries(tx, { payment_id: id }, first),
    ),
    looks('accounts of a payment', 'ledger_posting_pkey', (tx) => listAccountsOfPayment(tx, id)),
    looks('late money of a payment', 'ledger_posting_pkey', (tx) => lateAmountOf(tx, id)),
    looks('payment of an alarm', 'gateway_payment_pkey', (tx) => lockLatePayment(tx, newId())),
    writes('booking beside a transition', 'gateway_payment_pkey', (tx) =>
      postBookings(tx, [bookingOf(id)], middle),
    ),
    looks('notes on an object', 'staff_note_subject', (tx) => listStaffNotes(tx, id)),
    looks('events of an object, and who waits', '_pkey', (tx) => listObjectEvents(tx, id)),
    looks('notifications that were not applied', '_received_at_id_idx2', (tx) =>
      listNotifications(tx, { attention: true }, first),
    ),
    writes('alarm, taken', 'gateway_alarm_pkey', (tx) => takeAlarm(tx, newId(), 'desk')),
    writes('alarm, noted', 'gateway_alarm_pkey', (tx) => noteAlarm(tx, newId(), 'desk: a note')),
    looks('keys of all owners', 'api_key_created', (tx) => listAllApiKeys(tx, first)),
    ...searchCases(),
    ...figureCases(middle),
    ...deskCases(middle),
  ]
}

const bookingOf = (id: string) => ({
  payment_id: id,
  object_kind: 'payment' as const,
  object_id: id,
  version: 1,
  booked_received: 0n,
  booked_refunded: 0n,
  booked_charged_back: 0n,
  postings: [],
})

/** By each kind of term; the changes that are not filled in yet are looked at by their ids. */
function searchCases(): PlanCase[] {
  // Two hundred of each way to match, and what waits to be filled in.
  const bounded = { reads_max: 3_000 }
  const by = (kind: SearchedKind, value: string, ...indexes: string[]): PlanCase => ({
    query: `search by ${kind}`,
    indexes,
    ...bounded,
    run: async (tx) => await findByTerm(tx, { kind, value }, { limit: 6, parts: true }),
  })
  return [
    by('order_id', 'order-50', 'search_entry_order', 'search_entry_part'),
    by('customer_name', 'budi', 'search_entry_name', 'search_entry_part'),
    by('customer_email', 'customer7@example.com', 'search_entry_email'),
    by('customer_phone', '62812', 'search_entry_phone'),
    by('transaction_id', 'no-such-transaction', 'search_entry_transaction'),
    by('va_number', '8100005', 'search_entry_pay_number'),
    by('card_last_four', '1114', 'search_entry_card'),
    by('refund_key', 'no-such-refund', 'search_entry_refund'),
    {
      query: 'everything of a customer',
      indexes: ['search_entry_email'],
      ...bounded,
      run: async (tx) =>
        await listCustomerObjects(tx, { customer_email: 'customer7@example.com' }, 100),
    },
  ]
}

/** Figures read their own period; here an hour. */
function figureCases(from: Date): PlanCase[] {
  const period = { from, before: new Date(from.getTime() + 3_600_000) }
  return [
    looks('money received', 'gateway_payment_state_paid', (tx) => sumReceived(tx, period)),
    looks('results by method and bank', 'gateway_payment_created', (tx) =>
      measureResults(tx, period, []),
    ),
    looks('a period to compare with', 'gateway_payment_state_paid', (tx) => sumPeriod(tx, period)),
    looks('money paid back', 'gateway_refund_succeeded', (tx) => sumRefunds(tx, period)),
  ]
}

/** The payment list of staff, in its orders and with its own filters. */
function deskCases(middle: Date): PlanCase[] {
  const edge = {
    created_at: middle,
    id: newId(),
    gross_amount: 5_000_000n,
    direction: 'next',
  } as const
  const list =
    (sort: PaymentSort, filters: StaffPaymentFilters = {}, cursor: typeof edge | null = null) =>
    async (tx: Tx) =>
      await listStaffPayments(tx, filters, { sort, cursor, page_size: 50 })
  const CREATED = 'gateway_payment_created'
  const AMOUNT = 'gateway_payment_amount'
  return [
    looks('desk, newest first', CREATED, list('newest')),
    looks('desk, newest first, from the middle', CREATED, list('newest', {}, edge)),
    looks('desk, oldest first', CREATED, list('oldest')),
    looks('desk, highest first', AMOUNT, list('highest')),
    looks('desk, highest first, from the middle', AMOUNT, list('highest', {}, edge)),
    looks('desk, lowest first', AMOUNT, list('lowest')),
    {
      query: 'desk, a rare status, highest first',
      indexes: ['gateway_payment_state_status'],
      run: list('highest', { transaction_status: 'chargeback' }),
      // All payments of that status, to order them; here one in 2,000.
      reads_max: 2_000,
    },
    looks(
      'desk, paid within an hour',
      'gateway_payment_state_paid',
      list('newest', { paid_from: middle, paid_before: new Date(middle.getTime() + 3_600_000) }),
    ),
    {
      query: 'desk, a rare status counted',
      indexes: ['gateway_payment_state_status'],
      // What is counted exactly, and one more.
      reads_max: 10_001,
      run: async (tx) => await countStaffPayments(tx, { transaction_status: 'chargeback' }),
    },
    {
      query: 'desk, pending past its time',
      // Few of the pending, or most of them: either way they are found among the pending.
      indexes: ['gateway_payment_state_stale', 'gateway_payment_state_status'],
      run: list('newest', { overdue: true }),
    },
  ]
}
