// No secret leaks (promise 8): secrets go in through every input, and every output is searched.
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import { SIGNALS } from '../../src/domain/signals.ts'
import { subscribe } from '../../src/events/subscribers.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import { startWorker } from '../../src/main/worker.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { addJobs, jobsSchema } from '../../src/store/maintenance/jobs.ts'
import type { Task } from '../../src/tasks/task.ts'
import { TASKS } from '../../src/tasks/task_list.ts'
import { listen } from '../http/http_bench.ts'
import { BUDGET } from '../services/sweep_bench.ts'
import { eventually } from '../store/test_database.ts'
import { useCanaries } from './canary_bench.ts'
import { MOODS } from './hostile_gateway.ts'
import { findLeaks, type Surface } from './surfaces.ts'
import { ROUTE_NAMES, WALKS } from './walks.ts'

const bench = useCanaries()
const { canaries, witness } = bench

/** What came since the last search; the last test searches everything again, for every secret. */
const expectNoLeak = async () =>
  expect((await findLeaks(canaries, await bench.sinceLastLook())).slice(0, 20)).toEqual([])

const jobs = () => jobsSchema(bench.database.db)

test('every route has a walk, and every walk a route', () => {
  expect(Object.keys(WALKS).sort()).toEqual(ROUTE_NAMES)
})

describe('no secret leaks through', () => {
  test.each(ROUTE_NAMES)(
    '%s',
    async (route) => {
      for (const walk of WALKS[route] ?? []) await walk(bench)
      await expectNoLeak()
    },
    120_000,
  )

  test('the resolver and the sweeps, in every mode of the gateway', async () => {
    const { ctx } = bench.parts
    for (const mood of MOODS.toReversed()) {
      await bench.database.do((tx) => moveClock(tx, 30 * 60_000))
      await bench.gateway.as(mood, async () => {
        await resolveOperations(ctx, 100)
        await checkPendingPayments(ctx, { budget: BUDGET })
        await matchUnmatched(ctx, BUDGET)
      })
    }
    await expectNoLeak()
  }, 120_000)
})

