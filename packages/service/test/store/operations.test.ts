import { describe, expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import {
  claimOperation,
  claimOverdueOperations,
  findClaims,
  type Claim,
} from '../../src/store/operations/claims.ts'
import {
  AttemptFenced,
  findOperation,
  finishOperation,
  finishOperations,
  hurryOperations,
  insertOperation,
  listOpenOperations,
  markOperationUnknown,
} from '../../src/store/operations/rows.ts'
import { insertRefund, reserveRefund } from '../../src/store/refunds/rows.ts'
import { addPaidPayment, newOperation, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const DUE_MS = 60_000

/** An operation that began, due now or later. */
const begin = async (due_in_ms = DUE_MS) =>
  await here.do(async (tx) => there(await insertOperation(tx, newOperation(newId()), due_in_ms)))

const claim = async (limit = 100) =>
  await here.do(async (tx) => await claimOverdueOperations(tx, { limit, lease_ms: DUE_MS }))

test('news about an object makes its unclear operation due, not one that is being worked on', async () => {
  const working = await begin()
  const unclear = await begin()
  await here.do(async (tx) => {
    await markOperationUnknown(tx, unclear, DUE_MS)
    await hurryOperations(tx, working.subject_id)
    await hurryOperations(tx, unclear.subject_id)
  })
  const claimed = (await claim()).map(({ id }) => id)
  expect(claimed).toContain(unclear.id)
  expect(claimed).not.toContain(working.id)
})

test('a claim that was not committed is not found under the same attempt of another process', async () => {
  const { id } = await begin(0)
  const claimOnce = async ({ is_lost }: { is_lost: boolean }) => {
    let claims: Claim[] = []
    const work = here.do(async (tx) => {
      claims = await claimOverdueOperations(tx, { limit: 100, lease_ms: DUE_MS })
      if (is_lost) throw new Error('the connection broke')
    })
    await work.catch(() => undefined)
    return claims.filter((one) => one.id === id)
  }
  const lost = await claimOnce({ is_lost: true })
  const made = await claimOnce({ is_lost: false })
  expect([lost, made].map(([one]) => one?.attempt)).toEqual([2, 2])
  expect(await here.do(async (tx) => await findClaims(tx, lost))).toEqual([])
  expect(await here.do(async (tx) => await findClaims(tx, made))).toEqual(made)
  await here.do(async (tx) => await markOperationUnknown(tx, there(made[0]), DUE_MS))
  expect(await here.do(async (tx) => await findClaims(tx, made))).toEqual([])
})

describe('one open operation for each object', () => {
  test('a second one is refused by returning undefined, until the first has ended', async () => {
    await here.do(async (tx) => {
      const subject = newId()
      const first = there(await insertOperation(tx, newOperation(subject), DUE_MS))
      const second = newOperation(subject, { kind: 'cancel' })
      expect(await insertOperation(tx, second, DUE_MS)).toBeUndefined()
      await markOperationUnknown(tx, first, 0)
      expect(await insertOperation(tx, second, DUE_MS)).toBeUndefined()
      await finishOperation(tx, first, { state: 'succeeded', reply: { status_code: '200' } })
      expect(await insertOperation(tx, second, DUE_MS)).toMatchObject({ state: 'started' })
    })
  })

  test('of many at once exactly one begins', async () => {
    const subject = newId()
    const race = Array.from(
      { length: 10 },
      async () =>
        await here.do(async (tx) => await insertOperation(tx, newOperation(subject), DUE_MS)),
    )
    expect((await Promise.all(race)).filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('refunds run beside each other and beside another operation', async () => {
    await here.do(async (tx) => {
      const payment = await addPaidPayment(tx, 100n)
      there(await insertOperation(tx, newOperation(payment.id, { kind: 'cancel' }), DUE_MS))
      for (const kind of ['refund', 'direct_refund', 'refund'] as const) {
        await reserveRefund(tx, payment.id, 10n)
        const refund = { payment_id: payment.id, owner_id: 'owner-1', refund_key: newId() }
        const { id } = there(
          await insertRefund(tx, {
            ...refund,
            id: newId(),
            amount: 10n,
            reason: 'r',
            is_direct: false,
          }),
        )
        there(await insertOperation(tx, newOperation(payment.id, { kind, refund_id: id }), DUE_MS))
      }
      const open = await listOpenOperations(tx, payment.id)
      expect(open.map(({ kind }) => kind).sort()).toEqual([
        'cancel',
        'direct_refund',
        'refund',
        'refund',
      ])
    })
  })
})

describe('an answer', () => {
  test('ends the operation and keeps the reply', async () => {
    const operation = await begin()
    const reply = { status_code: '200', nested: { a: [1] } }
    const finished = await here.do(
      async (tx) => await finishOperation(tx, operation, { state: 'succeeded', reply }),
    )
    expect(finished).toEqual({
      ...operation,
      state: 'succeeded',
      reply,
      due_at: null,
      updated_at: finished?.updated_at,
    })
    expect(await here.do(async (tx) => await listOpenOperations(tx, operation.subject_id))).toEqual(
      [],
    )
  })

  test('of a process that slept is dropped once another attempt has begun', async () => {
    const slept = await begin(0)
    const awake = (await claim()).find(({ id }) => id === slept.id)
    await here.do(async (tx) => {
      expect(await finishOperation(tx, slept, { state: 'refused', reply: null })).toBeUndefined()
      expect(await markOperationUnknown(tx, slept, 0)).toBeUndefined()
      expect(await claimOperation(tx, slept, DUE_MS)).toBeUndefined()
      expect(await findOperation(tx, slept.id)).toMatchObject({ state: 'started', attempt: 2 })
      expect(
        await finishOperation(tx, there(awake), { state: 'succeeded', reply: null }),
      ).toBeDefined()
    })
  })

  test('of several, one of which another attempt has: none is recorded', async () => {
    const [mine, slept] = [await begin(), await begin(0)]
    await claim()
    const finished = [mine, slept].map(({ id, attempt }) => ({ id, attempt, reply: {} }))
    const finishing = here.do(async (tx) => await finishOperations(tx, finished, new Date()))
    await expect(finishing).rejects.toThrow(AttemptFenced)
    expect(await here.do(async (tx) => await findOperation(tx, mine.id))).toEqual(mine)
  })

  test.each([1, 3])('of %i at once ends each and keeps its reply', async (count) => {
    const begun = await Promise.all(Array.from({ length: count }, async () => await begin()))
    const finished = begun.map(({ id, attempt }) => ({ id, attempt, reply: { of: id } }))
    await here.do(async (tx) => await finishOperations(tx, finished, new Date()))
    for (const { id } of begun) {
      const ended = { state: 'succeeded', reply: { of: id }, due_at: null }
      expect(await here.do(async (tx) => await findOperation(tx, id))).toMatchObject(ended)
    }
  })

  test('is recorded once: an ended operation does not end again', async () => {
    const operation = await begin()
    await here.do(async (tx) => {
      await finishOperation(tx, operation, { state: 'refused', reply: null })
      expect(await finishOperation(tx, operation, { state: 'succeeded', reply: null })).toBe(
        undefined,
      )
      expect(await findOperation(tx, operation.id)).toMatchObject({ state: 'refused' })
    })
  })
})

describe('the resolver', () => {
  test('claims what is past its time, unknown or never answered, and begins a new attempt', async () => {
    const started = await begin(-2_000)
    const unknown = await begin()
    const early = await begin()
    await here.do(async (tx) => await markOperationUnknown(tx, unknown, -1_000))
    const claimed = (await claim()).map(({ id, attempt }) => [id, attempt])
    expect(claimed).toEqual(
      expect.arrayContaining([
        [started.id, 2],
        [unknown.id, 2],
      ]),
    )
    expect(claimed.map(([id]) => id)).not.toContain(early.id)
    expect(await claim()).toEqual([])
  })

  test('many resolvers at once never claim the same operation', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await begin(-1)).id))
    const claimed = await Promise.all([claim(7), claim(7), claim(7), claim(7)])
    expect(
      claimed
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.sort())
  })

  test('a caller’s own repeat begins the next attempt in the same way', async () => {
    const operation = await begin()
    await here.do(async (tx) => {
      const repeated = await claimOperation(tx, operation, DUE_MS)
      expect(repeated).toMatchObject({ attempt: 2, state: 'started' })
      expect(await claimOperation(tx, operation, DUE_MS)).toBeUndefined()
    })
  })
})

test('an open operation that is never due cannot be written', async () => {
  const { id } = await begin()
  await expect(
    here.sql('update gapura.gateway_operation set due_at = null where id = $1', [id]),
  ).rejects.toThrow('open_is_due')
})
