import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { payerView, type Payment, type TransactionStatus } from '../src/index.ts'

const nothing = {
  bank: null,
  store: null,
  va_number: null,
  biller_code: null,
  bill_key: null,
  payment_code: null,
  qr_string: null,
  deeplink_url: null,
  redirect_url: null,
  expiry_time: null,
}
const payment = {
  ...nothing,
  order_id: 'order-1',
  gross_amount: '150000.00',
  is_paid: false,
  transaction_status: 'pending',
  bank: 'bca',
  va_number: '88123',
  expiry_time: '2026-11-17T00:00:00Z',
} as const

test('the payer sees the order, the amount, where to pay and until when, and nothing else', () => {
  const stored = { ...payment, customer_email: 'ani@example.com', metadata: { cost: 9 } }
  expect(payerView(stored as unknown as Payment)).toEqual({
    order_id: 'order-1',
    amount: '150000.00',
    state: 'waiting',
    place: 'bca',
    va_number: '88123',
    biller_code: null,
    bill_key: null,
    payment_code: null,
    qr_string: null,
    link: null,
    expires_at: '2026-11-17T00:00:00Z',
  })
})

test.each<[TransactionStatus, boolean, string]>([
  ['initiated', false, 'waiting'],
  ['pending', false, 'waiting'],
  ['authorize', false, 'waiting'],
  // A capture that waits for the review of a fraud challenge.
  ['capture', false, 'waiting'],
  ['capture', true, 'paid'],
  ['settlement', true, 'paid'],
  ['partial_refund', true, 'paid'],
  ['deny', false, 'ended'],
  ['cancel', false, 'ended'],
  ['expire', false, 'ended'],
  ['failure', false, 'ended'],
  ['refund', false, 'ended'],
])('%s, paid %s: %s', (transaction_status, is_paid, state) => {
  expect(payerView({ ...payment, transaction_status, is_paid }).state).toBe(state)
})

test('a store names the place, and an app is preferred to a page', () => {
  expect(payerView({ ...payment, bank: null, store: 'alfamart' }).place).toBe('alfamart')
  const both = { deeplink_url: 'gojek://pay', redirect_url: 'https://bank.example' }
  expect(payerView({ ...payment, ...both }).link).toBe('gojek://pay')
  expect(payerView({ ...payment, redirect_url: both.redirect_url }).link).toBe(both.redirect_url)
})

test('the browser part imports nothing but types, so one file is all a page needs', () => {
  const source = readFileSync(new URL('../src/browser.ts', import.meta.url), 'utf8')
  expect(source.match(/^(?:import|export) (?!type|interface|function).*/gm)).toBeNull()
})