describe('no secret leaks through failures of', () => {
  const everyRoute = async (base: string) => {
    const body = await bench.inputOf('credit_card')
    const fields = { order_id: body.order_id, status_code: '200', gross_amount: '150000.00' }
    const notice = {
      ...fields,
      signature_key: bench.sign(fields),
      transaction_status: 'settlement',
    }
    const statuses: number[] = []
    for (const route of ROUTE_NAMES) {
      const [method = '', path = ''] = route.split(' ')
      const id = '01890000-0000-7000-8000-000000000000'
      const sent = route.includes('/charge/') ? body : route.includes('refund') ? { amount: 1 } : {}
      const answer = await bench.ask(method, path.replace('{pk}', id), {
        as: base,
        ...(method === 'POST' && { body: route.includes('notification') ? notice : sent }),
      })
      statuses.push(answer.status)
    }
    return statuses
  }

  test('an unreachable database', async () => {
    const options = bench.optionsOf(bench.parts.simulator.url, {
      databaseUrl: 'postgres://unknown@127.0.0.1:1/none',
    })
    const gapura = createGapura(options)
    const server = createServer((request, response) => gapura.nodeHandler(request, response))
    const statuses = await everyRoute(await listen(server))
    server.closeAllConnections()
    server.close()
    await gapura.close()
    expect(statuses).toContain(503)
    await expectNoLeak()
  })

  test('a missing table, and one that fails in the middle', async () => {
    for (const table of ['gateway_payment', 'gateway_operation', 'gateway_notification']) {
      await bench.database.sql(`alter table gapura.${table} rename to away`)
      const statuses = await everyRoute(bench.parts.url)
      await bench.database.sql(`alter table gapura.away rename to ${table}`)
      expect(statuses.some((status) => status >= 429)).toBe(true)
    }
    expect(witness.seen.some(({ text }) => text.includes('does not exist'))).toBe(true)
    await expectNoLeak()
  })

  test('subscribers and tasks that throw: dead events, alarms, the queue’s own tables', async () => {
    const { server_key, card_number, token_id, saved_token_id, api_key, jwt } =
      await bench.secrets()
    const basic = `Basic ${btoa(`${server_key}:`)}`
    const words = [server_key, card_number, token_id, saved_token_id, api_key, jwt, basic].join(' ')
    const delivered: SignalEnvelope[] = []
    const leaky: Task = {
      name: 'leaky',
      run: async () => await Promise.reject(new Error(`could not: ${words}`)),
      schedule: null,
      attempts_max: 1,
    }
    const worker = await startWorker(bench.parts.ctx, {
      tasks: [...TASKS, leaky],
      reads_per_second: 1_000,
      relay: { attempts_max: 2, retry_ms_min: 1, retry_ms_max: 5, poll_ms_max: 50 },
      subscribers: [
        subscribe({
          name: 'shop',
          signals: SIGNALS,
          handler: async (event) => {
            await Promise.resolve(witness.event(event))
            delivered.push(event)
          },
        }),
        subscribe({
          name: 'thrower',
          signals: ['payment_settled'],
          handler: async () => await Promise.reject(new Error(`500: ${words}`)),
        }),
      ],
    })
    await bench.database.do(async (tx) => {
      await addJobs(tx, jobs(), [{ task: 'leaky', key: 'leaky', payload: {}, attempts_max: 1 }])
    })
    const good = await bench.inputOf('qris')
    const { api } = bench.parts.gapura
    const queue = async (body: object) => await api.queueCharge(bench.owner, body as never)
    await queue(good)
    for (const metadata of [{ note: token_id }, { cvv: 1 }, { [server_key]: 1 }]) {
      await bench.call('queueCharge', () => queue({ ...good, metadata }))
    }
    const payment_id = '01890000-0000-7000-8000-000000000000'
    await bench.call('queueRefund', () =>
      api.queueRefund(bench.owner, payment_id, { amount: 1, reason: card_number }),
    )
    const dead = await eventually(
      () => bench.database.sql("select kind from gapura.gateway_alarm where kind = 'event_dead'"),
      ({ length }) => length > 0,
    )
    const [job] = await eventually(
      () =>
        bench.database.sql(`select last_error from ${jobs()}._private_jobs where key = 'leaky'`),
      ([row]) => typeof row?.['last_error'] === 'string',
    )
    await eventually(
      () => Promise.resolve(delivered),
      (events) =>
        events.some(({ object }) => 'order_id' in object && object.order_id === good.order_id),
    )
    await worker.stop()
    expect(dead.length).toBeGreaterThan(0)
    expect(job?.['last_error']).toContain('could not: [secret]')
    expect(delivered.length).toBeGreaterThan(10)
    await expectNoLeak()
  }, 60_000)
})

test('all outputs together, searched also for the signatures of every notification', async () => {
  const rows = await bench.database.sql(
    `select distinct order_id, raw_payload->>'status_code' as status_code,
       raw_payload->>'gross_amount' as gross_amount from gapura.gateway_notification`,
  )
  expect(rows.length).toBeGreaterThan(20)
  for (const { order_id, status_code, gross_amount } of rows) {
    bench.sign({
      order_id: String(order_id),
      status_code: String(status_code),
      gross_amount: String(gross_amount),
    })
  }
  expect((await findLeaks(canaries, await bench.everything())).slice(0, 20)).toEqual([])
}, 60_000)

test('every kind of secret was sent, and every output was searched', async () => {
  expect(canaries.names.sort()).toEqual([
    'API key',
    'CVV',
    'JWT',
    'JWT secret',
    'basic authentication',
    'card number',
    'card token',
    'payment option token',
    'saved card token',
    'saved token of a charge',
    'server key',
    'signature',
    'webhook key',
    'webhook secret',
  ])
  const seen = await bench.everything()
  const counts = Object.groupBy(seen, ({ surface }) => surface)
  for (const surface of ['reply', 'log', 'event', 'table'] satisfies Surface[])
    expect(counts[surface]?.length ?? 0).toBeGreaterThan(10)
})
