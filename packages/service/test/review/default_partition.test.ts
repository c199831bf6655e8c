// Rows that landed in a DEFAULT partition while no maintenance ran.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import {
  boundDefaultPartition,
  MONTHS_AHEAD,
  MOVED_ROWS_MAX,
  PARTITIONED_TABLES,
  validateDefaultPartition,
} from '../../src/store/maintenance/partitions.ts'
import { measureDefaultRows, measureMonthsAhead } from '../../src/store/maintenance/gauges.ts'
import { grantsFor } from '../../src/store/schema/grants.ts'
import { insertNotifications } from '../../src/store/notifications/rows.ts'
import { readClock } from '../../src/store/connection/settings.ts'
import { withTransaction } from '../../src/store/connection/transaction.ts'
import { newNotification, there } from '../store/sample_rows.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { useMaintenance } from './maintenance_bench.ts'

const TABLE = 'gateway_notification'
const STEP = `recover_default ${TABLE}`
/** Too many rows to be moved. */
const MANY = MOVED_ROWS_MAX + 1
/** An insert that waits this long fails, because it is the service's own lock_timeout. */
const INSERT_WAIT_MS_MAX = 2_000

const bench = useMaintenance()
const { database, logged, ctx, passMonths, addNotifications, countRows } = bench

/** Past every month that has a partition. */
const skipMaintenance = async (): Promise<void> => await passMonths(MONTHS_AHEAD + 2)

const insertOne = async (): Promise<void> =>
  await database.do(async (tx) => {
    await insertNotifications(tx, [newNotification()], await readClock(tx))
  })

const openMonths = async (): Promise<number[]> =>
  (await database.do(measureMonthsAhead)).map(({ months }) => months)

test('one run recovers 600,000 rows, and inserts meanwhile are kept and wait less than 2 s', async () => {
  await skipMaintenance()
  await addNotifications(600_000)
  const before = await countRows(TABLE)
  expect(await database.do(measureDefaultRows)).toContainEqual({ table: TABLE, rows: 100 })
  const waits: number[] = []
  const recovered = new AbortController()
  const write = async (): Promise<void> => {
    do {
      const began = performance.now()
      await insertOne()
      waits.push(performance.now() - began)
    } while (!recovered.signal.aborted)
  }
  const writers = Promise.all([write(), write(), write()])
  const result = await runMaintenance(ctx()).finally(() => recovered.abort())
  await writers
  expect(result).toMatchObject({ failed: [], postponed: [] })
  expect(await countRows(`${TABLE}_default`)).toBe(0)
  expect(await countRows(TABLE)).toBe(before + waits.length)
  expect(waits.length).toBeGreaterThan(3)
  expect(Math.max(...waits)).toBeLessThan(INSERT_WAIT_MS_MAX)
  expect(await openMonths()).toEqual(PARTITIONED_TABLES.map(() => MONTHS_AHEAD))
  expect(logged).toContainEqual({
    level: 'warn',
    message: 'default_partition_rows',
    fields: { table: TABLE, rows: MANY, counted_to: MANY },
  })
  expect(await runMaintenance(ctx())).toMatchObject({ partitions_made: 0, failed: [] })
}, 180_000)

test('many events are recovered too, by a scan instead of an index', async () => {
  await skipMaintenance()
  await database.sql(
    `insert into gapura.gateway_event
       (id, object_id, xid, sequence, owner_id, object_kind, type, source, object)
     select gen_random_uuid(), gen_random_uuid(), '1', 1, 'owner-1', 'payment',
       'payment_settled', 'sweep', '{}'
     from generate_series(1, $1::integer)`,
    [MANY],
  )
  expect(await countRows('gateway_event_default')).toBe(MANY)
  expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
  expect(await countRows('gateway_event_default')).toBe(0)
  expect(await countRows('gateway_event')).toBe(MANY)
  expect(await openMonths()).toEqual(PARTITIONED_TABLES.map(() => MONTHS_AHEAD))
})

test('three workers at once recover it once, and none of them fails', async () => {
  await skipMaintenance()
  await addNotifications(MANY)
  const before = { rows: await countRows(TABLE), known: await bench.partitions(TABLE) }
  const results = await Promise.all([1, 2, 3].map(async () => await runMaintenance(ctx())))
  expect(results.flatMap(({ failed }) => failed)).toEqual([])
  expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
  expect(await countRows(`${TABLE}_default`)).toBe(0)
  expect(await countRows(TABLE)).toBe(before.rows)
  const added = (await bench.partitions(TABLE)).slice(before.known.length)
  expect(added.filter(({ name }) => name.includes('_to_'))).toHaveLength(1)
})

