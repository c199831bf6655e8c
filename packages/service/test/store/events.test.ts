import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  appendEvent,
  hasEventsBehind,
  readEventHorizon,
  readEvents,
  readObjectEvents,
  type EventPlace,
  type GatewayEvent,
} from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { insertSubscription } from '../../src/store/subscriptions/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { addPayment, newSubscription, there } from './sample_rows.ts'
import { eventually, useDatabase } from './test_database.ts'

const here = useDatabase()

const START: EventPlace = {
  xid: '0',
  object_id: '00000000-0000-0000-0000-000000000000',
  sequence: 0,
}

beforeEach(async () => {
  await here.sql('delete from gapura.gateway_event')
})

const publish = async (tx: Tx, object_id: string): Promise<GatewayEvent> => {
  const object = there(await lockPayment(tx, object_id))
  return await appendEvent(tx, {
    id: newId(),
    type: 'payment_settled',
    object_kind: 'payment',
    object_id,
    object,
    previous_status: 'pending',
    source: 'notification',
    notification_id: null,
  })
}

const add = async (): Promise<string> => await here.do(async (tx) => (await addPayment(tx)).id)

/** What a leader reads that does not wait for other applications' transactions. */
const readBelowHorizon = async (after = START, limit = 100): Promise<GatewayEvent[]> => {
  const horizon = await here.do(readEventHorizon)
  return await here.do(async (tx) => await readEvents(tx, after, limit, horizon))
}

const read = async (count: number, after = START): Promise<GatewayEvent[]> =>
  await eventually(
    async () => await readBelowHorizon(after),
    (events) => events.length >= count,
  )

/** A transaction that a test can pause and continue. */
function paused(work: (tx: Tx, pause: () => Promise<void>) => Promise<void>) {
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  // A test that fails on the way must not leave a transaction that the end of the file waits for.
  onTestFinished(() => gate.resolve())
  const done = here.do(
    async (tx) =>
      await work(tx, async () => {
        arrived.resolve()
        await gate.promise
      }),
  )
  return {
    ready: arrived.promise,
    finish: async () => {
      gate.resolve()
      await done
    },
  }
}

test('an event carries the object as it was, its amounts as text', async () => {
  const id = await add()
  const published = await here.do(async (tx) => await publish(tx, id))
  expect(published).toMatchObject({
    object_id: id,
    owner_id: 'owner-1',
    sequence: 1,
    object: { id, gross_amount: '10000.00', transaction_status: 'initiated', paid_at: null },
  })
  expect(await read(1)).toEqual([published])
})

test('each object counts its own events from 1 without a gap, of any kind', async () => {
  const one = await add()
  const other = await add()
  const subscription = await here.do(async (tx) =>
    there(await insertSubscription(tx, newSubscription())),
  )
  await here.do(async (tx) => {
    await publish(tx, one)
    await publish(tx, other)
    await publish(tx, one)
    await appendEvent(tx, {
      id: newId(),
      type: 'subscription_created',
      object_kind: 'subscription',
      object_id: subscription.id,
      object: subscription,
      previous_status: 'initiated',
      source: 'action',
      notification_id: null,
    })
  })
  await here.do(async (tx) => await publish(tx, one)).catch(() => undefined)
  const places = (await read(5)).map(({ object_id, sequence }) => `${object_id} ${sequence}`)
  expect(places.sort()).toEqual(
    [`${one} 1`, `${one} 2`, `${one} 3`, `${other} 1`, `${subscription.id} 1`].sort(),
  )
})

