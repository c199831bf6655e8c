import { beforeEach, describe, expect, test } from 'vitest'
import { buryEvent, reviveObject } from '../../src/store/events/dead_events.ts'
import {
  acquireLease,
  advanceCursor,
  registerSubscriber,
} from '../../src/store/events/subscribers.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  insertNotifications,
  listUnmatched,
  resolveUnmatched,
} from '../../src/store/notifications/rows.ts'
import {
  dropPartition,
  ensurePartitions,
  listOldPartitions,
  listPartitions,
  MONTHS_AHEAD,
  PARTITIONED_TABLES,
  type PartitionedTable,
} from '../../src/store/maintenance/partitions.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { addPayment, newNotification, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

/** To the middle of a later month, so that no test depends on the day it runs. */
const pass = async (months: number) =>
  await here.do(async (tx) => {
    const now = await readClock(tx)
    const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15)
    await moveClock(tx, then - now.getTime())
  })

const ensure = async (table: PartitionedTable) =>
  await here.do(async (tx) => await ensurePartitions(tx, table))

const droppable = async (table: PartitionedTable, keep = 1) =>
  await here.do(async (tx) =>
    (await listOldPartitions(tx, table, keep)).filter(({ held }) => !held).map(({ name }) => name),
  )

/** The partition that holds a row. */
const lies = async (table: PartitionedTable, id: string): Promise<string> => {
  const [row] = await here.sql(
    `select replace(tableoid::regclass::text, $2 || '.', '') as name
     from gapura.${table}
     where id = $1`,
    [id, here.db.schema],
  )
  return String(row?.['name'])
}

const notify = async (effect: 'applied' | 'unmatched' = 'applied'): Promise<string> => {
  const notification = newNotification({ effect })
  await here.do(async (tx) => await insertNotifications(tx, [notification], await readClock(tx)))
  return notification.id
}

const publish = async (): ReturnType<typeof appendEvent> =>
  await here.do(async (tx) => {
    const payment = await addPayment(tx)
    return await appendEvent(tx, {
      id: newId(),
      type: 'payment_settled',
      object_kind: 'payment',
      object_id: payment.id,
      object: payment,
      previous_status: null,
      source: 'sweep',
      notification_id: null,
    })
  })

const monthName = async (table: PartitionedTable): Promise<string> => {
  const now = await here.do(readClock)
  return `${table}_${now.toISOString().slice(0, 7).replace('-', '_')}`
}

beforeEach(async () => {
  for (const table of PARTITIONED_TABLES) await ensure(table)
})

async function deliver(): Promise<string> {
  const [row] = await here.sql(
    `insert into gapura.webhook_delivery
       (id, endpoint_id, event_id, attempt, duration_ms, type, outcome, url)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 1, 'x', 'delivered', 'x')
     returning id`,
  )
  return String(row?.['id'])
}
/** A new row of each table, of now. */
const ROW: Record<PartitionedTable, () => Promise<string>> = {
  gateway_event: async () => (await publish()).id,
  gateway_notification: notify,
  webhook_delivery: deliver,
}

describe.each(PARTITIONED_TABLES)('%s', (table) => {
  test('has this month and the next ones; a second run makes nothing', async () => {
    const names = (await here.do(async (tx) => await listPartitions(tx, table))).map(
      ({ name }) => name,
    )
    const current = names.indexOf(await monthName(table))
    expect(names.slice(current)).toHaveLength(MONTHS_AHEAD + 1)
    expect(await ensure(table)).toBe(0)
  })

  test('two at once make each month once', async () => {
    await pass(2)
    const made = await Promise.all([ensure(table), ensure(table), ensure(table)])
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(2)
  })

  test('a row of a missing month goes to the DEFAULT partition, and moves once the month exists', async () => {
    await pass(MONTHS_AHEAD + 2)
    const id = await ROW[table]()
    expect(await lies(table, id)).toBe(`${table}_default`)
    expect(await ensure(table)).toBeGreaterThan(0)
    expect(await lies(table, id)).toBe(await monthName(table))
  })

  test('every index of the table is on every month', async () => {
    const [row] = await here.sql(
      `select count(*) filter (where not indisvalid) as invalid, count(*) as indexes
       from pg_index
       where indrelid = 'gapura.${table}'::regclass`,
    )
    expect(row?.['invalid']).toBe('0')
  })
})

