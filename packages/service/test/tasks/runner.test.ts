import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWorker, type RunningWorker } from '../../src/main/worker.ts'
import { queueCharge } from '../../src/services/background/queued_request.ts'
import { addJobs, jobsSchema } from '../../src/store/maintenance/jobs.ts'
import { beat, dismiss, freeDeadWorkers } from '../../src/tasks/liveness.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import type { Task } from '../../src/tasks/task.ts'
import { TASKS } from '../../src/tasks/task_list.ts'
import { startTimers } from '../../src/tasks/timers.ts'
import { Recorder } from '../events/event_bench.ts'
import { charges } from '../services/charge_inputs.ts'
import { requestOf } from '../services/service_bench.ts'
import { BUDGET, useSweeps } from '../services/sweep_bench.ts'
import { eventually } from '../store/test_database.ts'

const bench = useSweeps()
const { service } = bench
const { chargeOf } = charges(() => service.ctx.gateway)
const request = requestOf()
const running: RunningWorker[] = []

beforeAll(async () => {
  await migrateJobs(service.ctx)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (worker) => await worker.stop()))
})

const start = async (options: Parameters<typeof startWorker>[1]): Promise<RunningWorker> => {
  const worker = await startWorker(service.ctx, options)
  running.push(worker)
  return worker
}
const jobs = async () =>
  await service.database.sql(
    `select key, locked_by, attempts from ${jobsSchema(service.database.db)}.jobs order by key`,
  )
const addJob = async (task: string, key: string, payload: object = {}) => {
  await service.database.do(async (tx) => {
    await addJobs(tx, jobsSchema(service.database.db), [{ task, key, payload, attempts_max: 3 }])
  })
}
const task = (name: string, run: Task['run']): Task => ({
  name,
  run,
  schedule: null,
  attempts_max: 3,
})

test('the named tasks, their schedules and limits', () => {
  expect(TASKS.map(({ name, schedule }) => [name, schedule])).toEqual([
    ['check_overdue_invoices', '7 * * * *'],
    ['check_payment_status', null],
    ['check_pending_payments', '* * * * *'],
    ['expire_stale_payments', '* * * * *'],
    ['process_charge_async', null],
    ['process_refund_async', null],
    ['sync_subscription_status', '*/30 * * * *'],
  ])
  for (const { attempts_max } of TASKS) expect(attempts_max).toBeGreaterThan(0)
})

test('every task can be called directly', async () => {
  const work = { ctx: service.ctx, budget: BUDGET, aborted: new AbortController().signal }
  const run = async (name: string, payload: unknown = {}) =>
    await TASKS.find((one) => one.name === name)?.run(work, payload)
  const payment = await bench.charged('gopay')
  await bench.pay(payment)
  const { order_id } = payment
  expect(await run('check_payment_status', { order_id })).toMatchObject({ order_id })
  await expect(run('check_payment_status', {})).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await run('check_pending_payments')).toMatchObject({ unreachable: 0 })
  expect(await run('expire_stale_payments')).toEqual({ moved: 0 })
})

describe('a worker', () => {
  test('makes queued charges, publishes their events, and stops in good order', async () => {
    const recorder = new Recorder()
    const worker = await start({ subscribers: [recorder.subscriber('shop')], reads_per_second: 50 })
    const { order_id } = await queueCharge(service.ctx, request, await chargeOf('qris'))
    const seen = await eventually(
      () => Promise.resolve(recorder.received.map(({ object }) => object)),
      (received) => received.some((object) => 'order_id' in object && object.order_id === order_id),
    )
    expect(seen).toContainEqual(expect.objectContaining({ order_id }))
    expect(worker.stats()).toMatchObject([{ name: 'shop', leading: true }])
    const pools = await eventually(
      () => service.database.sql('select id from gapura.worker'),
      ({ length }) => length > 0,
    )
    expect(pools).toHaveLength(1)
    await worker.stop()
    expect(await service.database.sql('select id from gapura.worker')).toEqual([])
    running.length = 0
  })

  test('that stops lets a running job end, and begins no other', async () => {
    const reached = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const ended: unknown[] = []
    const slow = task('slow', async ({ aborted }, payload) => {
      reached.resolve()
      await open.promise
      ended.push([payload, aborted.aborted])
    })
    const worker = await start({ subscribers: [], tasks: [slow], concurrency_max: 1 })
    await addJob('slow', 'slow-1', { n: 1 })
    await reached.promise
    await addJob('slow', 'slow-2', { n: 2 })
    const stopped = worker.stop()
    running.length = 0
    open.resolve()
    await stopped
    expect(ended).toEqual([[{ n: 1 }, true]])
    expect(await jobs()).toMatchObject([{ key: 'slow-2', locked_by: null, attempts: 0 }])
  })

  test('retries a failed task, later', async () => {
    let calls = 0
    const failing = task('failing', async () => {
      calls += 1
      await Promise.reject(new Error('boom'))
    })
    await start({ subscribers: [], tasks: [failing] })
    await addJob('failing', 'failing-1')
    const [job] = await eventually(
      async () => (await jobs()).filter(({ key }) => key === 'failing-1'),
      ([row]) => row?.['attempts'] === 1 && row['locked_by'] === null,
    )
    expect(job).toMatchObject({ attempts: 1, locked_by: null })
    expect(calls).toBe(1)
  })
})

