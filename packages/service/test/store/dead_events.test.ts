import { expect, test } from 'vitest'
import {
  buryEvent,
  findBlockedObjects,
  isDeadAnywhere,
  listDeadEvents,
  listDueRetries,
  releaseDeadEvent,
  reviveObject,
} from '../../src/store/events/dead_events.ts'
import {
  acquireLease,
  advanceCursor,
  registerSubscriber,
} from '../../src/store/events/subscribers.ts'
import { appendEvent, readPassedEvents } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { addPayment, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

/** A new subscriber and one object with so many events. */
async function eventsOf(name: string, count: number) {
  return await here.do(async (tx) => {
    await registerSubscriber(tx, name, 'beginning')
    const payment = await addPayment(tx)
    const events = []
    for (let n = 0; n < count; n++) {
      events.push(
        await appendEvent(tx, {
          id: newId(),
          type: 'payment_received',
          object_kind: 'payment',
          object_id: payment.id,
          object: payment,
          previous_status: null,
          source: 'charge',
          notification_id: null,
        }),
      )
    }
    return events
  })
}
const failure = { attempts: 1, error: 'boom' }

test('a dead event is due when its time has come, and blocks its object until then', async () => {
  const [event] = await eventsOf('waiting', 1)
  const { object_id } = there(event)
  const due = async () => await here.do((tx) => listDueRetries(tx, 'waiting', 10))
  await here.do((tx) => buryEvent(tx, 'waiting', there(event), { ...failure, retry_in_ms: 60_000 }))
  expect(await due()).toEqual([])
  const blocked = await here.do((tx) => findBlockedObjects(tx, 'waiting', [object_id, newId()]))
  expect([...blocked]).toEqual([object_id])
  expect(await here.do((tx) => listDeadEvents(tx, 'waiting', 10))).toEqual([])
  await here.do((tx) => moveClock(tx, 60_001))
  expect(await due()).toMatchObject([{ object_id, sequence: 1, attempts: 1 }])
  await here.do((tx) => reviveObject(tx, 'waiting', object_id))
  expect(await here.do((tx) => findBlockedObjects(tx, 'waiting', [object_id]))).toEqual(new Set())
})

test('one that is being retried gives way to a later event, never to an earlier one', async () => {
  const [first, second] = await eventsOf('ahead', 2)
  const retried = { ...failure, retry_in_ms: 0 }
  await here.do(async (tx) => {
    await buryEvent(tx, 'ahead', there(first), retried)
    await buryEvent(tx, 'ahead', there(second), { ...retried, error: 'the next' })
    await buryEvent(tx, 'ahead', there(first), { ...retried, error: 'too late' })
    expect(await listDueRetries(tx, 'ahead', 10)).toMatchObject([
      { sequence: 2, error: 'the next' },
    ])
  })
})

test('released manually it is due at once, from itself or from the event after it', async () => {
  const [event] = await eventsOf('released', 1)
  const { object_id, id: event_id } = there(event)
  const which = { subscriber: 'released', object_id }
  await here.do(async (tx) => {
    expect(await releaseDeadEvent(tx, which, 'retry')).toBeUndefined()
    await buryEvent(tx, 'released', there(event), failure)
    expect(await isDeadAnywhere(tx, { object_id, event_id })).toBe(true)
    expect(await releaseDeadEvent(tx, which, 'retry')).toMatchObject({ sequence: 1, attempts: 1 })
    expect(await isDeadAnywhere(tx, { object_id, event_id })).toBe(false)
    expect(await listDueRetries(tx, 'released', 10)).toMatchObject([{ sequence: 1, attempts: 0 }])
    await buryEvent(tx, 'released', there(event), failure)
    await releaseDeadEvent(tx, which, 'skip')
    expect(await listDueRetries(tx, 'released', 10)).toMatchObject([{ sequence: 2, attempts: 0 }])
    expect(await releaseDeadEvent(tx, which, 'skip')).toBeUndefined()
  })
})

test('the events that wait behind it end at the cursor', async () => {
  const events = await eventsOf('passed', 5)
  const [first, second, third] = events.map((event) => there(event))
  const passed = async () =>
    (await here.do((tx) => readPassedEvents(tx, 'passed', there(second), 10))).map(
      ({ sequence }) => sequence,
    )
  expect(await passed()).toEqual([])
  await here.do(async (tx) => {
    const lease = await acquireLease(tx, { name: 'passed', holder: 'a', lease_ms: 1_000 })
    await advanceCursor(tx, there(lease), there(third))
  })
  expect(first?.sequence).toBe(1)
  expect(await passed()).toEqual([2, 3])
})
