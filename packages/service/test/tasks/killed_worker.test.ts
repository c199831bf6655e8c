import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.ts'
import { queueCharge } from '../../src/services/background/queued_request.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import { charges } from '../services/charge_inputs.ts'
import { requestOf, useService } from '../services/service_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const request = requestOf()
let script = ''
const workers: ChildProcess[] = []

function startProcess(die_at = ''): ChildProcess {
  const worker = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE: DATABASE_URL,
      SCHEMA: service.database.db.schema,
      GATEWAY: service.simulator.url,
      SERVER_KEY: service.simulator.server_key,
      DIE_AT: die_at,
    },
  })
  workers.push(worker)
  return worker
}

beforeAll(async () => {
  script = await bundle('packages/service/test/tasks/worker_child.ts')
  await migrateJobs(service.ctx)
})
afterEach(() => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL')
})

const rows = async (text: string, values: unknown[] = []) =>
  await service.database.sql(text, values)

test('a worker killed in the middle of a charge: another makes it within 30 s, once', async ({
  annotate,
}) => {
  const victim = startProcess('charge.before_send')
  const { order_id } = await queueCharge(service.ctx, request, await chargeOf('bank_transfer'))
  const [, signal] = (await once(victim, 'exit')) as [number | null, string | null]
  const killed_at = performance.now()
  expect(signal).toBe('SIGKILL')
  expect(await service.ledger(order_id)).toBeUndefined()
  const successor = startProcess()
  const status = async () =>
    await rows('select transaction_status from gapura.gateway_payment where order_id = $1', [
      order_id,
    ])
  const [payment] = await eventually(
    status,
    ([row]) => row?.['transaction_status'] === 'pending',
    40_000,
  )
  const took_ms = performance.now() - killed_at
  await annotate(`done again ${Math.round(took_ms)} ms after the kill`)
  expect(payment).toEqual({ transaction_status: 'pending' })
  expect(took_ms).toBeLessThan(30_000)
  expect((await service.ledger(order_id))?.charges).toBe(1)
  // The living one is still registered, the dead one removed, and the living one deregisters.
  // For a moment there is none where another test's migration had the queue restarted (ADR 0014).
  const living = async () => await rows('select 1 from gapura.worker')
  expect(await eventually(living, ({ length }) => length === 1)).toHaveLength(1)
  successor.kill('SIGTERM')
  const [code] = (await once(successor, 'exit')) as [number | null]
  expect(code).toBe(0)
  expect(await rows('select 1 from gapura.worker')).toEqual([])
}, 60_000)
