// Maintenance over real months: only the clock is moved.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { GatewayClient } from '../../src/gateway/client.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import {
  registerSubscriber,
  acquireLease,
  advanceCursor,
} from '../../src/store/events/subscribers.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import { insertNotifications } from '../../src/store/notifications/rows.ts'
import {
  listPartitions,
  MONTHS_AHEAD,
  PARTITIONED_TABLES,
  type PartitionedTable,
} from '../../src/store/maintenance/partitions.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { addPayment, newNotification, there } from '../store/sample_rows.ts'
import { DATABASE_URL, useDatabase } from '../store/test_database.ts'

// Rows inserted by SQL, without the steps and operations that a service would write with them.
const database = useDatabase()
const gateway = new GatewayClient({ server_key: 'SB-Mid-server-x', base_url: 'http://127.0.0.1:9' })
afterAll(async () => await gateway.close())

const warned: object[] = []
const log = {
  info: () => undefined,
  warn: (fields: object) => void warned.push(fields),
  error: () => undefined,
}
const ctx = (): Context =>
  withInbox({
    db: database.db,
    gateway,
    log,
    confirm_notifications: false,
    reached: () => undefined,
  })

/** To the middle of a later month, so that no test depends on the day it runs. */
const pass = async (months: number) =>
  await database.do(async (tx) => {
    const now = await readClock(tx)
    const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15)
    await moveClock(tx, then - now.getTime())
  })

const notify = async (effect: 'applied' | 'unmatched' = 'applied'): Promise<string> => {
  const notification = newNotification({ effect })
  await database.do(
    async (tx) => await insertNotifications(tx, [notification], await readClock(tx)),
  )
  return notification.id
}

