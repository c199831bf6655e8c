import { expect, test } from 'vitest'
import { factsOf } from '../../src/gateway/facts.ts'
import { parseSubscription } from '../../src/gateway/wire/subscriptions.ts'

const reply = { status_code: '201', transaction_status: 'pending', order_id: 'order-1' }

test.each(['', '.', '..', 'a\u0000b', '\ud800', 'x'.repeat(201)])(
  'an id that could not be used in a request is ignored: %j',
  (transaction_id) => {
    expect(factsOf({ ...reply, transaction_id })).toMatchObject({
      transaction_id: null,
      order_id: 'order-1',
    })
  },
)

test.each(['a', '...', 'b27e0a4e-3c5f-4a86-9e5d-5f5d1f1f4e0a', 'x'.repeat(200)])(
  'any other id is kept unchanged: %j',
  (transaction_id) => {
    expect(factsOf({ ...reply, transaction_id })).toMatchObject({ transaction_id })
  },
)

test('a subscription with an unusable id is an invalid answer', () => {
  const subscription = { name: 'Monthly', amount: '10000', status: 'active' }
  expect(parseSubscription({ ...subscription, id: 'sub-1' })).toMatchObject({ id: 'sub-1' })
  expect(parseSubscription({ ...subscription, id: '' })).toBeUndefined()
})