describe('dropping', () => {
  test('only months that ended long enough ago are offered', async () => {
    const id = await notify()
    const month = await lies('gateway_notification', id)
    await pass(1)
    expect(await droppable('gateway_notification')).not.toContain(month)
    await pass(2)
    expect(await droppable('gateway_notification')).toContain(month)
  })

  test('a month with an unmatched notification stays until it is resolved', async () => {
    const id = await notify('unmatched')
    const month = await lies('gateway_notification', id)
    await pass(3)
    expect(await droppable('gateway_notification')).not.toContain(month)
    await here.do(async (tx) => {
      for (const open of await listUnmatched(tx, 100)) {
        const end = { payment_id: null, owner_id: null, reason: 'ping' }
        await resolveUnmatched(tx, open, { ...end, effect: 'unmatched' })
      }
    })
    expect(await droppable('gateway_notification')).toContain(month)
    const dropped = await here.do(
      async (tx) => await dropPartition(tx, 'gateway_notification', { name: month }),
    )
    expect(dropped).toBe(true)
    expect(await here.sql('select from gapura.gateway_notification where id = $1', [id])).toEqual(
      [],
    )
  })

  test('a month of events stays until every subscriber is past it and none is dead there', async () => {
    await here.do(async (tx) => await registerSubscriber(tx, 'slow', 'beginning'))
    const event = await publish()
    const month = await lies('gateway_event', event.id)
    await pass(3)
    expect(await droppable('gateway_event')).not.toContain(month)
    await here.do(async (tx) => {
      const asked = { name: 'slow', holder: 'a', lease_ms: 1_000 }
      const lease = there(await acquireLease(tx, asked))
      await buryEvent(tx, 'slow', event, { attempts: 9, error: 'boom' })
      await advanceCursor(tx, lease, event)
    })
    expect(await droppable('gateway_event')).not.toContain(month)
    await here.do(async (tx) => await reviveObject(tx, 'slow', event.object_id))
    expect(await droppable('gateway_event')).toContain(month)
  })

  test('an object continues its count when its old events are gone', async () => {
    const event = await publish()
    const month = await lies('gateway_event', event.id)
    await pass(3)
    await ensure('gateway_event')
    await here.do(async (tx) => {
      await dropPartition(tx, 'gateway_event', { name: month })
      const again = await appendEvent(tx, { ...event, id: newId() })
      expect(again.sequence).toBe(2)
    })
  })

  test('does not wait behind a reader, nor make others wait behind itself', async () => {
    const id = await notify()
    const name = await lies('gateway_notification', id)
    const drop = async () =>
      await here.do(async (tx) => await dropPartition(tx, 'gateway_notification', { name }))
    // Never the current month.
    expect(await drop()).toBe(false)
    await pass(2)
    const reading = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    const reader = here.do(async (tx) => {
      await listUnmatched(tx, 1)
      reading.resolve()
      await read.promise
    })
    await reading.promise
    expect(await drop()).toBe(false)
    expect(await lies('gateway_notification', id)).toBe(name)
    read.resolve()
    await reader
    expect(await drop()).toBe(true)
  })

  test('of one month by several at once happens once, and none of them fails', async () => {
    const id = await notify()
    const name = await lies('gateway_notification', id)
    await pass(2)
    const drops = await Promise.all(
      [1, 2, 3].map(
        async () =>
          await here.do(async (tx) => await dropPartition(tx, 'gateway_notification', { name })),
      ),
    )
    expect(drops.filter(Boolean)).toHaveLength(1)
  })

  test.each(['gateway_event_default', 'gateway_payment', 'gateway_event_1999_01', 'x; drop'])(
    'refuses %s',
    async (name) => {
      const dropped = await here.do(
        async (tx) => await dropPartition(tx, 'gateway_event', { name }),
      )
      expect(dropped).toBe(false)
    },
  )
})
