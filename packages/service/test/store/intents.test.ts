import { describe, expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import {
  findIntent,
  keepOperationReply,
  purgeOldKeys,
  purgeReplies,
  releaseIntent,
} from '../../src/store/operations/intents.ts'
import { finishOperation, insertOperation } from '../../src/store/operations/rows.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { insertRefund } from '../../src/store/refunds/rows.ts'
import { addPaidPayment, newOperation, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const HOUR_MS = 3_600_000

const intentOf = (key: string, owner_id = 'owner-1') => ({ owner_id, key, fingerprint: 'print' })

/** An operation on an object of its own that carries the intent; undefined if another one does. */
const carry = async (key: string, owner_id = 'owner-1') =>
  await here.do(
    async (tx) =>
      await insertOperation(tx, newOperation(newId()), HOUR_MS, intentOf(key, owner_id)),
  )
const find = async (key: string, owner_id = 'owner-1') =>
  await here.do(async (tx) => await findIntent(tx, { owner_id, key }))
const end = async (
  operation: { id: string; attempt: number },
  state: 'succeeded' | 'refused' = 'succeeded',
) => await here.do(async (tx) => await finishOperation(tx, operation, { state, reply: null }))

describe('an intent', () => {
  test('is carried by one operation; a second one is not written', async () => {
    const first = there(await carry('once'))
    expect(await carry('once')).toBeUndefined()
    expect(await find('once')).toMatchObject({ operation: { id: first.id }, fingerprint: 'print' })
  })

  test('of another owner is another intent', async () => {
    await carry('shared', 'a')
    expect(await carry('shared', 'b')).toBeDefined()
  })

  test('goes to exactly one of many at once', async () => {
    const race = await Promise.all(Array.from({ length: 12 }, async () => await carry('race')))
    expect(race.filter((operation) => operation !== undefined)).toHaveLength(1)
  })

  test('is free again if the transaction that carried it rolled back, also for one that waited', async () => {
    const inserted = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const first = here.do(async (tx) => {
      await insertOperation(tx, newOperation(newId()), HOUR_MS, intentOf('back'))
      inserted.resolve()
      await gate.promise
      throw new Error('no')
    })
    await inserted.promise
    const waiting = carry('back')
    gate.resolve()
    await expect(first).rejects.toThrow('no')
    expect(await waiting).toBeDefined()
  })

  test('moves to another operation only after its own was refused', async () => {
    const open = there(await carry('open'))
    const release = async () => await here.do(async (tx) => await releaseIntent(tx, open.id))
    expect(await release()).toBe(false)
    await end(open, 'refused')
    expect(await release()).toBe(true)
    expect(await release()).toBe(false)
    expect(await carry('open')).toBeDefined()
  })

  test('never leaves an operation that succeeded', async () => {
    const done = there(await carry('done'))
    await end(done)
    expect(await here.do(async (tx) => await releaseIntent(tx, done.id))).toBe(false)
  })
})

describe('a reply', () => {
  const keep = async (id: string, code: number, body: string) =>
    await here.do(async (tx) => await keepOperationReply(tx, id, { code, body }))

  test('is stored byte for byte, and the first one stays', async () => {
    const { id } = there(await carry('kept'))
    const body = '{"amount": "1.00", "z":1}'
    await keep(id, 201, body)
    await keep(id, 400, 'other')
    expect((await find('kept'))?.reply).toEqual({ code: 201, body })
  })

  test('is not kept for an operation without an intent', async () => {
    const operation = await here.do(async (tx) =>
      there(await insertOperation(tx, newOperation(newId()), HOUR_MS)),
    )
    await keep(operation.id, 201, '{}')
    const rows = await here.sql('select from gapura.operation_reply where operation_id = $1', [
      operation.id,
    ])
    expect(rows).toEqual([])
  })

  test('is purged by the age of its end; the intent stays for ever', async () => {
    const early = there(await carry('early'))
    await end(early)
    await keep(early.id, 201, '{}')
    const slow = there(await carry('slow'))
    await here.do(async (tx) => await moveClock(tx, 25 * HOUR_MS))
    await end(slow)
    await keep(slow.id, 201, '{}')
    const old = { older_than_hours: 24, limit: 1_000 }
    const purge = async () => await here.do(async (tx) => await purgeReplies(tx, old))
    await purge()
    expect(await find('early')).toMatchObject({ operation: { id: early.id }, reply: null })
    expect((await find('slow'))?.reply).toEqual({ code: 201, body: '{}' })
    await here.do(async (tx) => await moveClock(tx, 25 * HOUR_MS))
    expect(await purge()).toBe(1)
    expect(await find('slow')).toMatchObject({ operation: { id: slow.id }, reply: null })
    expect(await carry('slow')).toBeUndefined()
  })
})

describe('a process of the previous release, during a rolling deploy', () => {
  const claim = async (key: string, operation_id: string) =>
    await here.sql(
      `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
       values ('owner-1', $1, 'print', $2)`,
      [key, operation_id],
    )

  test('claims a key before its operation: the operation carries the intent', async () => {
    const operation = newOperation(newId())
    await claim('before', operation.id)
    await here.do(async (tx) => await insertOperation(tx, operation, HOUR_MS))
    expect(await find('before')).toMatchObject({ operation: { id: operation.id } })
    expect(await carry('before')).toBeUndefined()
  })

  test('claims a key after its operation: the operation carries the intent', async () => {
    const operation = newOperation(newId())
    await here.do(async (tx) => await insertOperation(tx, operation, HOUR_MS))
    await claim('after', operation.id)
    expect(await find('after')).toMatchObject({ operation: { id: operation.id } })
  })

  const claimUnlessTaken = async (key: string) =>
    await here.sql(
      `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
       values ('owner-1', $1, 'print', gen_random_uuid())
       on conflict (owner_id, key) do nothing
       returning key`,
      [key],
    )
  const keyRow = async (key: string) =>
    (
      await here.sql(
        'select operation_id, reply_code, reply_body from gapura.idempotency_key where key = $1',
        [key],
      )
    )[0]

  test('repeats an intent of this release: it finds that operation, and its reply once there is one', async () => {
    const { id } = there(await carry('new'))
    expect(await claimUnlessTaken('new')).toEqual([])
    expect(await keyRow('new')).toMatchObject({ operation_id: id, reply_code: null })
    await end({ id, attempt: 1 })
    await here.do(async (tx) => await keepOperationReply(tx, id, { code: 201, body: '{}' }))
    expect(await claimUnlessTaken('new')).toEqual([])
    expect(await keyRow('new')).toEqual({ operation_id: id, reply_code: 201, reply_body: '{}' })
  })

  test('claims a key that no operation carries: it is claimed as before', async () => {
    expect(await claimUnlessTaken('free')).toEqual([{ key: 'free' }])
  })

  test('makes the refund of an approved request: the refund names the request', async () => {
    const request_id = newId()
    const operation = newOperation(newId(), { kind: 'refund' })
    await claim(`refund-request:${request_id}`, operation.id)
    const refund_id = await here.do(async (tx) => {
      const { id: payment_id } = await addPaidPayment(tx, 100n)
      const refund = { id: newId(), payment_id, owner_id: 'owner-1', refund_key: newId() }
      await insertRefund(tx, { ...refund, amount: 10n, reason: '', is_direct: false })
      await insertOperation(tx, { ...operation, refund_id: refund.id }, HOUR_MS)
      return refund.id
    })
    const rows = await here.sql(
      'select refund_request_id from gapura.gateway_refund where id = $1',
      [refund_id],
    )
    expect(rows).toEqual([{ refund_request_id: request_id }])
    expect(await find(`refund-request:${request_id}`, '')).toBeDefined()
  })

  test('stores a reply: it is found here, and the purge of old keys leaves it', async () => {
    const operation = newOperation(newId())
    await here.do(async (tx) => await insertOperation(tx, operation, HOUR_MS))
    await claim('replied', operation.id)
    await here.sql(
      `update gapura.idempotency_key
       set reply_code = 201, reply_body = '{}', finished_at = gapura.now()
       where key = 'replied'`,
    )
    expect((await find('replied'))?.reply).toEqual({ code: 201, body: '{}' })
    await here.do(async (tx) => await moveClock(tx, 25 * HOUR_MS))
    const old = { older_than_hours: 24, limit: 1_000 }
    expect(await here.do(async (tx) => await purgeOldKeys(tx, old))).toBeGreaterThan(0)
    expect((await find('replied'))?.reply).toEqual({ code: 201, body: '{}' })
  })
})
