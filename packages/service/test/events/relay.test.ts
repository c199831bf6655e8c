import { describe, expect, test } from 'vitest'
import {
  acquireLease,
  advanceCursor,
  findSubscriber,
  registerSubscriber,
} from '../../src/store/events/subscribers.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { there } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()
const { here } = bench

const counting = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)

/**
 * A new subscriber that does not receive events of earlier tests. `now` alone is not enough: any
 * transaction that runs on the server at that moment, in any database, holds the start back.
 */
const begins = async (name: string) => {
  await here.do(async (tx) => await registerSubscriber(tx, name, 'now'))
  await here.sql(
    `update gapura.event_subscriber
     set cursor_xid = (select max(xid) from gapura.gateway_event),
         cursor_object_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
     where name = $1`,
    [name],
  )
}

/** As long as it takes on a busy machine; the test itself ends after 60 s. */
const BUSY_MS = 45_000

const receivedOf = async (recorder: Recorder, object_id: string, count: number) =>
  await eventually(
    () => Promise.resolve(recorder.sequencesOf(object_id)),
    ({ length }) => length >= count,
    BUSY_MS,
  )

/** A handler that waits until it is released, and resolves when it was reached. */
function gate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const pass = async (): Promise<void> => {
    reached.resolve()
    await opened.promise
  }
  return { pass, reached: reached.promise, open: opened.resolve }
}

describe('order', () => {
  test('a thousand events of fifty objects with one failure in five are all delivered, each object in order', async () => {
    const ids = await bench.payments(50)
    const recorder = new Recorder()
    let draws = 0
    // A fixed sequence of random numbers: the same run every time.
    const unlucky = () => (draws = (draws * 1_103_515_245 + 12_345) % 2_147_483_648) % 5 === 0
    const subscriber = recorder.subscriber('random', () => {
      draws += 1
      if (unlucky()) throw new Error('bad luck')
    })
    const relay = await bench.relay({ subscribers: [subscriber], attempts_max: 50 })
    await Promise.all(ids.map(async (id) => await bench.publish(id, 20)))
    const ended = () => ids.every((id) => recorder.sequencesOf(id).length === 20)
    await eventually(() => Promise.resolve(ended()), Boolean, BUSY_MS)
    for (const id of ids) expect(recorder.sequencesOf(id)).toEqual(counting(20))
    expect(recorder.overlaps).toBe(0)
    // Counted once the page is recorded, shortly after its last handler.
    const [stats] = await eventually(
      () => Promise.resolve(relay.stats()),
      ([seen]) => (seen?.delivered ?? 0) >= 1_000,
      BUSY_MS,
    )
    expect(stats).toMatchObject({ name: 'random', leading: true, dead: 0 })
    expect(stats?.delivered).toBeGreaterThanOrEqual(1_000)
    expect(stats?.failed).toBeGreaterThan(50)
  })

  test('a long transaction of another application on the same server delays no delivery', async () => {
    const [id = ''] = await bench.payments(1)
    const recorder = new Recorder()
    await begins('undelayed')
    const over = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const stranger = here.do(async (tx) => {
      await tx.query('select pg_current_xact_id()')
      begun.resolve()
      await over.promise
    })
    await begun.promise
    await bench.relay({ subscribers: [recorder.subscriber('undelayed')] })
    await bench.publish(id, 3)
    expect(await receivedOf(recorder, id, 3)).toEqual([1, 2, 3])
    over.resolve()
    await stranger
  })

  test('an event that commits late is delivered, and no event before it is skipped', async () => {
    const [early = '', late = ''] = await bench.payments(2)
    const recorder = new Recorder()
    const held = gate()
    const writing = here.do(async (tx) => {
      await bench.append(tx, late)
      await held.pass()
    })
    await held.reached
    await bench.publish(early)
    await bench.relay({ subscribers: [recorder.subscriber('late')] })
    held.open()
    await writing
    await eventually(
      () => Promise.resolve([recorder.sequencesOf(early), recorder.sequencesOf(late)]),
      (received) => received.every(({ length }) => length > 0),
    )
    expect(recorder.sequencesOf(early)).toEqual([1])
    expect(recorder.sequencesOf(late)).toEqual([1])
  })

  test('a slow object does not delay other objects of its page', async () => {
    const [slow = '', quick = ''] = await bench.payments(2)
    const held = gate()
    const recorder = new Recorder()
    const subscriber = recorder.subscriber('slow', async ({ object }) => {
      if (object.id === slow) await held.pass()
    })
    await bench.publish(slow)
    await bench.publish(quick, 3)
    await bench.relay({ subscribers: [subscriber] })
    await held.reached
    expect(await receivedOf(recorder, quick, 3)).toEqual([1, 2, 3])
    held.open()
  })
})

