import { describe, expect, test } from 'vitest'
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  finishIdempotencyKey,
  forgetIdempotencyKey,
  purgeIdempotencyKeys,
} from '../../src/store/idempotency_keys.ts'
import { newId } from '../../src/store/ids.ts'
import { finishOperation, insertOperation } from '../../src/store/operations.ts'
import { moveClock } from '../../src/store/settings.ts'
import { newOperation, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const HOUR_MS = 3_600_000

const claim = async (key: string, owner_id = 'owner-1', operation_id: string | null = null) =>
  await here.do(
    async (tx) =>
      await claimIdempotencyKey(tx, { owner_id, key, fingerprint: 'print', operation_id }),
  )

const find = async (key: string) =>
  await here.do(async (tx) => await findIdempotencyKey(tx, 'owner-1', key))

describe('a key', () => {
  test('is claimed once; afterwards one is told what is there', async () => {
    expect(await claim('once')).toMatchObject({ claimed: true, row: { reply_code: null } })
    expect(await claim('once')).toMatchObject({ claimed: false, row: { fingerprint: 'print' } })
  })

  test('of another owner is another key', async () => {
    await claim('shared', 'a')
    expect(await claim('shared', 'b')).toMatchObject({ claimed: true })
  })

  test('is claimed by exactly one of many at once', async () => {
    const race = await Promise.all(Array.from({ length: 12 }, async () => await claim('race')))
    expect(race.filter(({ claimed }) => claimed)).toHaveLength(1)
  })

  test('is free again if the one who claimed it rolled back, also for one who waited', async () => {
    const claimed = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const first = here.do(async (tx) => {
      const key = { owner_id: 'owner-1', key: 'back', fingerprint: 'f', operation_id: null }
      await claimIdempotencyKey(tx, key)
      claimed.resolve()
      await gate.promise
      throw new Error('no')
    })
    await claimed.promise
    const waiting = claim('back')
    gate.resolve()
    await expect(first).rejects.toThrow('no')
    expect(await waiting).toMatchObject({ claimed: true, row: { fingerprint: 'print' } })
  })

  test('keeps the first definite reply, byte for byte', async () => {
    const operation_id = newId()
    await claim('kept', 'owner-1', operation_id)
    const body = '{"amount": "1.00", "z":1}'
    await here.do(async (tx) => {
      expect(await finishIdempotencyKey(tx, operation_id, { code: 201, body })).toBe(true)
      expect(await finishIdempotencyKey(tx, operation_id, { code: 400, body: 'other' })).toBe(false)
      await forgetIdempotencyKey(tx, operation_id)
    })
    expect(await find('kept')).toMatchObject({ reply_code: 201, reply_body: body })
  })

  test('is free again when its operation came to nothing', async () => {
    const operation_id = newId()
    await claim('freed', 'owner-1', operation_id)
    await here.do(async (tx) => await forgetIdempotencyKey(tx, operation_id))
    expect(await find('freed')).toBeUndefined()
    expect(await claim('freed')).toMatchObject({ claimed: true })
  })
})

test('the purge takes what is old, but never a key whose operation is open', async () => {
  const operation = await here.do(async (tx) =>
    there(await insertOperation(tx, newOperation(newId()), HOUR_MS)),
  )
  await claim('open', 'owner-1', operation.id)
  await claim('old')
  await here.do(async (tx) => await moveClock(tx, 25 * HOUR_MS))
  await claim('young')
  const purge = async () =>
    await here.do(
      async (tx) => await purgeIdempotencyKeys(tx, { older_than_hours: 24, limit: 1_000 }),
    )
  await purge()
  expect(await find('old')).toBeUndefined()
  expect(await find('open')).toBeDefined()
  expect(await find('young')).toBeDefined()
  await here.do(
    async (tx) => await finishOperation(tx, operation, { state: 'succeeded', reply: null }),
  )
  expect(await purge()).toBe(1)
  expect(await find('open')).toBeUndefined()
})
