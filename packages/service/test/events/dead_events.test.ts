import { describe, expect, test } from 'vitest'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import { retryDeadEvent, skipDeadEvent } from '../../src/services/staff/dead_events.ts'
import { listOpenAlarms } from '../../src/store/staff/alarms.ts'
import { findBlockedObjects, listDeadEvents } from '../../src/store/events/dead_events.ts'
import { findSubscriber, registerSubscriber } from '../../src/store/events/subscribers.ts'
import type { Context } from '../../src/services/context.ts'
import { STAFF, ownerOf } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()
const { here } = bench
// Only its database is used here.
const ctx = (): Context => ({ db: here.db }) as Context

const deadOf = async (name: string) => await here.do((tx) => listDeadEvents(tx, name, 100))
const alarms = async () =>
  (await here.do((tx) => listOpenAlarms(tx, 100))).filter(({ kind }) => kind === 'event_dead')

const until = async (recorder: Recorder, id: string, sequences: number[]) =>
  await eventually(
    () => Promise.resolve(recorder.sequencesOf(id)),
    (delivered) => delivered.length >= sequences.length,
  )

/** A subscriber that fails at the given events until it is repaired. */
async function failing(name: string, count: number, fails: (event: SignalEnvelope) => boolean) {
  const [bad = '', good = ''] = await bench.payments(2)
  const recorder = new Recorder()
  const state = { broken: true }
  const subscriber = recorder.subscriber(name, (event) => {
    if (state.broken && event.object.id === bad && fails(event)) throw new Error('boom')
  })
  await bench.relay({ subscribers: [subscriber] })
  await bench.publish(bad, count)
  await bench.publish(good, count)
  const [dead] = await eventually(
    () => deadOf(name),
    (rows) => rows.length > 0,
  )
  return { bad, good, recorder, state, dead }
}

