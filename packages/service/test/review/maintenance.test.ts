// Every step of a maintenance run on its own, and retention of a partition that spans months.
import { expect, test } from 'vitest'
import { NO_TELEMETRY, type MetricEvent } from '../../src/domain/telemetry.ts'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import {
  dropPartition,
  MONTHS_AHEAD,
  MOVED_ROWS_MAX,
  PARTITIONED_TABLES,
} from '../../src/store/maintenance/partitions.ts'
import { startRunner } from '../../src/tasks/runner.ts'
import { BUDGET } from '../services/sweep_bench.ts'
import { there } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { useMaintenance } from './maintenance_bench.ts'

const TABLE = 'gateway_notification'
const MANY = MOVED_ROWS_MAX + 1
const ALL = { notifications_months: 1, events_months: 1 }

const bench = useMaintenance()
const { database, logged, ctx, passMonths, addNotifications, countRows } = bench

/** Until retention finds nothing more to drop, because one run drops only a few. */
const dropAllOld = async (): Promise<void> => {
  for (let run = 0; run < 20; run++) {
    const { failed, partitions_dropped } = await runMaintenance(ctx(), ALL)
    expect(failed).toEqual([])
    if (partitions_dropped === 0) return
  }
}

/** Makes every look-up of the notifications' DEFAULT partition fail. */
const hideDefault = async (hidden: boolean): Promise<void> => {
  const [from, to] = hidden ? ['default', 'hidden'] : ['hidden', 'default']
  await database.sql(`alter table gapura.${TABLE}_${from} rename to ${TABLE}_${to}`)
}

test('a failing step is named in result and log, and the steps after it run', async () => {
  await passMonths(6)
  await database.sql(
    `insert into gapura.operation_reply (operation_id, finished_at, code, body)
     values ('00000000-0000-7000-8000-00000000000a', gapura.now() - interval '25 hours', 201, '{}')`,
  )
  await hideDefault(true)
  const result = await runMaintenance(ctx(), ALL)
  await hideDefault(false)
  expect(result.failed).toEqual([`recover_default ${TABLE}`, `make_partitions ${TABLE}`])
  // Of the other tables.
  expect(result.partitions_made).toBe((PARTITIONED_TABLES.length - 1) * (1 + MONTHS_AHEAD))
  expect(result.replies_purged).toBe(1)
  expect(result.partitions_dropped).toBeGreaterThan(0)
  expect(logged).toContainEqual({
    level: 'error',
    message: 'maintenance_step_failed',
    fields: { step: `recover_default ${TABLE}`, error: 'error 42P01' },
  })
  expect(await runMaintenance(ctx(), ALL)).toMatchObject({ failed: [] })
})

test('a run with a failed step is counted as a failed round of its timer', async () => {
  const seen: MetricEvent[] = []
  const telemetry = { ...NO_TELEMETRY, record: (event: MetricEvent) => void seen.push(event) }
  const outcomes = async (): Promise<unknown[]> =>
    await Promise.resolve(
      seen.flatMap((one) =>
        one.kind === 'timer' && one.timer === 'run_maintenance' ? one.outcome : [],
      ),
    )
  await hideDefault(true)
  const runner = await startRunner({ ...ctx(), telemetry }, { budget: BUDGET, tasks: [] })
  const counted = await eventually(outcomes, ({ length }) => length > 0)
  await runner.stop()
  await hideDefault(false)
  expect(counted).toEqual(['failed'])
})

test('more than 500,000 expired replies are purged in one run', async () => {
  await database.sql(
    `insert into gapura.operation_reply (operation_id, finished_at, code, body)
     select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       gapura.now() - interval '25 hours', 201, '{}'
     from generate_series(1, 510000) as n`,
  )
  const { replies_purged, failed } = await runMaintenance(ctx())
  expect(failed).toEqual([])
  // All of them, unless the machine is so slow that the run reaches its time limit first.
  expect(replies_purged).toBeGreaterThan(500_000)
}, 180_000)

test('retention drops a partition that spans months only when its last month is old enough', async () => {
  await passMonths(MONTHS_AHEAD + 2)
  await addNotifications(MANY)
  expect(await runMaintenance(ctx())).toMatchObject({ failed: [], postponed: [] })
  const span = there((await bench.partitions(TABLE)).find(({ name }) => name.includes('_to_')))
  // Its first month ended long ago, its last one has not.
  await passMonths(MONTHS_AHEAD)
  await dropAllOld()
  expect(await countRows(TABLE)).toBe(MANY)
  const drop = async () => await database.do(async (tx) => await dropPartition(tx, TABLE, span))
  expect(await drop()).toBe(false)
  // Its last month has ended, and one whole month is kept after that.
  await passMonths(1)
  await dropAllOld()
  expect(await countRows(TABLE)).toBe(MANY)
  await passMonths(1)
  await dropAllOld()
  expect(await countRows(TABLE)).toBe(0)
  expect(await bench.partitions(TABLE)).not.toContainEqual(span)
})

test('an unmatched notification in the last month of a span keeps all of it', async () => {
  await passMonths(MONTHS_AHEAD + 2)
  await addNotifications(MANY)
  await runMaintenance(ctx())
  await passMonths(MONTHS_AHEAD)
  await addNotifications(1)
  await database.sql(
    `update gapura.${TABLE} set effect = 'unmatched'
     where received_at >= date_trunc('month', gapura.now())`,
  )
  await passMonths(2)
  await dropAllOld()
  expect(await countRows(TABLE)).toBe(MANY + 1)
  expect((await runMaintenance(ctx(), ALL)).partitions_held).toBe(1)
  await database.sql(
    `update gapura.${TABLE} set resolved_at = gapura.now() where resolved_at is null`,
  )
  await dropAllOld()
  expect(await countRows(TABLE)).toBe(0)
})
