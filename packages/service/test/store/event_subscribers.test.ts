import { describe, expect, test } from 'vitest'
import { buryEvent, listDeadEvents, reviveObject } from '../../src/store/events/dead_events.ts'
import {
  acquireLease,
  advanceCursor,
  findSubscriber,
  registerSubscriber,
  releaseLease,
  renewLease,
} from '../../src/store/events/subscribers.ts'
import { appendEvent, readEvents, type EventPlace } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { addPayment, there } from './sample_rows.ts'
import { eventually, useDatabase } from './test_database.ts'

const here = useDatabase()
const LEASE_MS = 10_000

const acquire = async (name: string, holder: string) =>
  await here.do(async (tx) => await acquireLease(tx, { name, holder, lease_ms: LEASE_MS }))

const register = async (name: string) =>
  await here.do(async (tx) => await registerSubscriber(tx, name, 'beginning'))

const place = (xid: string, sequence = 1, object_id = newId()): EventPlace => ({
  xid,
  sequence,
  object_id,
})

const addEvent = async () =>
  await here.do(async (tx) => {
    const payment = await addPayment(tx)
    return await appendEvent(tx, {
      id: newId(),
      type: 'payment_received',
      object_kind: 'payment',
      object_id: payment.id,
      object: payment,
      previous_status: null,
      source: 'charge',
      notification_id: null,
    })
  })

describe('a lease', () => {
  test('has one holder at a time, also when many ask at once', async () => {
    await register('one')
    const asked = await Promise.all(
      Array.from({ length: 10 }, async (_, holder) => await acquire('one', `process-${holder}`)),
    )
    expect(asked.filter((lease) => lease !== undefined)).toHaveLength(1)
  })

  test('goes to another when it ran out, and the paused holder’s writes are refused', async () => {
    await register('sleepy')
    const sleeper = there(await acquire('sleepy', 'sleeper'))
    expect(await acquire('sleepy', 'waiting')).toBeUndefined()
    await here.do(async (tx) => await moveClock(tx, LEASE_MS + 1))
    const awake = there(await acquire('sleepy', 'waiting'))
    expect(awake.lease_token).toBeGreaterThan(sleeper.lease_token)
    await here.do(async (tx) => {
      expect(await renewLease(tx, sleeper, LEASE_MS)).toBe(false)
      expect(await advanceCursor(tx, sleeper, place('10'))).toBe(false)
      await releaseLease(tx, sleeper)
      expect(await advanceCursor(tx, awake, place('10'))).toBe(true)
    })
    expect(await acquire('sleepy', 'sleeper')).toBeUndefined()
  })

  test('renewed in time is kept; released it is free at once', async () => {
    await register('renewed')
    const lease = there(await acquire('renewed', 'a'))
    await here.do(async (tx) => {
      await moveClock(tx, LEASE_MS - 1_000)
      expect(await renewLease(tx, lease, LEASE_MS)).toBe(true)
      await moveClock(tx, LEASE_MS - 1_000)
    })
    expect(await acquire('renewed', 'b')).toBeUndefined()
    await here.do(async (tx) => await releaseLease(tx, lease))
    expect(await acquire('renewed', 'b')).toBeDefined()
  })

  test('taken again by its holder fences the holder’s earlier lease', async () => {
    await register('again')
    const before = there(await acquire('again', 'a'))
    const after = there(await acquire('again', 'a'))
    await here.do(async (tx) => {
      expect(await advanceCursor(tx, before, place('5'))).toBe(false)
      expect(await advanceCursor(tx, after, place('5'))).toBe(true)
    })
  })

  test('of an unknown subscriber is refused', async () => {
    expect(await acquire('unknown', 'a')).toBeUndefined()
  })
})

describe('a cursor', () => {
  test('only moves forward', async () => {
    await register('forward')
    const lease = there(await acquire('forward', 'a'))
    const object_id = newId()
    await here.do(async (tx) => {
      expect(await advanceCursor(tx, lease, place('100', 2, object_id))).toBe(true)
      expect(await advanceCursor(tx, lease, place('100', 2, object_id))).toBe(false)
      expect(await advanceCursor(tx, lease, place('99', 9, object_id))).toBe(false)
      // As numbers, not as text.
      expect(await advanceCursor(tx, lease, place('1000', 1, object_id))).toBe(true)
    })
  })

  test('is not moved by registering again', async () => {
    await register('kept')
    const lease = there(await acquire('kept', 'a'))
    await here.do(async (tx) => await advanceCursor(tx, lease, place('7')))
    await register('kept')
    expect(await here.do(async (tx) => await findSubscriber(tx, 'kept'))).toMatchObject({
      cursor_xid: '7',
    })
  })

  test('that starts now sees later events, not earlier ones', async () => {
    const before = await addEvent()
    await eventually(
      async () =>
        await here.do(async (tx) => {
          await tx.query("delete from gapura.event_subscriber where name = 'now'")
          await registerSubscriber(tx, 'now', 'now')
          return there(await findSubscriber(tx, 'now'))
        }),
      ({ cursor_xid }) => BigInt(cursor_xid) > BigInt(before.xid),
    )
    const after = await addEvent()
    const { cursor_xid, cursor_object_id, cursor_sequence } = there(
      await here.do(async (tx) => await findSubscriber(tx, 'now')),
    )
    const start = { xid: cursor_xid, object_id: cursor_object_id, sequence: cursor_sequence }
    const seen = await eventually(
      async () => await here.do(async (tx) => await readEvents(tx, start, 10)),
      (events) => events.length > 0,
    )
    expect(seen.map(({ id }) => id)).toEqual([after.id])
  })
})

test('a dead event blocks its object for one subscriber until it is revived', async () => {
  await register('failing')
  const event = await addEvent()
  await here.do(async (tx) => {
    await buryEvent(tx, 'failing', event, { attempts: 5, error: 'boom' })
    await buryEvent(tx, 'failing', event, { attempts: 6, error: 'boom again' })
    const next = { ...event, id: newId(), sequence: 2 }
    await buryEvent(tx, 'failing', next, { attempts: 1, error: 'behind the first' })
    expect(await listDeadEvents(tx, 'failing', 10)).toMatchObject([
      { event_id: event.id, sequence: 1, attempts: 6, error: 'boom again', owner_id: 'owner-1' },
    ])
    expect(await reviveObject(tx, 'failing', event.object_id)).toMatchObject({ sequence: 1 })
    expect(await reviveObject(tx, 'failing', event.object_id)).toBeUndefined()
    expect(await listDeadEvents(tx, 'failing', 10)).toEqual([])
  })
})
