import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { addJobs, jobsSchema } from '../../src/store/maintenance/jobs.ts'
import { migrateJobs, startRunner, type Runner } from '../../src/tasks/runner.ts'
import type { Task } from '../../src/tasks/task.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../store/database_proxy.ts'
import { eventually } from '../store/test_database.ts'
import { useService } from '../services/service_bench.ts'
import { BUDGET } from '../services/sweep_bench.ts'

const service = useService()
let proxy: DatabaseProxy | undefined
let db: Database | undefined
let runner: Runner | undefined

const done: string[] = []
let during: (key: string) => Promise<void> = async () => undefined
const note: Task = {
  name: 'note',
  run: async (_work, payload) => {
    const { key } = payload as { key: string }
    await during(key)
    done.push(key)
  },
  schedule: null,
  attempts_max: 5,
}

beforeAll(async () => {
  await migrateJobs(service.ctx)
  proxy = await startDatabaseProxy()
})
afterEach(async () => {
  proxy?.open()
  during = async () => undefined
  await runner?.stop()
  await db?.close()
})
afterAll(async () => {
  await proxy?.close()
})

const restarts: string[] = []
async function start(concurrency_max = 2, stop_within_ms = 25_000): Promise<Runner> {
  const { schema } = service.database.db
  db = openDatabase(proxy?.url ?? '', { schema })
  const see = ({ kind }: { kind: string }) => void (kind === 'queue_restart' && restarts.push(kind))
  const trace = service.ctx.telemetry?.trace ?? (async (_step, work) => await work(() => undefined))
  const ctx = { ...service.ctx, db, telemetry: { record: see, trace } }
  restarts.length = 0
  const options = { budget: BUDGET, tasks: [note], concurrency_max, stop_within_ms, restart_ms: 20 }
  runner = await startRunner(ctx, options)
  return runner
}
const queue = async (key: string) =>
  await service.database.do(async (tx) => {
    const job = { task: 'note', key, payload: { key }, attempts_max: 5 }
    await addJobs(tx, jobsSchema(service.database.db), [job])
  })
const isDone = async (key: string) =>
  await eventually(
    () => Promise.resolve(done.includes(key)),
    (yes) => yes,
    40_000,
  )

test('jobs still run after every connection was broken, again and again', async () => {
  await start()
  for (const round of ['first', 'second', 'third']) {
    proxy?.cut()
    await queue(round)
    expect(await isDone(round)).toBe(true)
  }
}, 60_000)

test('a job that was taken by a statement without a reply runs all the same', async () => {
  const running = await start()
  proxy?.cutAtAnswer('unheard')
  await queue('unheard')
  expect(await isDone('unheard')).toBe(true)
  expect(running.state().queue.running).toBe(true)
  expect(restarts).toHaveLength(1)
}, 60_000)

test('backends terminated by the server: jobs still run', async () => {
  await start()
  const { schema } = service.database.db
  for (const round of ['fourth', 'fifth']) {
    await service.database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and position($1 in query) > 0`,
      [schema],
    )
    await queue(round)
    expect(await isDone(round)).toBe(true)
  }
}, 60_000)

// A pooler in transaction mode passes on no NOTIFY.
const with_notify = process.env['GAPURA_TEST_POOLER'] === undefined

test.runIf(with_notify)(
  'another queue of the same database is migrated: ours is restarted, the exit code stays',
  async () => {
    const running = await start()
    // As a newer release of the queue would say it, in any schema.
    const payload = JSON.stringify({ migrationNumber: 99, breaking: true })
    await eventually(
      async () => {
        await service.database.sql(`select pg_notify('worker:migrate', $1)`, [payload])
        return restarts.length
      },
      (count) => count > 0,
      40_000,
    )
    await queue('migrated')
    expect(await isDone('migrated')).toBe(true)
    expect(restarts.length).toBeGreaterThan(0)
    await running.stop()
    expect(process.exitCode).not.toBe(57)
  },
  60_000,
)

test('a queue that lost the database at the end of a job is restarted, and stops in good order', async () => {
  const running = await start(1)
  // The queue cannot record that the job has ended, which ends the queue.
  during = async (key) => {
    if (key === 'fatal' && !done.includes('fatal')) proxy?.cut(true)
    await Promise.resolve()
  }
  await queue('fatal')
  const down = await eventually(
    () => Promise.resolve(running.state().queue),
    ({ running: up }) => !up,
    40_000,
  )
  expect(down.running).toBe(false)
  proxy?.open()
  await queue('after')
  expect(await isDone('after')).toBe(true)
  expect(running.state().queue).toMatchObject({ running: true, down_ms: 0 })
  expect(restarts.length).toBeGreaterThan(0)
  // Its end was not recorded, so the job is released with its dead pool, and runs again.
  const runs = await eventually(
    () => Promise.resolve(done.filter((key) => key === 'fatal').length),
    (times) => times > 1,
    60_000,
  )
  expect(runs).toBe(2)
  await running.stop()
  await running.stop()
  expect(await service.database.sql('select id from gapura.worker')).toEqual([])
}, 120_000)

test('a job that does not end in time is released when the process stops', async () => {
  const running = await start(1, 100)
  const reached = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  during = async () => {
    reached.resolve()
    await open.promise
  }
  await queue('endless')
  await reached.promise
  await running.stop()
  const jobs = await service.database.sql(
    `select locked_by, attempts from ${jobsSchema(service.database.db)}.jobs where key = 'endless'`,
  )
  expect(jobs).toEqual([{ locked_by: null, attempts: 1 }])
  expect(await service.database.sql('select id from gapura.worker')).toEqual([])
  open.resolve()
}, 30_000)