test('a transaction that rolls back leaves no event and no gap', async () => {
  const id = await add()
  const failed = here.do(async (tx) => {
    await publish(tx, id)
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await here.do(async (tx) => await publish(tx, id))).toMatchObject({ sequence: 1 })
})

test('an event of an unknown object is an error', async () => {
  const object_id = newId()
  const event = { id: newId(), object_kind: 'payment', object_id, object: {} } as const
  const rest = { previous_status: null, source: 'staff', notification_id: null } as const
  await expect(
    here.do(async (tx) => await appendEvent(tx, { ...event, ...rest, type: 'payment_failed' })),
  ).rejects.toThrow('does not exist')
})

describe('a reader', () => {
  test('does not pass by an event that commits late', async () => {
    const early = await add()
    const late = await add()
    // Writes first and commits last.
    const slow = paused(async (tx, pause) => {
      await publish(tx, late)
      await pause()
    })
    await slow.ready
    await here.do(async (tx) => await publish(tx, early))
    // Nothing yet, though one has committed: the slow one's position is before it.
    expect(await here.do(async (tx) => await readEvents(tx, START, 100))).toEqual([])
    await slow.finish()
    expect((await read(2)).map(({ object_id }) => object_id)).toEqual([late, early])
  })

  test('gets one object’s events in order, though the later had the earlier transaction', async () => {
    const [first = '', second = ''] = [await add(), await add()].sort()
    // Gets its number with the lock on the first, then waits for the second.
    const batch = paused(async (tx, pause) => {
      await lockPayment(tx, first)
      await pause()
      await lockPayment(tx, second)
      await publish(tx, second)
    })
    await batch.ready
    const lower = await here.do(async (tx) => await publish(tx, second))
    await batch.finish()
    const events = (await read(2)).filter(({ object_id }) => object_id === second)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(events[1]?.xid).toBe(lower.xid)
  })

  test('continues from its position, page by page, each event once', async () => {
    const ids = [await add(), await add(), await add()]
    await here.do(async (tx) => {
      for (const id of [...ids, ...ids]) await publish(tx, id)
    })
    await read(6)
    const seen: GatewayEvent[] = []
    for (let page = 0; page < 4; page++) {
      seen.push(...(await readBelowHorizon(seen.at(-1) ?? START, 2)))
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6)
    for (const id of ids) {
      const own = seen.filter(({ object_id }) => object_id === id)
      expect(own.map(({ sequence }) => sequence)).toEqual([1, 2])
    }
  })

  test('can read one object’s events alone', async () => {
    const id = await add()
    await here.do(async (tx) => {
      for (let count = 0; count < 4; count++) await publish(tx, id)
    })
    const waiting = await here.do(async (tx) => await readObjectEvents(tx, id, 2, 2))
    expect(waiting.map(({ sequence }) => sequence)).toEqual([2, 3])
  })
})

describe('the horizon of the outbox', () => {
  test('does not wait for another application’s transaction, however long', async () => {
    const stranger = paused(async (tx, pause) => {
      await tx.query('create temporary table stranger on commit drop as select 1 as n')
      await pause()
    })
    await stranger.ready
    const id = await add()
    await here.do(async (tx) => await publish(tx, id))
    expect(await here.do(async (tx) => await readEvents(tx, START, 100))).toEqual([])
    expect(await here.do(async (tx) => await hasEventsBehind(tx, START))).toBe(true)
    expect((await readBelowHorizon()).map(({ object_id }) => object_id)).toEqual([id])
    await stranger.finish()
  })

  test.each([
    ['has written its event', async (tx: Tx, id: string) => void (await publish(tx, id))],
    ['has only locked', async (tx: Tx, id: string) => void (await lockPayment(tx, id))],
    [
      'wrote to another of our tables',
      async (tx: Tx) => void (await addPayment(tx, { order_id: `held-${newId()}` })),
    ],
  ])('waits for one of our writers that %s', async (_what, begin) => {
    const [held, free] = [await add(), await add()]
    const slow = paused(async (tx, pause) => {
      await begin(tx, held)
      await pause()
      await publish(tx, held)
    })
    await slow.ready
    await here.do(async (tx) => await publish(tx, free))
    expect(await readBelowHorizon()).toEqual([])
    await slow.finish()
    const seen = await read(2)
    expect(new Set(seen.map(({ object_id }) => object_id))).toEqual(new Set([held, free]))
  })
})

test.each([
  ['below the oldest transaction', false],
  ['below the horizon', true],
])('many writers on few objects, read %s: every sequence in order', async (_where, by_horizon) => {
  const ids = [await add(), await add(), await add(), await add()].sort()
  const seen: GatewayEvent[] = []
  const reader = (async () => {
    while (seen.length < 240) {
      const after = seen.at(-1) ?? START
      const horizon = by_horizon ? await here.do(readEventHorizon) : undefined
      seen.push(...(await here.do(async (tx) => await readEvents(tx, after, 7, horizon))))
    }
  })()
  const writer = async (turn: number): Promise<void> => {
    for (let round = 0; round < 10; round++) {
      // Two objects each time: in the order of ids, but with a number taken before the second.
      const pair = [ids[(turn + round) % 4] ?? '', ids[(turn + round + 1 + (round % 3)) % 4] ?? '']
      await here.do(async (tx) => {
        for (const id of pair.sort()) await lockPayment(tx, id)
        for (const id of pair) await publish(tx, id)
      })
    }
  }
  await Promise.all(Array.from({ length: 12 }, async (_, turn) => await writer(turn)))
  await reader
  expect(seen).toHaveLength(240)
  for (const id of ids) {
    const own = seen.filter(({ object_id }) => object_id === id).map(({ sequence }) => sequence)
    expect(own).toEqual(own.map((_, index) => index + 1))
  }
})
