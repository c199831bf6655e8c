import { describe, expect, test } from 'vitest'
import { insertCharge, type NewCharge } from '../../src/store/charges.ts'
import { newId } from '../../src/store/ids.ts'
import { findOperation } from '../../src/store/operations.ts'
import { changePayment } from '../../src/store/payment_changes.ts'
import { findPaymentById, listPaymentItems, type NewPayment } from '../../src/store/payments.ts'
import { listTransitions } from '../../src/store/transitions.ts'
import { addPayment, newPayment, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const DUE_MS = 60_000

const NOTHING = { brand: null, category: null, merchant_name: null, url: null }
const ITEMS = [
  { ...NOTHING, id: newId(), item_id: 'b', name: 'Book', price: 10_500_00n, quantity: 1 },
  { ...NOTHING, id: newId(), item_id: null, name: 'Discount', price: -500_00n, quantity: 1 },
]

const newCharge = (given: Partial<NewPayment> = {}): NewCharge => ({
  payment: newPayment(given),
  items: [],
  operation: { id: newId(), request: { payment_type: 'bank_transfer' } },
  due_in_ms: DUE_MS,
})

/** Every row it wrote, as another statement finds them. */
const written = async (charge: NewCharge) =>
  await here.do(async (tx) => ({
    payment: await findPaymentById(tx, charge.payment.id),
    items: await listPaymentItems(tx, charge.payment.id),
    operation: await findOperation(tx, charge.operation.id),
    steps: await listTransitions(tx, charge.payment.id),
  }))

describe('a charge that is written down', () => {
  test('returns its payment, items and operation as they are on disk', async () => {
    const charge = { ...newCharge({ metadata: { basket: 7 }, custom_field1: 'a' }), items: ITEMS }
    const inserted = await here.do(async (tx) => there(await insertCharge(tx, charge)))
    const { steps, ...rows } = await written(charge)
    expect(inserted).toEqual(rows)
    expect(rows.payment).toMatchObject({ ...charge.payment, version: 1 })
    expect(rows.items.map(({ name, position }) => [name, position])).toEqual([
      ['Book', 0],
      ['Discount', 1],
    ])
    expect(steps).toEqual([
      {
        object_kind: 'payment',
        object_id: charge.payment.id,
        owner_id: charge.payment.owner_id,
        version: 1,
        from_status: null,
        to_status: 'initiated',
        source: 'charge',
        evidence_id: null,
        reason: null,
        occurred_at: rows.payment?.created_at,
      },
    ])
  })

  test('is one moment, and somebody looks at its operation after the given time', async () => {
    const { payment, operation } = await here.do(async (tx) =>
      there(await insertCharge(tx, newCharge())),
    )
    const { created_at, updated_at, sent_at, due_at } = operation
    expect([created_at, updated_at, sent_at]).toEqual(Array(3).fill(payment.created_at))
    expect(due_at?.getTime()).toBe(created_at.getTime() + DUE_MS)
  })

  test('tells its items as they are kept, whatever the database cannot keep', async () => {
    const [book] = ITEMS
    const odd = { ...there(book), id: newId(), name: 'a\0b\uD800c' }
    const charge = { ...newCharge(), items: [odd] }
    const { items } = await here.do(async (tx) => there(await insertCharge(tx, charge)))
    expect(items).toEqual((await written(charge)).items)
    expect(items[0]?.name).toBe('a\uFFFDb\uFFFDc')
  })
})

describe('the order id of a charge', () => {
  test('is taken by another payment: nothing is written', async () => {
    await here.do(async (tx) => await addPayment(tx, { order_id: 'taken' }))
    const charge = { ...newCharge({ order_id: 'taken' }), items: ITEMS }
    expect(await here.do(async (tx) => await insertCharge(tx, charge))).toBeUndefined()
    expect(await written(charge)).toEqual({
      payment: undefined,
      items: [],
      operation: undefined,
      steps: [],
    })
  })

  test('is free again once the gateway refused the other', async () => {
    await here.do(async (tx) => {
      const other = await addPayment(tx, { order_id: 'refused' })
      await changePayment(tx, other, { transaction_status: 'failure', refused: true })
      expect(await insertCharge(tx, newCharge({ order_id: 'refused' }))).toBeDefined()
    })
  })

  test('of many at once goes to one', async () => {
    const race = Array.from(
      { length: 8 },
      async () =>
        await here.do(async (tx) => await insertCharge(tx, newCharge({ order_id: 'race' }))),
    )
    const won = (await Promise.all(race)).filter((charge) => charge !== undefined)
    expect(won).toHaveLength(1)
  })
})
