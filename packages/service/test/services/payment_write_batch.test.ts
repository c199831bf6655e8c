// The batch that writes the changes of many payments together, over a real database.
import { describe, expect, test } from 'vitest'
import type { GatewayPayment } from '../../src/domain/payment.ts'
import type { PaymentSignal } from '../../src/domain/signals.ts'
import type { LinkedStep } from '../../src/services/object_step.ts'
import { PaymentWriteBatch } from '../../src/services/payments/payment_write_batch.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { newId } from '../../src/store/sql/values.ts'
import { addPaidPayment, addPayment, there } from '../store/sample_rows.ts'
import { useDatabase } from '../store/test_database.ts'

const here = useDatabase()
const NOW = new Date('2026-11-15T03:00:00Z')
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000)

const recordOf = (signal: PaymentSignal | null) => ({
  signal,
  source: 'notification' as const,
  evidence_id: null,
  notification_id: null,
  reason: null,
})

/** A batch in a transaction, with the statements it sends and the linked steps it passes on. */
async function inBatch<Result>(work: (batch: PaymentWriteBatch, tx: Tx) => Promise<Result>) {
  const statements: string[] = []
  const linked: LinkedStep[] = []
  const result = await here.do(async (tx) => {
    const query: Tx['query'] = async (text, values) => {
      statements.push(text)
      return await tx.query(text, values)
    }
    const watched: Tx = { ...tx, query }
    const notifyLinked = async (_: Tx, step: LinkedStep) => {
      linked.push(step)
      await Promise.resolve()
    }
    return await work(new PaymentWriteBatch(watched, { notifyLinked }, NOW), tx)
  })
  return { result, statements, linked }
}

const added = async (given: Parameters<typeof addPayment>[1] = {}) =>
  await here.do(async (tx) => await addPayment(tx, given))
const stored = async (id: string) =>
  there(await here.do(async (tx) => await findPaymentById(tx, id)))
const PENDING = { transaction_status: 'pending' } as const
const PAID = {
  transaction_status: 'settlement',
  authorized_amount: 10_000_00n,
  captured_amount: 10_000_00n,
  paid_at: NOW,
} as const

describe('details', () => {
  test('that are empty are filled, and known ones stay', async () => {
    const payment = await added()
    const actions = [{ name: 'pay', method: 'GET', url: 'https://example.test' }]
    const { result } = await inBatch(async (batch) => {
      const filled = await batch.fill(payment, { va_number: '123', bank: 'bni', actions })
      await batch.close()
      return filled
    })
    const expected = { va_number: '123', bank: 'bca', actions }
    expect(result).toMatchObject({ ...expected, updated_at: NOW })
    expect(await stored(payment.id)).toMatchObject(expected)
  })

  test('that bring nothing new write nothing', async () => {
    const payment = await added()
    const { result, statements } = await inBatch(async (batch) => {
      const same = await batch.fill(payment, { bank: 'bni' })
      await batch.close()
      return same
    })
    expect(result).toBe(payment)
    expect(statements).toEqual([])
  })
})

describe('a deferral', () => {
  test.each([
    ['none is planned', null, NOW],
    ['a later one is planned', minutes(5), NOW],
    ['an earlier one is planned', minutes(-5), minutes(-5)],
  ])('makes a check due at once where %s', async (_, next_check_at, due) => {
    const payment = { ...(await added()), next_check_at }
    const { result } = await inBatch(async (batch) => {
      const deferred = await batch.defer(payment, true)
      await batch.close()
      return deferred
    })
    expect(result).toMatchObject({ deferred_since: NOW, next_check_at: due })
    expect(await stored(payment.id)).toMatchObject({ deferred_since: NOW })
  })

  test('of a further report begins again, that of an answer does not; a settlement ends it', async () => {
    const payment = await added()
    const { result } = await inBatch(async (batch, tx) => {
      const before = { ...payment, deferred_since: minutes(-9) }
      const kept = await batch.defer(before, false)
      const further = await batch.defer(before, true)
      await batch.write()
      const written = await findPaymentById(tx, payment.id)
      const settled = await batch.settle(further)
      await batch.close()
      return { kept, further, written, settled }
    })
    expect(result.kept.deferred_since).toEqual(minutes(-9))
    expect(result.further.deferred_since).toEqual(NOW)
    expect(result.written?.deferred_since).toEqual(NOW)
    expect(result.settled.deferred_since).toBeNull()
    expect(await stored(payment.id)).toMatchObject({ deferred_since: null })
  })
})

test('a batch with deferrals of both kinds begins only that of the report again', async () => {
  const [asked, reported] = [await added(), await added()]
  const earlier = 'update gapura.gateway_payment set deferred_since = $1 where id = any($2)'
  await here.sql(earlier, [minutes(-9), [asked.id, reported.id]])
  await inBatch(async (batch) => {
    await batch.defer(asked, false)
    await batch.defer(reported, true)
    await batch.close()
  })
  expect(await stored(asked.id)).toMatchObject({ deferred_since: minutes(-9) })
  expect(await stored(reported.id)).toMatchObject({ deferred_since: NOW })
})

