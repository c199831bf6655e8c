import type { Caller } from '../../src/domain/caller.ts'
import type { Cursor } from '../../src/store/sql/lists.ts'
import {
  findJudgedUnmatched,
  findDuplicates,
  findRepeated,
  listUnmatched,
} from '../../src/store/notifications/rows.ts'
import { claimOverdueOperations } from '../../src/store/operations/claims.ts'
import { listOpenOperations } from '../../src/store/operations/rows.ts'
import { claimDueChecks, listStalePayments } from '../../src/store/payments/checks.ts'
import { listPayments, type PaymentFilters } from '../../src/store/payments/lists.ts'
import {
  lockPayment,
  lockPaymentByOrderId,
  lockPaymentsByOrderIds,
} from '../../src/store/payments/locks.ts'
import {
  findOrderAmounts,
  findPayment,
  findPaymentByOrderId,
} from '../../src/store/payments/rows.ts'
import { listSubscriptions } from '../../src/store/subscriptions/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { auditCases } from './audit_cases.ts'
import { refundRequestCases } from './refund_request_cases.ts'
import { reconciliationCases } from './reconciliation_cases.ts'
import { statementCases } from './statement_cases.ts'
import { webhookCases } from './webhook_cases.ts'
import { gaugeCases } from './gauge_cases.ts'
import { recordCases } from './record_cases.ts'
import { rowCases } from './row_cases.ts'
import { staffCases } from './staff_cases.ts'
import { ownerOf, newNotification, STAFF } from '../store/sample_rows.ts'
import { checkoutCases } from './plan_checkout_cases.ts'
import { invoiceCases } from './plan_invoice_cases.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { subscriptionCases } from './plan_subscription_cases.ts'

const PAGE = 20
/** The owner with the most payments, and one with few. */
const BIG = ownerOf('owner-0')
const SMALL = ownerOf('owner-9000')

export function planCases(known: Landmarks): PlanCase[] {
  return [...ownerLists(known), ...staffLists(known), ...searches(known), ...lookUps(known)].concat(
    queues(known),
    otherTables(known),
    rowCases(known),
    recordCases(known),
    invoiceCases(known),
    checkoutCases(known),
    subscriptionCases(known),
    gaugeCases(known),
    auditCases(),
    refundRequestCases(known),
    webhookCases(known),
    reconciliationCases(),
    statementCases(),
    staffCases(known),
  )
}

const list =
  (caller: Caller, filters: PaymentFilters, cursor: Cursor | null = null) =>
  async (tx: Tx) =>
    await listPayments(tx, caller, filters, { cursor, page_size: PAGE })

const day = (middle: Date): PaymentFilters => ({
  created_from: middle,
  created_before: new Date(middle.getTime() + 86_400_000),
})

const cursorAt = (created_at: Date, direction: Cursor['direction']): Cursor => ({
  created_at,
  id: '00000000-0000-7000-8000-000000000000',
  direction,
})

function ownerLists({ middle, order_id, customer_email }: Landmarks): PlanCase[] {
  const OWNER = 'gateway_payment_owner'
  const TYPE = 'gateway_payment_owner_type'
  const STATUS = 'gateway_payment_state_owner'
  const EMAIL = 'gateway_payment_email'
  const ORDER = 'gateway_payment_order_id'
  const older = cursorAt(middle, 'older')
  const newer = cursorAt(middle, 'newer')
  return [
    { query: 'big owner, first page', indexes: [OWNER], run: list(BIG, {}) },
    { query: 'big owner, older than the middle', indexes: [OWNER], run: list(BIG, {}, older) },
    { query: 'big owner, newer than the middle', indexes: [OWNER], run: list(BIG, {}, newer) },
    { query: 'small owner, first page', indexes: [OWNER, TYPE], run: list(SMALL, {}) },
    { query: 'owner, one day', indexes: [OWNER], run: list(BIG, day(middle)) },
    { query: 'owner, type', indexes: [TYPE], run: list(BIG, { payment_type: 'akulaku' }) },
    {
      query: 'owner, type, older than the middle',
      indexes: [TYPE],
      run: list(BIG, { payment_type: 'ovo' }, older),
    },
    {
      query: 'owner, common status',
      indexes: [STATUS],
      run: list(BIG, { transaction_status: 'settlement' }),
    },
    {
      query: 'owner, rare status',
      indexes: [STATUS],
      run: list(BIG, { transaction_status: 'chargeback' }),
    },
    { query: 'owner, order id', indexes: [ORDER], run: list(BIG, { order_id }) },
    { query: 'owner, e-mail', indexes: [EMAIL], run: list(BIG, { customer_email }) },
  ]
}

function staffLists({ middle, order_id, customer_email }: Landmarks): PlanCase[] {
  const CREATED = 'gateway_payment_created'
  const TYPE = 'gateway_payment_type'
  const STATUS = 'gateway_payment_state_status'
  const older = cursorAt(middle, 'older')
  return [
    { query: 'staff, first page', indexes: [CREATED], run: list(STAFF, {}) },
    { query: 'staff, older than the middle', indexes: [CREATED], run: list(STAFF, {}, older) },
    { query: 'staff, one day', indexes: [CREATED], run: list(STAFF, day(middle)) },
    {
      query: 'staff, common type',
      indexes: [TYPE, CREATED],
      run: list(STAFF, { payment_type: 'qris' }),
    },
    {
      query: 'staff, rare type',
      indexes: [TYPE],
      run: list(STAFF, { payment_type: 'ovo' }, older),
    },
    {
      query: 'staff, common status',
      indexes: [STATUS],
      run: list(STAFF, { transaction_status: 'settlement' }),
    },
    {
      query: 'staff, rare status',
      indexes: [STATUS],
      run: list(STAFF, { transaction_status: 'chargeback' }),
    },
    {
      query: 'staff, initiated',
      indexes: ['gateway_operation_due', 'gateway_operation_one_open'],
      run: list(STAFF, { transaction_status: 'initiated' }),
      reads_max: 1_000, // Every open operation; here one in 500.
    },
    {
      query: 'staff, order id',
      indexes: ['gateway_payment_order_id'],
      run: list(STAFF, { order_id }),
    },
    {
      query: 'staff, e-mail in any case',
      indexes: ['gateway_payment_email'],
      run: list(STAFF, { customer_email: customer_email.toUpperCase() }),
    },
  ]
}

