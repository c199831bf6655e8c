import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../src/domain/payment_status.ts'
import { insertOperation } from '../../src/store/operations/rows.ts'
import { newId } from '../../src/store/sql/values.ts'
import type { Cursor, Page } from '../../src/store/sql/lists.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import {
  listPayments,
  type PaymentFilters,
  type PaymentSummary,
} from '../../src/store/payments/lists.ts'
import { insertSubscription } from '../../src/store/subscriptions/rows.ts'
import { addPayment, newOperation, newSubscription, ownerOf, STAFF, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const idsOf = ({ results }: Page<PaymentSummary>): string[] => results.map(({ id }) => id)

const list = async (
  owner_id: string,
  cursor: Cursor | null = null,
  page_size = 3,
): Promise<Page<PaymentSummary>> =>
  await here.do(async (tx) => await listPayments(tx, ownerOf(owner_id), {}, { cursor, page_size }))

/** Payments of one millisecond, which differ only in their id. */
async function fill(owner_id: string, count: number, at: string): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await here.do(async (tx) => {
    for (const id of ids) await addPayment(tx, { id, owner_id })
  })
  await here.sql('update gapura.gateway_payment set created_at = $2 where id = any($1)', [ids, at])
  return ids.sort().reverse()
}

describe('paging', () => {
  test('forward shows each once, newest first, while new ones arrive', async () => {
    const old = await fill('forward', 4, '2026-01-01T00:00:00.001Z')
    const young = await fill('forward', 4, '2026-01-01T00:00:00.002Z')
    const seen: string[] = []
    let cursor: Cursor | null = null
    do {
      const page: Page<PaymentSummary> = await list('forward', cursor)
      seen.push(...idsOf(page))
      await fill('forward', 1, '2026-02-01T00:00:00Z')
      cursor = page.next
    } while (cursor !== null)
    expect(seen).toEqual([...young, ...old])
  })

  test('backward shows the same pages in reverse, and what arrived since', async () => {
    const ids = await fill('backward', 8, '2026-01-01T00:00:00Z')
    const first = await list('backward')
    const second = await list('backward', first.next)
    const third = await list('backward', second.next)
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(ids)
    expect([first.previous, third.next]).toEqual([null, null])
    const arrived = await fill('backward', 1, '2026-02-01T00:00:00Z')
    const back = await list('backward', third.previous)
    expect(idsOf(back)).toEqual(idsOf(second))
    const backmost = await list('backward', back.previous)
    expect(idsOf(backmost)).toEqual(idsOf(first))
    const newest = await list('backward', backmost.previous)
    expect(idsOf(newest)).toEqual(arrived)
    expect(newest.previous).toBeNull()
    expect(idsOf(await list('backward', newest.next))).toEqual(idsOf(first))
  })

  test('a last page that is exactly full has no next', async () => {
    await fill('full', 3, '2026-01-01T00:00:00Z')
    expect(await list('full')).toMatchObject({ next: null, previous: null })
  })

  test('an empty list is an empty page', async () => {
    expect(await list('unknown')).toEqual({ results: [], next: null, previous: null })
  })

  test.each([0, 101, 1.5])('a page of %d is refused', async (page_size) => {
    await expect(list('unknown', null, page_size)).rejects.toThrow('page_size')
  })
})