describe('an event that keeps failing', () => {
  test('becomes a dead event with an alarm, and blocks only its own object', async () => {
    const { bad, good, recorder, dead } = await failing('dying', 4, (e) => e.sequence === 2)
    await until(recorder, good, [1, 2, 3, 4])
    expect(recorder.sequencesOf(good)).toEqual([1, 2, 3, 4])
    expect(recorder.sequencesOf(bad)).toEqual([1])
    expect(dead).toMatchObject({ object_id: bad, sequence: 2, attempts: 3, error: 'Error: boom' })
    expect(await alarms()).toMatchObject([{ subject_id: dead?.event_id, owner_id: 'owner-1' }])
  })

  test('is delivered after a manual retry, with later events in order, and its alarm closes', async () => {
    const before = (await alarms()).length
    const { bad, recorder, state, dead } = await failing('retried', 3, (e) => e.sequence === 1)
    expect(await alarms()).toHaveLength(before + 1)
    await bench.publish(bad, 2)
    state.broken = false
    const which = { subscriber: 'retried', object_id: bad }
    expect(await retryDeadEvent(ctx(), ownerOf('owner-1'), which)).toBeUndefined()
    expect(await retryDeadEvent(ctx(), STAFF, which)).toMatchObject({ event_id: dead?.event_id })
    await until(recorder, bad, [1, 2, 3, 4, 5])
    expect(recorder.sequencesOf(bad)).toEqual([1, 2, 3, 4, 5])
    expect(await alarms()).toHaveLength(before)
    expect(await retryDeadEvent(ctx(), STAFF, which)).toBeUndefined()
    await bench.publish(bad)
    await until(recorder, bad, [1, 2, 3, 4, 5, 6])
    expect(recorder.sequencesOf(bad)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('becomes dead again with a new alarm when the manual retry fails', async () => {
    const { bad, dead } = await failing('vain', 1, () => true)
    await retryDeadEvent(ctx(), STAFF, { subscriber: 'vain', object_id: bad })
    const again = await eventually(
      () => deadOf('vain'),
      (rows) => rows.length > 0,
    )
    expect(again).toMatchObject([{ event_id: dead?.event_id, attempts: 3 }])
    expect((await alarms()).map(({ subject_id }) => subject_id)).toContain(dead?.event_id)
  })

  test('is never delivered after a manual skip, and the events behind it are', async () => {
    const { bad, recorder } = await failing('skipped', 3, (e) => e.sequence === 2)
    const which = { subscriber: 'skipped', object_id: bad }
    expect(await skipDeadEvent(ctx(), STAFF, which)).toMatchObject({ sequence: 2 })
    await until(recorder, bad, [1, 3])
    expect(recorder.sequencesOf(bad)).toEqual([1, 3])
    await bench.publish(bad)
    await until(recorder, bad, [1, 3, 4])
    expect(recorder.sequencesOf(bad)).toEqual([1, 3, 4])
  })

  test('more than a page of events waiting behind it is delivered page by page, none left out', async () => {
    const [id = ''] = await bench.payments(1)
    await here.do((tx) => registerSubscriber(tx, 'pages', 'now'))
    const recorder = new Recorder()
    let broken = true
    const subscriber = recorder.subscriber('pages', () => {
      if (broken) throw new Error('away')
    })
    await bench.relay({ subscribers: [subscriber], page_max: 5, attempts_max: 10_000 })
    await bench.publish(id, 23)
    // Only when the cursor has passed all of them do they all depend on the retry.
    const cursor = await eventually(
      () => here.do((tx) => findSubscriber(tx, 'pages')),
      (now) => now?.cursor_object_id === id && now.cursor_sequence === 23,
    )
    expect(cursor).toMatchObject({ cursor_object_id: id, cursor_sequence: 23 })
    broken = false
    // The retry has ended when the object is no longer blocked.
    const aside = async () => (await here.do((tx) => findBlockedObjects(tx, 'pages', [id]))).size
    expect(await eventually(aside, (size) => size === 0)).toBe(0)
    expect(recorder.sequencesOf(id)).toEqual(Array.from({ length: 23 }, (_, n) => n + 1))
  })
})

test('two staff members who release the same event at once close its alarm once', async () => {
  const ids = await bench.payments(20)
  const fails = (name: string) =>
    new Recorder().subscriber(name, ({ object }) => {
      if (ids.includes(object.id)) throw new Error('boom')
    })
  const relay = await bench.relay({ subscribers: [fails('left'), fails('right')], attempts_max: 1 })
  await Promise.all(ids.map(async (id) => await bench.publish(id)))
  await eventually(
    async () => [await deadOf('left'), await deadOf('right')],
    (both) => both.every(({ length }) => length === ids.length),
  )
  await relay.stop()
  const dead = new Set((await deadOf('left')).map(({ event_id }) => event_id))
  const ofThese = async () =>
    (await alarms()).filter(({ subject_id }) => dead.has(subject_id)).length
  expect(await ofThese()).toBe(ids.length)
  for (const object_id of ids) {
    await Promise.all([
      retryDeadEvent(ctx(), STAFF, { subscriber: 'left', object_id }),
      skipDeadEvent(ctx(), STAFF, { subscriber: 'right', object_id }),
    ])
  }
  expect(await ofThese()).toBe(0)
})

test('a handler that exceeds its time has failed, and its signal is aborted', async () => {
  const [id = ''] = await bench.payments(1)
  let aborted = false
  const recorder = new Recorder()
  const { hears, start } = recorder.subscriber('hanging')
  const hanging = {
    name: 'hanging',
    hears,
    signals: ['payment_received' as const],
    start,
    deliver: async (_event: unknown, signal: AbortSignal) =>
      await new Promise<void>(() => {
        signal.addEventListener('abort', () => (aborted = true))
      }),
  }
  await bench.relay({ subscribers: [hanging], handler_timeout_ms: 20 })
  await bench.publish(id)
  const dead = await eventually(
    () => deadOf('hanging'),
    (rows) => rows.length > 0,
  )
  expect(dead[0]?.error).toMatch('the handler did not end within 20 ms')
  expect(aborted).toBe(true)
})