test.each<[string, (batch: PaymentWriteBatch, payment: GatewayPayment) => Promise<unknown>]>([
  ['details', async (batch, payment) => await batch.fill(payment, { va_number: '123' })],
  ['a deferral', async (batch, payment) => await batch.defer(payment, true)],
  ['a settlement', async (batch, payment) => await batch.settle(payment)],
])('%s written once is not written again', async (_, change) => {
  const payment = await added()
  const { statements } = await inBatch(async (batch) => {
    await change(batch, payment)
    await batch.write()
    await batch.close()
  })
  expect(statements).toHaveLength(1)
})

describe('steps', () => {
  test('of several payments are one statement, with history and events', async () => {
    const payments = [await added(), await added(), await added()]
    const { statements } = await inBatch(async (batch) => {
      batch.knowItems(new Map(payments.map(({ id }) => [id, []])))
      for (const one of payments) await batch.step(one, PENDING, recordOf('payment_received'))
      await batch.write()
      await batch.close()
    })
    expect(statements).toHaveLength(1)
    for (const { id } of payments) {
      expect(await stored(id)).toMatchObject({ ...PENDING, version: 2, updated_at: NOW })
      const events = await here.do(async (tx) => await readObjectEvents(tx, id, 1, 10))
      expect(events.map(({ type }) => type)).toEqual(['payment_received'])
    }
  })

  test('a second one of the same payment flushes the first, and both are in the history', async () => {
    const payment = await added()
    await inBatch(async (batch) => {
      const pending = await batch.step(payment, PENDING, recordOf(null))
      await batch.fill(pending, { va_number: '5' })
      await batch.step({ ...pending, va_number: '5' }, PAID, recordOf('payment_settled'))
      await batch.close()
    })
    expect(await stored(payment.id)).toMatchObject({
      transaction_status: 'settlement',
      va_number: '5',
      version: 3,
      booked_received: 10_000_00n,
    })
    const history = await here.do(async (tx) => await listTransitions(tx, payment.id))
    expect(history.map(({ to_status }) => to_status)).toEqual(['pending', 'settlement'])
  })

  test.each([false, true])(
    'with other changes first (%s) are all written by closeLast',
    async (more) => {
      const [payment, other] = [await added(), await added()]
      let also = 0
      await inBatch(async (batch) => {
        if (more) await batch.fill(other, { va_number: '7' })
        await batch.step(payment, PENDING, recordOf(null))
        await batch.closeLast(async () => {
          also += 1
          await Promise.resolve()
        })
      })
      expect(also).toBe(1)
      expect(await stored(payment.id)).toMatchObject(PENDING)
      expect((await stored(other.id)).va_number).toBe(more ? '7' : null)
    },
  )
})

test.each([
  ['received', undefined],
  ['received_late', true],
])('money that a refund brought back is posted once, without a step, as %s', async (kind, late) => {
  const paid = await here.do(async (tx) => await addPaidPayment(tx, 10_000_00n))
  const { result, statements } = await inBatch(async (batch) => {
    const posted = await batch.post({ ...paid, paid_at: NOW }, late)
    const again = await batch.post(posted, late)
    await batch.close()
    return again
  })
  expect(result.booked_received).toBe(10_000_00n)
  expect(statements).toHaveLength(1)
  expect((await stored(paid.id)).booked_received).toBe(10_000_00n)
  const postings = 'select kind from gapura.ledger_posting where payment_id = $1'
  expect(await here.sql(postings, [paid.id])).toEqual([{ kind }])
})

test('what payments belong to is updated after them, in the order of its ids', async () => {
  const of = (id: string, ids: Partial<GatewayPayment>): LinkedStep =>
    ({
      after: { id, invoice_id: null, subscription_id: null, checkout_id: null, ...ids },
    }) as LinkedStep
  const [low, high] = [newId(), newId()].sort() as [string, string]
  const steps = [
    of('4', { invoice_id: high }),
    of('2', { subscription_id: high }),
    of('3', { invoice_id: low }),
    of('1', { checkout_id: high }),
    of('0', { checkout_id: low }),
  ]
  for (const last of [false, true]) {
    const { linked } = await inBatch(async (batch) => {
      for (const step of steps) batch.notifyLinked(step)
      await (last ? batch.closeLast(async () => await Promise.resolve()) : batch.close())
      await batch.close()
    })
    expect(linked.map(({ after }) => after.id)).toEqual(['0', '1', '2', '3', '4'])
  }
})

test.each(['invoice_id', 'subscription_id', 'checkout_id'] as const)(
  'a payment with %s alone is enough for closeLast to update what it belongs to',
  async (field) => {
    const after = { invoice_id: null, subscription_id: null, checkout_id: null, [field]: newId() }
    const { linked } = await inBatch(async (batch) => {
      batch.notifyLinked({ after } as unknown as LinkedStep)
      await batch.closeLast(async () => await Promise.resolve())
    })
    expect(linked).toHaveLength(1)
  },
)
