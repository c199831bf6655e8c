// What callers see of stored objects: amounts as decimal text, times in ISO 8601, and flags.
import { describe, expect, test } from 'vitest'
import type { GatewayCheckout } from './checkout.ts'
import { representCheckout, representCheckoutSummary } from './checkout_representation.ts'
import { INVOICE_STATUSES, type GatewayInvoice, type GatewayInvoiceItem } from './invoice.ts'
import { representInvoice, representInvoiceSummary } from './invoice_representation.ts'
import type { GatewayPayment, GatewayPaymentItem, GatewayRefund } from './payment.ts'
import { representPayment, representSummary } from './payment_representation.ts'
import { publishedEvent } from './published_event.ts'
import type { GatewaySubscription } from './subscription.ts'
import {
  representSubscription,
  representSubscriptionSummary,
} from './subscription_representation.ts'

const at = new Date('2026-11-15T03:00:00Z')
const AT = '2026-11-15T03:00:00.000Z'

const payment = {
  id: 'p-1',
  payment_type: 'gopay',
  transaction_status: 'settlement',
  fraud_status: null,
  acquirer: null,
  gross_amount: 100_000_00n,
  authorized_amount: 0n,
  captured_amount: 100_000_00n,
  refunded_amount: 30_000_00n,
  refund_reserved_amount: 10_000_00n,
  actions: [{ name: 'deeplink-redirect', method: 'GET', url: 'https://example.test' }],
  expiry_time: null,
  paid_at: at,
  created_at: at,
} as unknown as GatewayPayment

const shown = (given: Partial<GatewayPayment> = {}, now = at) =>
  representPayment({ payment: { ...payment, ...given }, items: [], refunds: [] }, now)

describe('a payment', () => {
  test('shows amounts as decimal text, with what is left to refund', () => {
    expect(shown()).toMatchObject({
      gross_amount: '100000.00',
      authorized_amount: '0.00',
      captured_amount: '100000.00',
      refund_amount: '30000.00',
      charged_back_amount: '0.00',
      net_amount: '70000.00',
      refundable_amount: '60000.00',
      refund_unavailable_reason: null,
    })
  })

  test('says why nothing can be refunded', () => {
    expect(shown({ payment_type: 'echannel' })).toMatchObject({
      refundable_amount: '0.00',
      refund_unavailable_reason: expect.stringMatching(/^[A-Z]/),
    })
    const nothing_left = { captured_amount: 100n, refunded_amount: 100n }
    expect(shown({ ...nothing_left, refund_reserved_amount: 0n })).toMatchObject({
      refundable_amount: '0.00',
      refund_unavailable_reason: 'The amount exceeds the refundable amount',
    })
    const one_left = { captured_amount: 100n, refunded_amount: 99n, refund_reserved_amount: 0n }
    expect(shown(one_left).refundable_amount).toBe('0.01')
  })

  test('of a method that is refunded only in full, or not directly, can still be refunded', () => {
    const whole = { refunded_amount: 0n, refund_reserved_amount: 0n }
    expect(shown({ ...whole, payment_type: 'shopeepay' }).refundable_amount).toBe('100000.00')
    const card = { payment_type: 'credit_card', acquirer: 'mandiri' } as const
    expect(shown(card).refundable_amount).toBe('60000.00')
  })

  test('has no amount of a partial chargeback, which the gateway does not report', () => {
    expect(shown({ transaction_status: 'partial_chargeback' }).charged_back_amount).toBeNull()
    expect(shown({ transaction_status: 'chargeback' }).charged_back_amount).toBe('70000.00')
  })

  test.each([
    ['settlement', { is_paid: true, is_pending: false, is_failed: false, is_expired: false }],
    ['pending', { is_paid: false, is_pending: true, is_failed: false, is_expired: false }],
    ['expire', { is_paid: false, is_pending: false, is_failed: true, is_expired: true }],
  ] as const)('that is %s has these flags', (transaction_status, flags) => {
    expect(shown({ transaction_status })).toMatchObject(flags)
  })

  test('shows times in ISO 8601, and never a saved card', () => {
    expect(shown({ settlement_time: null })).toMatchObject({
      paid_at: AT,
      settlement_time: null,
      saved_token_id: null,
      saved_token_id_expired_at: null,
      payer_instructions: payment.actions,
    })
  })

  test('lists its items with their subtotals, and its refunds', () => {
    const item = { name: 'Tea', price: 2_500_50n, quantity: 3 } as GatewayPaymentItem
    const refund = {
      refund_key: 'k-1',
      amount: 30_000_00n,
      status: 'succeeded',
      confirmed_at: null,
      created_at: at,
    } as GatewayRefund
    const { items, refunds } = representPayment({ payment, items: [item], refunds: [refund] }, at)
    expect(items).toEqual([
      expect.objectContaining({ name: 'Tea', price: '2500.50', quantity: 3, subtotal: '7501.50' }),
    ])
    expect(refunds).toEqual([
      expect.objectContaining({
        refund_key: 'k-1',
        amount: '30000.00',
        status: 'succeeded',
        confirmed_at: null,
        created_at: AT,
      }),
    ])
  })

  test('in a list is reduced to what a row shows', () => {
    expect(representSummary({ ...payment, order_id: 'o-1', customer_email: null })).toEqual({
      id: 'p-1',
      order_id: 'o-1',
      payment_type: 'gopay',
      gross_amount: '100000.00',
      transaction_status: 'settlement',
      customer_email: null,
      is_paid: true,
      created_at: AT,
    })
  })
})