const publish = async () =>
  await database.do(async (tx) => {
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

const kept = async (table: string, id: string): Promise<boolean> =>
  (await database.sql(`select from gapura.${table} where id = $1`, [id])).length > 0

const months = async (table: PartitionedTable) =>
  (await database.do(async (tx) => await listPartitions(tx, table))).map(({ month }) => month)

/** Four months with a notification and an event each; the last is the current one. */
async function fourMonths() {
  const ids: { notification: string; event: string }[] = []
  for (let month = 0; month < 4; month++) {
    if (month > 0) await pass(1)
    ids.push({ notification: await notify(), event: (await publish()).id })
    await runMaintenance(ctx())
  }
  return ids
}

beforeEach(async () => {
  // Whatever an earlier test left is dropped, so that each counts its own months only.
  await database.sql('delete from gapura.dead_event')
  await database.sql('delete from gapura.event_subscriber')
  await database.sql('update gapura.gateway_notification set resolved_at = gapura.now()')
  await pass(2)
  for (let round = 0; round < 20; round++) {
    const all = { notifications_months: 1, events_months: 1 }
    if ((await runMaintenance(ctx(), all)).partitions_dropped === 0) break
  }
})

test('makes months ahead and purges old replies; a second run finds nothing to do', async () => {
  await database.sql(
    `insert into gapura.operation_reply (operation_id, finished_at, code, body)
     values ($1, gapura.now() - interval '25 hours', 201, '{}'),
            ($2, gapura.now() - interval '23 hours', 201, '{}')`,
    [newId(), newId()],
  )
  await pass(1)
  const done = await runMaintenance(ctx())
  expect(done).toMatchObject({ partitions_made: PARTITIONED_TABLES.length, replies_purged: 2 })
  expect(await runMaintenance(ctx())).toEqual({
    partitions_made: 0,
    partitions_dropped: 0,
    partitions_held: 0,
    replies_purged: 0,
    audit_dropped: 0,
    postponed: [],
    failed: [],
  })
})

describe('without a retention', () => {
  test('nothing is dropped, however old', async () => {
    const { notification, event } = there((await fourMonths())[0])
    await pass(120)
    expect(await runMaintenance(ctx())).toMatchObject({ partitions_dropped: 0 })
    expect(await kept('gateway_notification', notification)).toBe(true)
    expect(await kept('gateway_event', event)).toBe(true)
  })
})

describe('with a retention', () => {
  test('drops the months that ended long enough ago, of the named table only', async () => {
    const ids = await fourMonths()
    const before = await months('gateway_event')
    const done = await runMaintenance(ctx(), { notifications_months: 2 })
    // The first of ours, and the empty one before it.
    expect(done).toMatchObject({ partitions_dropped: 2, partitions_held: 0 })
    const left = await Promise.all(
      ids.map(async ({ notification }) => await kept('gateway_notification', notification)),
    )
    // The running month, and two whole ones before it.
    expect(left).toEqual([false, true, true, true])
    expect(await months('gateway_event')).toEqual(before)
  })

  test('drops a few months in one run and the others in the next', async () => {
    for (let month = 0; month < 5; month++) {
      await pass(1)
      await runMaintenance(ctx())
    }
    const run = async () =>
      (await runMaintenance(ctx(), { notifications_months: 1 })).partitions_dropped
    const dropped = [await run(), await run(), await run()]
    expect(dropped[0]).toBe(3)
    expect(dropped[2]).toBe(0)
    // The last whole month, the running one, and those ahead.
    expect(await months('gateway_notification')).toHaveLength(2 + MONTHS_AHEAD)
  })

  test('keeps a month with an unmatched notification, and those after it, until it is resolved', async () => {
    const open = await notify('unmatched')
    await pass(1)
    await runMaintenance(ctx())
    const answered = await notify()
    await pass(3)
    const done = await runMaintenance(ctx(), { notifications_months: 1 })
    // The open one, the one after it, and an empty one.
    expect(done.partitions_held).toBe(3)
    expect(await kept('gateway_notification', open)).toBe(true)
    expect(await kept('gateway_notification', answered)).toBe(true)
    expect(warned).toContainEqual(expect.objectContaining({ table: 'gateway_notification' }))
    await database.sql('update gapura.gateway_notification set resolved_at = gapura.now()')
    expect(await runMaintenance(ctx(), { notifications_months: 1 })).toMatchObject({
      partitions_dropped: 3,
      partitions_held: 0,
    })
    expect(await kept('gateway_notification', answered)).toBe(false)
  })

  test('keeps events until they were delivered to every subscriber', async () => {
    await database.do(async (tx) => await registerSubscriber(tx, 'slow', 'beginning'))
    const event = await publish()
    await pass(3)
    const retention = { events_months: 1 }
    // Its month, and the empty one behind it.
    expect((await runMaintenance(ctx(), retention)).partitions_held).toBe(2)
    expect(await kept('gateway_event', event.id)).toBe(true)
    await database.do(async (tx) => {
      const lease = there(await acquireLease(tx, { name: 'slow', holder: 'a', lease_ms: 1_000 }))
      expect(await advanceCursor(tx, lease, event)).toBe(true)
    })
    expect((await runMaintenance(ctx(), retention)).partitions_held).toBe(0)
    expect(await kept('gateway_event', event.id)).toBe(false)
  })

  test('never drops a payment or its history', async () => {
    const { object_id } = await publish()
    await database.sql(
      `insert into gapura.gateway_transition
         (object_kind, object_id, owner_id, version, from_status, to_status, source)
       values ('payment', $1, 'owner-1', 2, 'pending', 'settlement', 'sweep')`,
      [object_id],
    )
    await pass(24)
    const all = { notifications_months: 1, events_months: 1 }
    expect((await runMaintenance(ctx(), all)).partitions_dropped).toBeGreaterThan(0)
    const [row] = await database.sql(
      `select
         (select count(*)::integer from gapura.gateway_payment where id = $1) as payments,
         (select count(*)::integer from gapura.gateway_transition where object_id = $1) as history`,
      [object_id],
    )
    expect(row).toEqual({ payments: 1, history: 1 })
  })

  test('two at once drop each month once, and neither fails', async () => {
    await fourMonths()
    const retention = { notifications_months: 1, events_months: 1 }
    const before = (await months('gateway_event')).length
    const runs = await Promise.all(
      [1, 2, 3].map(async () => await runMaintenance(ctx(), retention)),
    )
    const last = await runMaintenance(ctx(), retention)
    const dropped = [...runs, last].reduce((sum, run) => sum + run.partitions_dropped, 0)
    const gone = before - (await months('gateway_event')).length
    expect(dropped).toBe(2 * gone)
    expect(await months('gateway_event')).toHaveLength(2 + MONTHS_AHEAD)
  })
})

test('rows in a DEFAULT partition get partitions of their months and can then be dropped', async () => {
  // Beyond the months ahead: no maintenance for half a year.
  await pass(MONTHS_AHEAD + 2)
  const notification = await notify()
  const event = (await publish()).id
  await pass(2)
  await runMaintenance(ctx())
  for (const table of PARTITIONED_TABLES) {
    expect(await database.sql(`select from gapura.${table}_default`)).toEqual([])
  }
  expect(await kept('gateway_notification', notification)).toBe(true)
  await pass(1)
  const all = { notifications_months: 1, events_months: 1 }
  for (let round = 0; round < 3; round++) await runMaintenance(ctx(), all)
  expect(await kept('gateway_notification', notification)).toBe(false)
  expect(await kept('gateway_event', event)).toBe(false)
})

test.each([0, -1, 1.5, Number.NaN])('a retention of %s months is refused', (months_kept) => {
  const options = { databaseUrl: DATABASE_URL, gateway: { server_key: 'SB-Mid-server-x' } }
  const refused = { ...options, retention: { events_months: months_kept } }
  expect(() => createGapura(refused)).toThrow('whole months')
})
