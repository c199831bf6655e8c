import { describe, expect, test } from 'vitest'
import { restoreSnapshot } from '../../src/events/snapshot.ts'
import { newId, toJson } from '../../src/store/sql/values.ts'
import { insertInvoice } from '../../src/store/invoices/rows.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import { insertSubscription } from '../../src/store/subscriptions/rows.ts'
import { addPayment, newSubscription, there } from '../store/sample_rows.ts'
import { useDatabase } from '../store/test_database.ts'

const here = useDatabase()

/** As the outbox stores it. */
const kept = (object: object) => JSON.parse(toJson(object)) as Record<string, unknown>

describe('the copy of a row in an event of before is read back as the store wrote it', () => {
  test('payment', async () => {
    const payment = await here.do(async (tx) =>
      there(
        await changePayment(tx, await addPayment(tx), {
          transaction_status: 'settlement',
          authorized_amount: 9_999_99n,
          captured_amount: 1n,
          paid_at: new Date(1_700_000_000_123),
          expiry_time: new Date(0),
        }),
      ),
    )
    expect(restoreSnapshot('payment', kept(payment))).toEqual(payment)
  })

  test('subscription', async () => {
    const subscription = await here.do(
      async (tx) =>
        await insertSubscription(tx, newSubscription({ start_time: new Date(1_800_000_000_000) })),
    )
    const given = there(subscription)
    expect(restoreSnapshot('subscription', kept(given))).toEqual(given)
  })

  test('invoice: days stay text', async () => {
    const invoice = await here.do(
      async (tx) =>
        await insertInvoice(
          tx,
          {
            id: newId(),
            owner_id: 'owner-1',
            invoice_number: 'INV-1',
            order_id: `order-${newId()}`,
            customer_id: null,
            customer_name: 'Budi',
            customer_email: 'budi@example.com',
            customer_phone: null,
            total_amount: 100_00n,
            currency: 'IDR',
            invoice_date: '2026-10-01',
            due_date: '2026-10-31',
            notes: null,
            metadata: {},
          },
          [],
        ),
    )
    const given = there(invoice)
    expect(restoreSnapshot('invoice', kept(given))).toEqual(given)
  })
})

test('a field that an older version did not write stays absent; an unreadable one is an error', () => {
  const copy = { id: '1', transaction_status: 'pending', paid_at: null }
  expect(restoreSnapshot('payment', copy)).toEqual(copy)
  const faults = [
    { gross_amount: 100 },
    { gross_amount: '1,5' },
    { paid_at: 'soon' },
    { paid_at: 5 },
  ]
  for (const fault of [...faults, { id: 1 }]) {
    expect(() => restoreSnapshot('payment', { ...copy, ...fault })).toThrow(RangeError)
  }
  expect(() => restoreSnapshot('invoice', copy)).toThrow(RangeError)
})
