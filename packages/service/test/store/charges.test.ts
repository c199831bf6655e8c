import { describe, expect, test } from 'vitest'
import {
  insertCharge,
  OrderTaken,
  type InsertedCharge,
  type NewCharge,
} from '../../src/store/payments/charges.ts'
import { newId } from '../../src/store/sql/values.ts'
import { findIntent } from '../../src/store/operations/intents.ts'
import { findOperation } from '../../src/store/operations/rows.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import {
  findPaymentById,
  listPaymentItems,
  type NewPayment,
} from '../../src/store/payments/rows.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { addPayment, newPayment, there } from './sample_rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const DUE_MS = 60_000

const NOTHING = { brand: null, category: null, merchant_name: null, url: null }
const ITEMS = [
  { ...NOTHING, id: newId(), item_id: 'b', name: 'Rice', price: 10_500_00n, quantity: 1 },
  { ...NOTHING, id: newId(), item_id: null, name: 'Discount', price: -500_00n, quantity: 1 },
]

const newCharge = (given: Partial<NewPayment> = {}): NewCharge => ({
  payment: newPayment(given),
  items: [],
  operation: { id: newId(), request: { payment_type: 'bank_transfer' } },
  intent: null,
  due_in_ms: DUE_MS,
})

/** A charge that must have been written. */
async function insert(tx: Tx, charge: NewCharge): Promise<InsertedCharge> {
  const inserted = await insertCharge(tx, charge)
  if (typeof inserted === 'string') throw new Error(inserted)
  return inserted
}

/** Every row it wrote, as another statement finds them. */
const written = async (charge: NewCharge) =>
  await here.do(async (tx) => ({
    payment: await findPaymentById(tx, charge.payment.id),
    items: await listPaymentItems(tx, charge.payment.id),
    operation: await findOperation(tx, charge.operation.id),
    steps: await listTransitions(tx, charge.payment.id),
  }))

describe('an inserted charge', () => {
  test('returns its payment, items and operation as they are on disk', async () => {
    const given = { metadata: { basket: 'a\0b' }, customer_first_name: 'B\0di' }
    const charge = { ...newCharge(given), items: ITEMS }
    const inserted = await here.do(async (tx) => await insert(tx, charge))
    const { steps, ...rows } = await written(charge)
    expect(inserted).toEqual(rows)
    const kept = { metadata: { basket: 'a\uFFFDb' }, customer_first_name: 'B\uFFFDdi' }
    expect(rows.payment).toMatchObject({ ...charge.payment, ...kept, version: 1 })
    expect(rows.items.map(({ name, position }) => [name, position])).toEqual([
      ['Rice', 0],
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

  test('has one time, and its operation is due after the given time', async () => {
    const { payment, operation } = await here.do(async (tx) => await insert(tx, newCharge()))
    const { created_at, updated_at, sent_at, due_at } = operation
    expect([created_at, updated_at, sent_at]).toEqual(Array(3).fill(payment.created_at))
    expect(due_at?.getTime()).toBe(created_at.getTime() + DUE_MS)
  })

  test('returns its items as they are stored, whatever the database cannot store', async () => {
    const [first] = ITEMS
    const odd = { ...there(first), id: newId(), name: 'a\0b\uD800c' }
    const charge = { ...newCharge(), items: [odd] }
    const { items } = await here.do(async (tx) => await insert(tx, charge))
    expect(items).toEqual((await written(charge)).items)
    expect(items[0]?.name).toBe('a\uFFFDb\uFFFDc')
  })
})

describe('the order id of a charge', () => {
  test('is taken by another payment: nothing can be committed', async () => {
    await here.do(async (tx) => await addPayment(tx, { order_id: 'taken' }))
    const charge = { ...newCharge({ order_id: 'taken' }), items: ITEMS }
    const inserted = here.do(async (tx) => await insertCharge(tx, charge))
    await expect(inserted).rejects.toThrow(OrderTaken)
    const nothing = { payment: undefined, items: [], steps: [], operation: undefined }
    expect(await written(charge)).toEqual(nothing)
  })

  test('is free again once the gateway refused the other', async () => {
    await here.do(async (tx) => {
      const other = await addPayment(tx, { order_id: 'refused' })
      await changePayment(tx, other, { transaction_status: 'failure', refused: true })
      expect(await insertCharge(tx, newCharge({ order_id: 'refused' }))).toBeTypeOf('object')
    })
  })

  test('of many at once goes to one', async () => {
    const race = Array.from(
      { length: 8 },
      async () =>
        await here.do(async (tx) => await insertCharge(tx, newCharge({ order_id: 'race' }))),
    )
    const won = (await Promise.allSettled(race)).filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
  })
})

describe('the intent of a charge', () => {
  const { owner_id } = newPayment()
  const intentOf = (key: string, fingerprint = 'f') => ({ owner_id, key, fingerprint })
  const found = async (key: string) =>
    await here.do(async (tx) => await findIntent(tx, { owner_id, key }))

  test('new: the operation carries it, without a reply yet', async () => {
    const charge = { ...newCharge(), intent: intentOf('k') }
    await here.do(async (tx) => await insert(tx, charge))
    const { id } = charge.operation
    expect(await found('k')).toMatchObject({ operation: { id }, fingerprint: 'f', reply: null })
  })

  test('carried by another operation: nothing is written', async () => {
    const first = { ...newCharge(), intent: intentOf('twice') }
    await here.do(async (tx) => await insert(tx, first))
    const second = { ...newCharge(), items: ITEMS, intent: intentOf('twice', 'other') }
    expect(await here.do(async (tx) => await insertCharge(tx, second))).toBe('intent_taken')
    expect((await written(second)).payment).toBeUndefined()
    expect(await found('twice')).toMatchObject({ operation: { id: first.operation.id } })
  })

  test('stays free where the order id is taken', async () => {
    await here.do(async (tx) => await addPayment(tx, { order_id: 'had' }))
    const unlucky = { ...newCharge({ order_id: 'had' }), intent: intentOf('unlucky') }
    const inserted = here.do(async (tx) => await insertCharge(tx, unlucky))
    await expect(inserted).rejects.toThrow(OrderTaken)
    expect(await found('unlucky')).toBeUndefined()
  })

  test('of many at once goes to one', async () => {
    const race = Array.from(
      { length: 8 },
      async () =>
        await here.do(
          async (tx) => await insertCharge(tx, { ...newCharge(), intent: intentOf('race') }),
        ),
    )
    const lost = (await Promise.all(race)).filter((charge) => charge === 'intent_taken')
    expect(lost).toHaveLength(7)
  })
})
