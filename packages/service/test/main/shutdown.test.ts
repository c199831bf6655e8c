// Real processes and real signals: what is under way ends, nothing is left behind.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { queueCharge } from '../../src/services/background/queued_request.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { send, useHttp } from '../http/http_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'

const http = useHttp()
const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await http.calm()
})

const RUN = fileURLToPath(new URL('../../src/main/run.ts', import.meta.url))

interface Spawned {
  child: ChildProcess
  ended: Promise<unknown[]>
  /** The next line of the log with this message. */
  line: (message: string) => Promise<Record<string, unknown>>
}

function start(command: 'serve' | 'work', more: Record<string, string> = {}): Spawned {
  const child = spawn(process.execPath, [RUN, command], {
    env: {
      ...process.env,
      DATABASE_URL,
      GAPURA_SCHEMA: http.database.db.schema,
      GAPURA_PORT: '0',
      GAPURA_ADMIN_PORT: '0',
      GATEWAY_SERVER_KEY: http.parts.simulator.server_key,
      GATEWAY_BASE_URL: http.parts.simulator.url,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (message: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`the log ended before "${message}"`)
      const read = JSON.parse(value) as Record<string, unknown>
      if (read['message'] === message) return read
    }
  }
  return { child, ended: once(child, 'exit'), line }
}

const keyOf = async (): Promise<string> => {
  const order = { owner_id: 'ani', name: 'till', staff: false, scopes: ['payments:write' as const] }
  return (await http.parts.gapura.createApiKey(order)).key
}
/** A charge whose answer the gateway holds back, once it is on disk. */
async function slowCharge(url: string, ms: number) {
  await http.strike('charge', 'delay', { options: { ms } })
  const order_id = http.fresh('slow')
  const answer = send('POST', `${url}/charge/`, {
    as: '',
    headers: { authorization: `Bearer ${await keyOf()}` },
    body: await http.chargeOf('qris', { order_id }),
  })
  await expect
    .poll(async () => (await http.get(`/payments/?order_id=${order_id}`)).body['results'])
    .toHaveLength(1)
  return { answer, order_id }
}
const openOperations = async () =>
  await http.database.sql(
    "select kind from gapura.gateway_operation where state in ('started', 'unknown')",
  )

test('SIGTERM: not ready at once, still answering, the charge under way ends, exit 0', async () => {
  const { child, ended, line } = start('serve', { GAPURA_DRAIN_SECONDS: '1' })
  const admin = String((await line('health and metrics'))['url'])
  const url = String((await line('listening'))['url'])
  expect((await fetch(`${admin}/readyz`)).status).toBe(200)
  const { answer } = await slowCharge(url, 2_000)
  child.kill('SIGTERM')
  const ready = await eventually(
    async () => (await fetch(`${admin}/readyz`)).status,
    (status) => status === 503,
  )
  expect(ready).toBe(503)
  expect((await fetch(`${admin}/livez`)).status).toBe(200)
  // A balancer that has not looked yet is still served, on a connection that closes behind it.
  const late = await fetch(`${url}/payments/`)
  expect([late.status, late.headers.get('connection')]).toEqual([401, 'close'])
  expect((await answer).status).toBe(201)
  expect(await ended).toEqual([0, null])
  expect(await openOperations()).toEqual([])
}, 40_000)

test('a second signal ends it at once, and what was under way is found again', async () => {
  const { child, ended, line } = start('serve')
  const url = String((await line('listening'))['url'])
  const { answer, order_id } = await slowCharge(url, 5_000)
  const lost = answer.then(
    () => 'answered',
    () => 'lost',
  )
  child.kill('SIGTERM')
  // The port closes with the first one.
  await eventually(
    async () =>
      await fetch(url).then(
        () => true,
        () => false,
      ),
    (open) => !open,
  )
  child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  expect(await lost).toBe('lost')
  expect(await openOperations()).toEqual([{ kind: 'charge' }])
  await http.calm()
  // Its time is set well after any answer could still come; here it is over.
  await http.database.sql(
    `update gapura.gateway_operation
     set due_at = gapura.now(), sent_at = gapura.now() - interval '5 minutes'
     where state = 'started'`,
  )
  const worker = await http.parts.gapura.startWorker()
  expect(await eventually(openOperations, ({ length }) => length === 0)).toEqual([])
  await worker.stop()
  expect((await http.ledger(order_id))?.['charges'] ?? 0).toBeLessThanOrEqual(1)
}, 40_000)

test('a worker: the job under way ends, leases and jobs are given back, exit 0', async () => {
  const { child, ended, line } = start('work')
  const admin = String((await line('health and metrics'))['url'])
  await line('worker started')
  // Another test's queue that is migrated in the same database ends this one for a moment
  // (ADR 0014).
  const metrics = await eventually(
    async () => await (await fetch(`${admin}/metrics`)).text(),
    (text) => text.includes('gapura_queue_up 1\n'),
  )
  expect(metrics).toContain('gapura_queue_up 1\n')
  const good = { database: 'ok', queue: 'ok', timers: 'ok', relays: 'ok', events: 'ok' }
  const ready = await eventually(
    async () => (await (await fetch(`${admin}/readyz`)).json()) as { status: string },
    ({ status }) => status === 'ok',
  )
  expect(ready).toEqual({ status: 'ok', checks: good })
  await http.strike('charge', 'delay', { options: { ms: 2_000 } })
  const { simulator } = http.parts
  const { server_key, url: base_url } = simulator
  const gateway = new GatewayClient({ server_key, base_url })
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const ctx = withInbox({
    db: http.database.db,
    gateway,
    log: silent,
    confirm_notifications: false,
    reached: () => undefined,
  })
  const caller = { owner_id: 'ani', staff: false, scopes: [] }
  const request = { caller, request_id: 'request-1', idempotency: null }
  const { order_id } = await queueCharge(ctx, request, await http.chargeOf('qris'))
  await expect
    .poll(async () => (await http.get(`/payments/?order_id=${order_id}`)).body['results'], {
      timeout: 15_000,
    })
    .toHaveLength(1)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const { body } = await http.get(`/payments/?order_id=${order_id}`)
  expect(body['results']).toMatchObject([{ transaction_status: 'pending' }])
  expect((await http.ledger(order_id))?.['charges']).toBe(1)
  expect(await http.database.sql('select id from gapura.worker')).toEqual([])
  const jobs = await http.database.sql(
    `select locked_by from ${http.database.db.schema}_worker.jobs where locked_by is not null`,
  )
  expect(jobs).toEqual([])
  await gateway.close()
}, 60_000)

test('a command without its settings says which are missing, and ends with 1', async () => {
  const { ended, line } = start('serve', { GATEWAY_SERVER_KEY: '', GAPURA_PORT: 'many' })
  const { faults } = await line('could not start')
  expect(faults).toEqual([
    'GAPURA_PORT is a whole number up to 65535',
    'GATEWAY_SERVER_KEY is not set',
  ])
  expect(await ended).toEqual([1, null])
})
