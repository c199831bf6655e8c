import { expect, test } from 'vitest'
import { eventually } from '../store/test_database.ts'
import { Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()

/** The same random numbers every time. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

// Leases expire in the middle of pages, relays come and go, handlers fail: deliveries may repeat,
// but in order, and none is left out.
test('leaders that replace one another at random deliver every event in order', async () => {
  const name = 'followed'
  const ids = await bench.payments(10)
  const recorder = new Recorder()
  const chance = chances(11)
  const subscriber = recorder.subscriber(name, async () => {
    if (chance() < 0.1) throw new Error('bad luck')
    if (chance() < 0.1) await new Promise((resolve) => setImmediate(resolve))
  })
  const options = { subscribers: [subscriber], lease_ms: 90, page_max: 7, attempts_max: 100 }
  const first = await bench.relay(options)
  await bench.relay(options)
  const writing = Promise.all(ids.map(async (id) => await bench.publish(id, 10)))
  let looks = 0
  const all = () => ids.every((id) => recorder.sequencesOf(id).length === 10)
  await eventually(
    async () => {
      looks += 1
      // Sometimes, as after a pause longer than the lease: the others take the leader for dead.
      if (looks % 4 === 0) {
        await bench.here.sql(
          'update gapura.event_subscriber set lease_until = null where name = $1',
          [name],
        )
      }
      if (looks === 12) {
        await first.stop()
        await bench.relay(options)
      }
      return all() && looks > 12
    },
    (done) => done,
    // Leases as short as these cost many pages on a busy machine; the test itself ends after 60 s.
    45_000,
  )
  await writing
  for (const id of ids) {
    expect(recorder.sequencesOf(id)).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
  }
})

test('a subscriber without a handler in this process is not led by it', async () => {
  const [id = ''] = await bench.payments(1)
  const elsewhere = new Recorder()
  const relay = await bench.relay({ subscribers: [elsewhere.subscriber('elsewhere')] })
  await relay.stop()
  const here = new Recorder()
  await bench.relay({ subscribers: [here.subscriber('present')] })
  await bench.publish(id)
  await eventually(
    () => Promise.resolve(here.sequencesOf(id)),
    ({ length }) => length > 0,
  )
  const [row] = await bench.here.sql(
    "select cursor_xid::text as place, lease_holder from gapura.event_subscriber where name = 'elsewhere'",
  )
  // Its cursor is still before the event, which waits for a process with the handler.
  const events = await bench.here.sql(
    'select xid::text as xid from gapura.gateway_event where object_id = $1',
    [id],
  )
  expect(BigInt(String(row?.['place']))).toBeLessThan(BigInt(String(events[0]?.['xid'])))
  expect(row?.['lease_holder']).toBeNull()
})