test('a queued charge without an end opens an alarm after its last attempt, and is kept', async () => {
  const { job_id } = await queueCharge(service.ctx, request, await chargeOf('bank_transfer'))
  // As if all attempts but the last were used, and the gateway does not answer that one.
  await service.control('faults', { effect: 'drop_before', match: { operation: 'charge' } })
  await service.control('faults', { effect: 'drop_before', match: { operation: 'get_status' } })
  await service.database.sql(
    `update ${jobsSchema(service.database.db)}._private_jobs
     set attempts = max_attempts - 1 where key = $1`,
    [job_id],
  )
  await start({ subscribers: [] })
  const alarms = await eventually(
    () => bench.alarmsOf(job_id),
    (kinds) => kinds.length > 0,
  )
  await bench.heal()
  expect(alarms).toEqual(['outcome_unknown'])
  expect((await jobs()).map(({ key }) => key)).toContain(job_id)
})

describe('jobs that are locked', () => {
  const lock = async (key: string, holder: string, seconds_ago: number) => {
    await addJob('unknown_task', key)
    await service.database.sql(
      `update ${jobsSchema(service.database.db)}._private_jobs
       set locked_by = $2, locked_at = now() - make_interval(secs => $3) where key = $1`,
      [key, holder, seconds_ago],
    )
  }
  const holderOf = async (key: string) =>
    (await jobs()).find((job) => job['key'] === key)?.['locked_by']

  test('are released if their holder’s heartbeat stopped or was never seen; others are kept', async () => {
    await beat(service.ctx, 'living')
    await beat(service.ctx, 'still')
    await service.database.sql(
      `update gapura.worker set beat_at = gapura.now() - interval '21 seconds' where id = 'still'`,
    )
    await lock('of-living', 'living', 60)
    await lock('of-still', 'still', 60)
    await lock('of-ghost', 'ghost', 60)
    await lock('of-newborn', 'newborn', 1)
    expect((await freeDeadWorkers(service.ctx)).toSorted()).toEqual(['ghost', 'still'])
    expect(await holderOf('of-still')).toBeNull()
    expect(await holderOf('of-ghost')).toBeNull()
    expect(await holderOf('of-living')).toBe('living')
    expect(await holderOf('of-newborn')).toBe('newborn')
    expect(await service.database.sql('select id from gapura.worker')).toEqual([{ id: 'living' }])
    await dismiss(service.ctx, 'living')
  })
})

test('a timer continues after a fault, never twice at a time, and stop waits for its round', async () => {
  let rounds = 0
  let inside = 0
  const faults: string[] = []
  const third = Promise.withResolvers<void>()
  const timer = {
    name: 'often',
    every_ms: 1,
    run: async () => {
      inside += 1
      expect(inside).toBe(1)
      rounds += 1
      await Promise.resolve()
      inside -= 1
      if (rounds === 3) third.resolve()
      throw new Error('boom')
    },
  }
  const timers = startTimers([timer], (name) => faults.push(name))
  await third.promise
  await timers.stop()
  const at_stop = rounds
  expect(faults.length).toBeGreaterThanOrEqual(3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(rounds).toBe(at_stop)
})