describe('a list', () => {
  test('of an owner holds no other owner’s payments; that of staff holds all', async () => {
    const [mine] = await fill('mine', 1, '2026-01-01T00:00:00Z')
    const [other] = await fill('others', 1, '2026-01-01T00:00:00Z')
    expect(idsOf(await list('mine'))).toEqual([mine])
    const all = await here.do(
      async (tx) => await listPayments(tx, STAFF, {}, { cursor: null, page_size: 100 }),
    )
    expect(idsOf(all)).toEqual(expect.arrayContaining([mine, other]))
  })

  test('filters by each of the documented properties, alone and together', async () => {
    const owner_id = 'filtered'
    const id = await here.do(async (tx) => {
      const subscription = there(await insertSubscription(tx, newSubscription()))
      const payment = await addPayment(tx, {
        owner_id,
        order_id: 'wanted',
        payment_type: 'echannel',
        customer_email: 'Ani@Example.com',
        gross_amount: 12_345_00n,
        subscription_id: subscription.id,
      })
      await changePayment(tx, payment, {
        transaction_status: 'expire',
        transaction_id: 'wanted-transaction',
        va_number: 'wanted-va',
        bill_key: 'wanted-bill',
        payment_code: 'wanted-code',
      })
      await addPayment(tx, { owner_id })
      return { id: payment.id, subscription_id: subscription.id, at: payment.created_at }
    })
    const wanted: PaymentFilters = {
      order_id: 'wanted',
      payment_type: 'echannel',
      customer_email: 'ani@example.COM',
      transaction_status: 'expire',
      transaction_id: 'wanted-transaction',
      va_number: 'wanted-va',
      bill_key: 'wanted-bill',
      payment_code: 'wanted-code',
      gross_amount: 12_345_00n,
      subscription_id: id.subscription_id,
    }
    const single = Object.entries(wanted).map(([name, value]) => ({ [name]: value }))
    for (const filters of [...single, wanted] as PaymentFilters[]) {
      const page = await here.do(
        async (tx) =>
          await listPayments(tx, ownerOf(owner_id), filters, { cursor: null, page_size: 10 }),
      )
      expect([Object.keys(filters), idsOf(page)]).toEqual([Object.keys(filters), [id.id]])
    }
    const none = await here.do(
      async (tx) =>
        await listPayments(tx, STAFF, { invoice_id: newId() }, { cursor: null, page_size: 10 }),
    )
    expect(none.results).toEqual([])
  })

  test('by status shows a payment under the status it has, from the open charge to its end', async () => {
    await here.do(async (tx) => {
      const owner = ownerOf('stepping')
      const shown = async () => {
        const found: string[] = []
        for (const transaction_status of PAYMENT_STATUSES) {
          const request = { cursor: null, page_size: 10 }
          const page = await listPayments(tx, owner, { transaction_status }, request)
          found.push(...page.results.map(() => transaction_status))
        }
        return found
      }
      let payment = await addPayment(tx, { owner_id: 'stepping' })
      await insertOperation(tx, newOperation(payment.id), 60_000)
      expect(await shown()).toEqual(['initiated'])
      for (const transaction_status of ['pending', 'settlement', 'refund'] as const) {
        payment = there(await changePayment(tx, payment, { transaction_status }))
        expect(await shown()).toEqual([transaction_status])
      }
    })
  })

  test('by a number of the gateway finds it under the number it has now', async () => {
    await here.do(async (tx) => {
      const find = async (va_number: string) =>
        idsOf(await listPayments(tx, STAFF, { va_number }, { cursor: null, page_size: 10 }))
      const payment = await addPayment(tx)
      const first = there(await changePayment(tx, payment, { va_number: '8811' }))
      expect(await find('8811')).toEqual([payment.id])
      const second = there(await changePayment(tx, first, { va_number: '8822' }))
      await changePayment(tx, second, { va_number: '8811' })
      expect([await find('8811'), await find('8822')]).toEqual([[payment.id], []])
    })
  })

  test('by order id shows the refused ones, too', async () => {
    await here.do(async (tx) => {
      const refused = await addPayment(tx, { order_id: 'again' })
      await changePayment(tx, refused, { refused: true })
      const live = await addPayment(tx, { order_id: 'again' })
      const request = { cursor: null, page_size: 10 }
      const page = await listPayments(tx, STAFF, { order_id: 'again' }, request)
      expect(idsOf(page).sort()).toEqual([refused.id, live.id].sort())
    })
  })

  test('by a range of time includes the first moment and excludes the last', async () => {
    const [first] = await fill('ranged', 1, '2026-03-01T00:00:00Z')
    await fill('ranged', 1, '2026-03-02T00:00:00Z')
    const filters = {
      created_from: new Date('2026-03-01T00:00:00Z'),
      created_before: new Date('2026-03-02T00:00:00Z'),
    }
    const page = await here.do(
      async (tx) =>
        await listPayments(tx, ownerOf('ranged'), filters, { cursor: null, page_size: 10 }),
    )
    expect(idsOf(page)).toEqual([first])
  })
})