function searches(known: Landmarks): PlanCase[] {
  const { transaction_id, va_number, bill_key, payment_code, subscription_id, invoice_id } = known
  const popular = { gross_amount: 50_000_00n }
  const rare = { gross_amount: 4_321_000_00n }
  const common = { transaction_status: 'settlement' } as const
  const lost = { transaction_status: 'chargeback' } as const
  const search = (query: string, index: string, filters: PaymentFilters): PlanCase => ({
    query,
    indexes: [`gateway_payment_${index}`],
    run: list(STAFF, filters),
  })
  return [
    search('search, transaction id', 'term_pkey', { transaction_id }),
    search('search, VA number', 'term_pkey', { va_number }),
    search('search, bill key', 'term_pkey', { bill_key }),
    search('search, payment code', 'term_pkey', { payment_code }),
    search('search, amount on a day', 'amount', { ...popular, ...day(known.middle) }),
    search('search, rare amount', 'amount', rare),
    search('search, rare amount and common status', 'amount', { ...rare, ...common }),
    search('search, popular amount and rare status', 'state_status', { ...popular, ...lost }),
    search('search, subscription', 'cycle', { subscription_id }),
    search('search, invoice', 'invoice', { invoice_id }),
  ]
}

function lookUps({ id, order_id }: Landmarks): PlanCase[] {
  const BY_ID = ['gateway_payment_pkey']
  const BY_ORDER = ['gateway_payment_order_id']
  const orders = [order_id, ...Array.from({ length: 49 }, (_, n) => `order-${n * 1_000}`)]
  return [
    {
      query: 'by id, owner',
      indexes: BY_ID,
      run: async (tx) => await findPayment(tx, BIG, id),
    },
    { query: 'by id, staff', indexes: BY_ID, run: async (tx) => await findPayment(tx, STAFF, id) },
    {
      query: 'by order id',
      indexes: BY_ORDER,
      run: async (tx) => await findPaymentByOrderId(tx, order_id),
    },
    { query: 'lock by id', indexes: BY_ID, run: async (tx) => await lockPayment(tx, id) },
    {
      query: 'lock by order id',
      indexes: BY_ORDER,
      run: async (tx) => await lockPaymentByOrderId(tx, order_id),
    },
    {
      query: 'lock 50 by order id',
      indexes: BY_ORDER,
      run: async (tx) => await lockPaymentsByOrderIds(tx, orders),
    },
  ]
}

function queues({ id }: Landmarks): PlanCase[] {
  return [
    {
      query: 'claim 100 due checks',
      indexes: ['gateway_payment_state_next_check'],
      writes: true,
      // All that are due, while they are so few that sorting them is cheaper than their order.
      reads_max: 500,
      run: async (tx) =>
        await claimDueChecks(tx, { limit: 100, lease_ms: 60_000, due_by: new Date() }),
    },
    {
      query: '50 stale payments',
      indexes: ['gateway_payment_state_stale'],
      run: async (tx) => await listStalePayments(tx, 50),
    },
    {
      query: 'claim 20 overdue operations',
      indexes: ['gateway_operation_due'],
      writes: true,
      run: async (tx) => await claimOverdueOperations(tx, { limit: 20, lease_ms: 60_000 }),
    },
    {
      query: 'open operations of a payment',
      indexes: ['gateway_operation_subject'],
      run: async (tx) => await listOpenOperations(tx, id),
    },
  ]
}

function otherTables({ id, order_id, middle }: Landmarks): PlanCase[] {
  const request = { cursor: null, page_size: PAGE }
  const owner = ownerOf('owner-1')
  const duplicates = [newNotification({ order_id })]
  const behind = { id, received_at: middle }
  return [
    {
      query: 'subscriptions of an owner',
      indexes: ['gateway_subscription_owner', 'gateway_subscription_owner_status'],
      run: async (tx) => await listSubscriptions(tx, owner, {}, request),
    },
    {
      query: 'subscriptions, staff, status',
      indexes: ['gateway_subscription_status', 'gateway_subscription_created'],
      run: async (tx) => await listSubscriptions(tx, STAFF, { status: 'disabled' }, request),
    },
    {
      query: 'amounts of orders a signature could be read as',
      indexes: ['gateway_payment_order_id'],
      run: async (tx) => await findOrderAmounts(tx, [order_id, `${order_id}0`]),
    },
    {
      query: 'duplicates of a notification',
      indexes: ['_order_id_received_at_idx'],
      run: async (tx) => await findDuplicates(tx, await findRepeated(tx, duplicates)),
    },
    {
      query: 'unmatched notifications',
      indexes: ['_received_at_id_idx'],
      run: async (tx) => await listUnmatched(tx, 20),
    },
    {
      query: 'unmatched notifications behind one of them',
      indexes: ['_received_at_id_idx'],
      run: async (tx) => await listUnmatched(tx, 20, behind),
    },
    {
      query: 'whether an order was judged before',
      indexes: ['_order_id_received_at_idx'],
      run: async (tx) => await findJudgedUnmatched(tx, order_id, 'order_of_another'),
    },
  ]
}