test('a lock held by a reader postpones the recovery, and inserts proceed meanwhile', async () => {
  await skipMaintenance()
  await addNotifications(MANY)
  expect(await boundDefaultPartition(database.db, TABLE)).toBe(true)
  expect(await validateDefaultPartition(database.db, TABLE)).toBe(true)
  const reading = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  const reader = database.do(async (tx) => {
    await tx.query(`select id from gapura.${TABLE} limit 1`)
    reading.resolve()
    await read.promise
  })
  await reading.promise
  const result = await runMaintenance(ctx())
  expect(result).toMatchObject({ failed: [], postponed: [STEP, `make_partitions ${TABLE}`] })
  await insertOne()
  read.resolve()
  await reader
  expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
  expect(await countRows(`${TABLE}_default`)).toBe(0)
})

test('a bound that does not fit the rows is replaced', async () => {
  await skipMaintenance()
  await addNotifications(MANY)
  await database.sql(
    `alter table gapura.${TABLE}_default add constraint recovery_2001_01_until_2001_02
     check (received_at >= '2001-01-01Z' and received_at < '2001-02-01Z') not valid`,
  )
  expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
  expect(await countRows(`${TABLE}_default`)).toBe(0)
})

describe('with partitions of later months', () => {
  test('rows before them get a partition that ends where the later one begins', async () => {
    await skipMaintenance()
    await addNotifications(MANY)
    await passMonths(1)
    await database.sql(
      `select gapura.ensure_month_partition('${TABLE}', (gapura.now() + n * interval '1 month')::date)
       from generate_series(0, 3) as n`,
    )
    expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
    const [later] = await database.sql(
      `select to_char(date_trunc('month', gapura.now()), 'YYYY-MM-DD') as month`,
    )
    const known = await bench.partitions(TABLE)
    const filled = known.find(({ until }) => until === later?.['month'])
    expect(await countRows(there(filled).name)).toBe(MANY)
    expect(await countRows(`${TABLE}_default`)).toBe(0)
  })

  test('many rows on both sides fail the step and stay readable; a manual repair succeeds', async () => {
    await skipMaintenance()
    await addNotifications(MANY)
    await database.sql(
      `select gapura.ensure_month_partition('${TABLE}', (gapura.now() + interval '1 month')::date)`,
    )
    await addNotifications(1, 2)
    const before = await countRows(TABLE)
    const result = await runMaintenance(ctx())
    expect(result).toMatchObject({ failed: [STEP], postponed: [`make_partitions ${TABLE}`] })
    const error = expect.stringContaining('55000')
    expect(logged).toContainEqual({
      level: 'error',
      message: 'maintenance_step_failed',
      fields: { step: STEP, error },
    })
    expect(await countRows(TABLE)).toBe(before)
    await insertOne()
    await database.sql(`select gapura.ensure_month_partition('${TABLE}', gapura.now()::date)`)
    expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
    expect(await countRows(`${TABLE}_default`)).toBe(0)
    expect(await countRows(TABLE)).toBe(before + 1)
  })
})

test('a role that owns no table recovers it too', async () => {
  const role = `t_maintenance_${randomBytes(4).toString('hex')}`
  const url = new URL(DATABASE_URL)
  url.username = role
  await database.sql(`create role ${role} login`)
  await database.sql(grantsFor(database.db, role).split('-- The queue')[0] ?? '')
  const db = openDatabase(url.href, { schema: database.db.schema })
  try {
    for (const round of [1, 2]) {
      await skipMaintenance()
      await addNotifications(MANY * round)
      expect(await runMaintenance(ctx(db))).toMatchObject({ failed: [], postponed: [] })
      expect(await withTransaction(db, measureDefaultRows)).toContainEqual({
        table: TABLE,
        rows: 0,
      })
    }
    await withTransaction(db, async (tx) => {
      await insertNotifications(tx, [newNotification()], await readClock(tx))
    })
  } finally {
    await db.close()
    await database.sql(`drop owned by ${role}`)
    await database.sql(`drop role ${role}`)
  }
})