describe('one leader', () => {
  test('two relays of one subscriber deliver each event once; another subscriber gets all of them too', async () => {
    const ids = await bench.payments(20)
    const recorder = new Recorder()
    const other = new Recorder()
    const options = { subscribers: [recorder.subscriber('shared')] }
    const relays = [await bench.relay(options), await bench.relay(options)]
    await bench.relay({ subscribers: [other.subscriber('beside')] })
    await Promise.all(ids.map(async (id) => await bench.publish(id, 5)))
    const mine = (heard: Recorder) => heard.received.filter(({ object }) => ids.includes(object.id))
    await eventually(
      () => Promise.resolve(Math.min(mine(recorder).length, mine(other).length)),
      (received) => received >= 100,
    )
    expect(mine(recorder)).toHaveLength(100)
    expect(mine(other)).toHaveLength(100)
    expect(recorder.overlaps).toBe(0)
    expect(relays.filter((relay) => relay.stats()[0]?.leading)).toHaveLength(1)
  })

  test('another relay leads when the lease of a dead leader expires; its late advance is refused', async () => {
    const [id = ''] = await bench.payments(1)
    const name = 'followed'
    const dead = await here.do(async (tx) => {
      await registerSubscriber(tx, name, 'now')
      return await acquireLease(tx, { name, holder: 'killed', lease_ms: 600_000 })
    })
    await bench.publish(id)
    const recorder = new Recorder()
    const relay = await bench.relay({ subscribers: [recorder.subscriber(name)] })
    expect(relay.stats()).toMatchObject([{ leading: false, delivered: 0 }])
    await here.do(async (tx) => await moveClock(tx, 600_001))
    expect(await receivedOf(recorder, id, 1)).toEqual([1])
    const place = { xid: '9999999999', object_id: id, sequence: 1 }
    expect(await here.do((tx) => advanceCursor(tx, there(dead), place))).toBe(false)
  })

  test('a leader replaced while its handler ran delivers nothing more, and its page is delivered again', async () => {
    const [id = ''] = await bench.payments(1)
    await begins('paused')
    await bench.publish(id, 2)
    const held = gate()
    const sleeper = new Recorder()
    const subscribers = [sleeper.subscriber('paused', held.pass)]
    const paused = await bench.relay({ subscribers, lease_ms: 300 })
    await held.reached
    const awake = new Recorder()
    // As after a long pause of the process: its lease has expired. Taken together with the next
    // lease, or a renewal in flight would come between.
    const next = await here.do(async (tx) => {
      await tx.query("update gapura.event_subscriber set lease_until = null where name = 'paused'")
      return await acquireLease(tx, { name: 'paused', holder: 'another', lease_ms: 1 })
    })
    expect(next).toMatchObject({ lease_holder: 'another' })
    await bench.relay({ subscribers: [awake.subscriber('paused')] })
    expect(await receivedOf(awake, id, 2)).toEqual([1, 2])
    held.open()
    await paused.stop()
    expect(sleeper.sequencesOf(id)).toEqual([1])
  })
})

describe('stop', () => {
  test('lets a running handler end, keeps what was delivered, and releases the lease at once', async () => {
    const [id = ''] = await bench.payments(1)
    await begins('stopped')
    await bench.publish(id, 3)
    const held = gate()
    const recorder = new Recorder()
    const relay = await bench.relay({
      subscribers: [recorder.subscriber('stopped', held.pass)],
    })
    await held.reached
    const stopped = relay.stop()
    held.open()
    await stopped
    const received = recorder.sequencesOf(id).length
    const row = there(await here.do((tx) => findSubscriber(tx, 'stopped')))
    expect(row.lease_holder).toBeNull()
    const next = new Recorder()
    await bench.relay({ subscribers: [next.subscriber('stopped')] })
    expect(received).toBe(1)
    // Nothing of this object that was recorded as delivered is delivered again.
    expect(await receivedOf(next, id, 2)).toEqual([2, 3])
  })

  test('two subscribers with one name are refused', async () => {
    const recorder = new Recorder()
    const twice = [recorder.subscriber('twice'), recorder.subscriber('twice')]
    await expect(bench.relay({ subscribers: twice })).rejects.toThrow('two subscribers')
  })
})

test('what was delivered is not delivered again when its cursor could not be stored', async () => {
  const [id = ''] = await bench.payments(1)
  await begins('stuck')
  await here.sql(
    `create function gapura.refuse_cursor() returns trigger language plpgsql
     as $$ begin raise 'the cursor cannot be stored'; end $$`,
  )
  await here.sql(
    `create trigger refuse_cursor before update of cursor_xid on gapura.event_subscriber
     for each row when (new.name = 'stuck') execute function gapura.refuse_cursor()`,
  )
  const recorder = new Recorder()
  const troubles: unknown[] = []
  const onTrouble = (_name: string, error: unknown) => void troubles.push(error)
  await bench.publish(id, 2)
  await bench.relay({ subscribers: [recorder.subscriber('stuck')], onTrouble })
  await receivedOf(recorder, id, 2)
  await eventually(
    async () => await Promise.resolve(troubles.length),
    (count) => count >= 2,
  )
  await here.sql('drop trigger refuse_cursor on gapura.event_subscriber')
  await bench.publish(id)
  await receivedOf(recorder, id, 3)
  const sequences = recorder.received.filter(({ object }) => object.id === id)
  expect(sequences.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
})
