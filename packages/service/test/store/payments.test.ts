import { describe, expect, test } from 'vitest'
import type { GatewayPayment } from '../../src/domain/payment.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  lockPayment,
  lockPaymentByOrderId,
  lockPaymentsByOrderIds,
} from '../../src/store/payments/locks.ts'
import {
  changePayment,
  fillPaymentDetails,
  type PaymentChange,
} from '../../src/store/payments/transitions.ts'
import { findPayment, findPaymentByOrderId, insertPayment } from '../../src/store/payments/rows.ts'
import { insertSubscription } from '../../src/store/subscriptions/rows.ts'
import { withReadTransaction } from '../../src/store/connection/transaction.ts'
import { addPayment, newPayment, newSubscription, ownerOf, STAFF, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const CHANGE: Required<PaymentChange> = {
  transaction_id: 'transaction-1',
  bank: 'bni',
  store: 'alfamart',
  acquirer: 'gopay',
  issuer: 'dana',
  masked_card: '48111111-1114',
  va_number: '812785002530231',
  bill_key: '990000000260',
  biller_code: '70012',
  payment_code: '25709650945026',
  redirect_url: 'https://example.com/redirect',
  deeplink_url: 'gojek://pay',
  qr_string: '000201',
  actions: [{ name: 'generate-qr-code', method: 'GET', url: 'https://example.com/qr' }],
  transaction_status: 'settlement',
  fraud_status: 'accept',
  status_code: '200',
  status_message: 'Success',
  authorized_amount: 10_000_00n,
  captured_amount: 10_000_00n,
  transaction_time: new Date('2026-11-14T03:00:00.000Z'),
  settlement_time: new Date('2026-11-14T03:01:00.001Z'),
  expiry_time: new Date('2026-11-15T03:00:00.999Z'),
  booked_received: 10_000_00n,
  booked_refunded: 1n,
  booked_charged_back: 2n,
  paid_at: new Date('2026-11-14T03:01:02.003Z'),
  refused: false,
  next_check_at: new Date('2026-11-14T04:00:00.000Z'),
  check_attempts: 2,
  deferred_since: new Date('2026-11-14T03:30:00.000Z'),
}

describe('a payment', () => {
  test('begins initiated, at version 1, with nothing paid', async () => {
    const given = newPayment({ metadata: { cart: ['a', { b: 1 }] }, custom_field1: 'x' })
    const payment = await here.do(async (tx) => there(await insertPayment(tx, given)))
    expect(payment).toMatchObject({
      ...given,
      transaction_status: 'initiated',
      version: 1,
      refused: false,
      authorized_amount: 0n,
      captured_amount: 0n,
      refunded_amount: 0n,
      refund_reserved_amount: 0n,
      actions: [],
      next_check_at: null,
    })
    expect(payment.created_at).toEqual(payment.updated_at)
  })

  test('is read back with every property as it was written', async () => {
    const given = newPayment()
    const changed = await here.do(async (tx) => {
      const payment = there(await insertPayment(tx, given))
      return there(await changePayment(tx, payment, CHANGE))
    })
    // Every property of the model is named here, so a missing column shows.
    const whole: GatewayPayment = {
      ...given,
      ...CHANGE,
      checkout_id: null,
      version: 2,
      refunded_amount: 0n,
      refund_reserved_amount: 0n,
      created_at: changed.created_at,
      updated_at: changed.updated_at,
    }
    expect(changed).toEqual(whole)
    const read = await withReadTransaction(
      here.db,
      async (tx) => await findPayment(tx, STAFF, given.id),
    )
    expect(read).toEqual(whole)
  })
})

describe('an order id', () => {
  test('belongs to one payment; a second insert returns undefined and changes nothing', async () => {
    await here.do(async (tx) => {
      const first = await addPayment(tx, { order_id: 'taken' })
      expect(await insertPayment(tx, newPayment({ order_id: 'taken' }))).toBeUndefined()
      expect(await insertPayment(tx, newPayment({ order_id: 'taken', owner_id: 'x' }))).toBe(
        undefined,
      )
      expect(await findPaymentByOrderId(tx, 'taken')).toEqual(first)
    })
  })

  test('is free again once the gateway refused the charge, as often as it does', async () => {
    await here.do(async (tx) => {
      for (let round = 0; round < 3; round++) {
        const payment = await addPayment(tx, { order_id: 'refused' })
        await changePayment(tx, payment, { transaction_status: 'failure', refused: true })
      }
      const last = await addPayment(tx, { order_id: 'refused' })
      expect((await findPaymentByOrderId(tx, 'refused'))?.id).toBe(last.id)
      expect((await lockPaymentByOrderId(tx, 'refused'))?.id).toBe(last.id)
    })
  })

  test('of two charges at once goes to one', async () => {
    const race = Array.from(
      { length: 8 },
      async () =>
        await here.do(async (tx) => await insertPayment(tx, newPayment({ order_id: 'race' }))),
    )
    const won = (await Promise.all(race)).filter((payment) => payment !== undefined)
    expect(won).toHaveLength(1)
  })

  test('may be as long as a subscription’s cycles make it, and at most 100', async () => {
    await here.do(async (tx) => await addPayment(tx, { order_id: 'x'.repeat(100) }))
    await expect(
      here.do(async (tx) => await addPayment(tx, { order_id: 'x'.repeat(101) })),
    ).rejects.toThrow('order_id_length')
  })
})

test('a cycle of a subscription is one payment for each transaction', async () => {
  await here.do(async (tx) => {
    const { id } = there(await insertSubscription(tx, newSubscription()))
    const cycle = { subscription_id: id, transaction_id: 'cycle-1' }
    expect(await insertPayment(tx, newPayment(cycle))).toBeDefined()
    expect(await insertPayment(tx, newPayment(cycle))).toBeUndefined()
  })
})

describe('access to a payment', () => {
  test('its owner and staff see it; for other callers it does not exist', async () => {
    await here.do(async (tx) => {
      const payment = await addPayment(tx, { owner_id: 'mine' })
      expect(await findPayment(tx, ownerOf('mine'), payment.id)).toEqual(payment)
      expect(await findPayment(tx, STAFF, payment.id)).toEqual(payment)
      expect(await findPayment(tx, ownerOf('other'), payment.id)).toBeUndefined()
      expect(await findPayment(tx, ownerOf('mine'), newId())).toBeUndefined()
    })
  })
})

describe('changePayment', () => {
  test('changes what it names and leaves the rest', async () => {
    await here.do(async (tx) => {
      const payment = await addPayment(tx)
      const pending = there(
        await changePayment(tx, payment, { transaction_status: 'pending', va_number: '123' }),
      )
      const paid = there(await changePayment(tx, pending, { transaction_status: 'settlement' }))
      expect(paid).toMatchObject({ va_number: '123', version: 3, bank: 'bca' })
      const cleared = there(await changePayment(tx, paid, { va_number: null }))
      expect(cleared.va_number).toBeNull()
    })
  })

  test('does nothing when the payment has changed since it was read', async () => {
    await here.do(async (tx) => {
      const read = await addPayment(tx)
      await changePayment(tx, read, { transaction_status: 'settlement' })
      expect(await changePayment(tx, read, { transaction_status: 'expire' })).toBeUndefined()
      expect(await lockPayment(tx, read.id)).toMatchObject({
        transaction_status: 'settlement',
        version: 2,
      })
    })
  })

  test('cannot change what no step may change', async () => {
    await here.do(async (tx) => {
      const payment = await addPayment(tx)
      const sneaky = { owner_id: 'thief', refunded_amount: '5.00', gross_amount: '1.00' }
      const changed = await changePayment(tx, payment, sneaky as PaymentChange)
      expect(changed).toMatchObject({
        owner_id: 'owner-1',
        gross_amount: 10_000_00n,
        refunded_amount: 0n,
      })
    })
  })
})

test('fillPaymentDetails fills empty fields, overwrites nothing, and makes no step', async () => {
  await here.do(async (tx) => {
    const { id } = await addPayment(tx)
    const qr = [{ name: 'qr', method: 'GET', url: 'https://example.com/1' }]
    const other = await addPayment(tx)
    await fillPaymentDetails(tx, [
      { id, details: { va_number: '111', bank: 'permata', actions: qr } },
    ])
    const [filled, ...more] = await fillPaymentDetails(tx, [
      { id, details: { va_number: '222', issuer: 'ovo', actions: [] } },
      { id: other.id, details: { bank: 'bni' } },
    ])
    expect(more).toEqual([])
    expect(filled).toMatchObject({
      va_number: '111',
      bank: 'bca',
      issuer: 'ovo',
      actions: qr,
      version: 1,
    })
  })
})

describe('locks', () => {
  test('on several payments are taken in the order of their ids, each once', async () => {
    await here.do(async (tx) => {
      const ids: string[] = []
      for (let count = 0; count < 3; count++) ids.push((await addPayment(tx)).id)
      const orders = ids.map((id) => `order-${id}`)
      const shuffled = [...orders.toReversed(), orders[0] ?? '', 'unknown']
      const locked = await lockPaymentsByOrderIds(tx, shuffled)
      expect(locked.map(({ id }) => id)).toEqual(ids.sort())
    })
  })

  test('of an unknown payment return undefined', async () => {
    await here.do(async (tx) => {
      expect(await lockPayment(tx, newId())).toBeUndefined()
      expect(await lockPaymentByOrderId(tx, 'unknown')).toBeUndefined()
    })
  })

  test('make the second wait, and then read what the first wrote', async () => {
    const { id } = await here.do(async (tx) => await addPayment(tx))
    const locked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const first = here.do(async (tx) => {
      const payment = there(await lockPayment(tx, id))
      locked.resolve()
      await held.promise
      await changePayment(tx, payment, { transaction_status: 'settlement' })
    })
    await locked.promise
    const second = here.do(async (tx) => await lockPayment(tx, id))
    held.resolve()
    await first
    expect(await second).toMatchObject({ transaction_status: 'settlement', version: 2 })
  })
})
