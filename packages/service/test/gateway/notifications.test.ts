import { describe, expect, test } from 'vitest'
import { parseNotification } from '../../src/gateway/wire/notifications.ts'

const payment = {
  transaction_status: 'settlement',
  status_code: '200',
  order_id: 'order-1',
  gross_amount: '10000.00',
  signature_key: 'x',
}
const subscription = { id: 's-1', name: 'gold', amount: '1000', status: 'active' }

describe('the shapes of a notification', () => {
  test('are recognised by a field of their own', () => {
    expect(parseNotification(payment)?.shape).toBe('payment')
    expect(parseNotification(subscription)?.shape).toBe('subscription_created')
    expect(
      parseNotification({ event_name: 'subscription.charge', transaction: {}, subscription })
        ?.shape,
    ).toBe('subscription_charge')
    expect(
      parseNotification({ account_id: 'a', account_status: 'ENABLED', status_code: '200' })?.shape,
    ).toBe('pay_account')
  })

  test('an unknown field is kept, and so is an unknown status', () => {
    const body = { ...payment, transaction_status: 'teleported', brand_new: { a: 1 } }
    expect(parseNotification(body)).toEqual({ shape: 'payment', payload: body })
  })

  test.each([
    ['on_us', 'true'],
    ['eci', 5],
    ['approval_code', 123456],
    ['custom_field1', 7],
    ['metadata', []],
    ['va_numbers', [{ bank: 'bca' }]],
    ['event_name', 'something new'],
  ])('%s written as %j loses that detail at most, never the notification', (field, value) => {
    const parsed = parseNotification({ ...payment, [field]: value })
    expect(parsed).toMatchObject({ shape: 'payment', payload: payment })
  })

  test.each([
    ['gross_amount', {}],
    ['fraud_status', []],
    ['refunds', 'none'],
    ['transaction_id', 7],
  ])('%s written as %j is refused, because decisions depend on it', (field, value) => {
    expect(parseNotification({ ...payment, [field]: value })).toBeUndefined()
  })

  test('a signed cycle notification that names its subscription is a payment notification', () => {
    expect(parseNotification({ ...payment, subscription_id: 's-1' })?.shape).toBe('payment')
  })

  test.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ transaction_status: 1, status_code: '200' }],
    [{ ...payment, order_id: { $ne: null } }],
    [{ event_name: 'subscription.charge' }],
    [{ originalReferenceNo: 'a', latestTransactionStatus: '00' }],
  ])('%j has no known shape', (body) => {
    expect(parseNotification(body)).toBeUndefined()
  })
})
