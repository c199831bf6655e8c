// Subscribers that are gone, and events that others do not want: neither counts as waiting.
import { expect, test } from 'vitest'
import type { Context } from '../../src/services/context.ts'
import { retireEventSubscriber } from '../../src/services/staff/retire_subscriber.ts'
import { listDeadEvents } from '../../src/store/events/dead_events.ts'
import { listObjectEvents } from '../../src/store/events/history.ts'
import { findSubscriber } from '../../src/store/events/subscribers.ts'
import { measureOutbox } from '../../src/store/maintenance/gauges.ts'
import { listOpenAlarms } from '../../src/store/staff/alarms.ts'
import { STAFF } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()
const { here } = bench
// Only its database is used here.
const ctx = (): Context => ({ db: here.db }) as Context

const retire = async (subscriber: string) =>
  await retireEventSubscriber(ctx(), STAFF, { subscriber, reason: 'the code is gone' })
const waitingFor = async (id: string) =>
  (await here.do((tx) => listObjectEvents(tx, id))).map(({ waiting }) => waiting)
const lagging = async () =>
  (await here.do(measureOutbox))
    .filter(({ lag_s }) => lag_s > 0)
    .map(({ subscriber }) => subscriber)
/** Registers subscribers whose process then ends. */
const leave = async (...subscribers: ReturnType<Recorder['subscriber']>[]) => {
  const relay = await bench.relay({ subscribers })
  await relay.stop()
}

test('an event waits only for subscribers of its signal, and only for them does the lag grow', async () => {
  const recorder = new Recorder()
  await leave(
    recorder.subscriber('invoices', undefined, ['invoice_paid']),
    recorder.subscriber('goods', undefined, ['payment_received']),
  )
  const [id = ''] = await bench.payments(1)
  await bench.publish(id)
  expect(await waitingFor(id)).toEqual([['goods']])
  await here.sql(
    `update gapura.gateway_event
     set occurred_at = occurred_at - interval '1 second'
     where object_id = $1`,
    [id],
  )
  expect(await lagging()).toEqual(['goods'])

  expect(await retire('goods')).toEqual({ subscriber: 'goods', forgotten: 0 })
  expect(await waitingFor(id)).toEqual([[]])
  expect(await lagging()).toEqual([])
  await retire('invoices')
})

test('retiring closes the alarms about its dead events, and is refused while a process leads', async () => {
  const [id = ''] = await bench.payments(1)
  const broken = new Recorder().subscriber('broken', () => {
    throw new Error('boom')
  })
  const relay = await bench.relay({ subscribers: [broken] })
  await bench.publish(id, 2)
  const alarms = async () => await here.do((tx) => listOpenAlarms(tx, 100))
  await eventually(alarms, (open) => open.length > 0)
  expect((await alarms())[0]).toMatchObject({ kind: 'event_dead' })
  await expect(retire('broken')).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [
      { field: 'subscriber', message: expect.stringContaining('stop the process') as string },
    ],
  })
  await relay.stop()
  const { forgotten } = await retire('broken')
  // Those of the other tests are among them, because it began with the oldest event.
  expect(forgotten).toBeGreaterThan(0)
  expect(await alarms()).toEqual([])
  expect(await here.do((tx) => listDeadEvents(tx, 'broken', 10))).toEqual([])
})

test('a name that comes back continues at its position', async () => {
  const [id = ''] = await bench.payments(1)
  const first = new Recorder()
  const relay = await bench.relay({ subscribers: [first.subscriber('back')] })
  await bench.publish(id)
  await eventually(
    () => Promise.resolve(first.sequencesOf(id)),
    ({ length }) => length > 0,
  )
  await relay.stop()
  const before = await here.do((tx) => findSubscriber(tx, 'back'))
  await retire('back')
  await bench.publish(id)
  const second = new Recorder()
  await bench.relay({ subscribers: [second.subscriber('back')] })
  await eventually(
    () => Promise.resolve(second.sequencesOf(id)),
    ({ length }) => length > 0,
  )
  expect(second.sequencesOf(id)).toEqual([2])
  expect(before?.cursor_xid).not.toBe('0')
})

test('an unknown name is refused with the names that there are', async () => {
  await leave(new Recorder().subscriber('known'))
  await expect(retire('fulfilmnt')).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'subscriber', message: expect.stringContaining('known') as string }],
  })
})