describe('an invoice', () => {
  const invoice = {
    id: 'i-1',
    status: 'pending',
    total_amount: 5_000_00n,
    due_date: '2026-11-15',
    paid_at: null,
    created_at: at,
    updated_at: at,
  } as GatewayInvoice
  const LAST_SECOND = new Date('2026-11-15T16:59:59Z')
  const MIDNIGHT = new Date('2026-11-15T17:00:00Z')

  test.each(INVOICE_STATUSES)('that is %s is overdue by its status or its due day', (status) => {
    const overdue = (now: Date) => representInvoiceSummary({ ...invoice, status }, now).is_overdue
    expect(overdue(LAST_SECOND)).toBe(status === 'overdue')
    expect(overdue(MIDNIGHT)).toBe(status === 'overdue' || status === 'pending')
  })

  test('shows its items with their subtotals, and its payments', () => {
    const item = { description: 'Tea', quantity: 2, price: 2_500_00n } as GatewayInvoiceItem
    const parts = { invoice, items: [item], payment_ids: ['p-1'] }
    const full = representInvoice(parts, at)
    expect(full.items).toEqual([
      expect.objectContaining({ description: 'Tea', price: '2500.00', subtotal: '5000.00' }),
    ])
    expect(full).toMatchObject({
      total_amount: '5000.00',
      payment_ids: ['p-1'],
      paid_at: null,
      is_overdue: false,
      created_at: AT,
      updated_at: AT,
    })
    expect(representInvoiceSummary(invoice, at)).toMatchObject({
      id: 'i-1',
      total_amount: '5000.00',
      created_at: AT,
    })
  })
})

test('a subscription shows its amount and times, in lists and in full', () => {
  const subscription = {
    id: 's-1',
    amount: 15_000_00n,
    interval: 1,
    interval_unit: 'month',
    next_execution_at: null,
    start_time: at,
    created_at: at,
    updated_at: at,
  } as GatewaySubscription
  const summary = { id: 's-1', amount: '15000.00', next_execution_at: null, created_at: AT }
  expect(representSubscriptionSummary(subscription)).toMatchObject(summary)
  const full = { ...summary, start_time: AT, updated_at: AT }
  expect(representSubscription(subscription)).toMatchObject(full)
})

test('a checkout is stored and published without its token and address', () => {
  const checkout = {
    id: 'c-1',
    amount: 15_000_00n,
    token: 'secret',
    redirect_url: 'https://example.test/secret',
    expires_at: at,
    completed_at: null,
    created_at: at,
    updated_at: at,
  } as GatewayCheckout
  const summary = { id: 'c-1', amount: '15000.00', expires_at: AT, created_at: AT }
  expect(representCheckoutSummary(checkout)).toMatchObject(summary)
  const full = representCheckout({ checkout, payment_ids: ['p-1'] })
  expect(full).toMatchObject({ ...summary, completed_at: null, payment_ids: ['p-1'] })
  expect(JSON.stringify([full, representCheckoutSummary(checkout)])).not.toContain('secret')
})

test('an event is published with its type and time beside the rest of its fields', () => {
  expect(publishedEvent({ type: 'payment_settled', occurred_at: at, id: 'e-1' })).toEqual({
    type: 'payment_settled',
    timestamp: AT,
    data: { id: 'e-1' },
  })
})
