import { Pool } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createGapura } from '../../src/main/create_gapura.ts'
import { METRICS } from '../../src/main/metrics/definitions.ts'
import { readWorker } from '../../src/main/metrics/readings.ts'
import { Registry } from '../../src/main/metrics/registry.ts'
import { doneOnCommit, withTransaction } from '../../src/store/connection/transaction.ts'
import type { RunningWorker } from '../../src/main/worker.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { failureOf } from '../../src/store/connection/errors.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { useHttp } from '../http/http_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { readMetrics, type MetricsPage } from './metrics_page.ts'

const http = useHttp()
let page: MetricsPage = readMetrics('# HELP none .\n')
let text = ''
const SECRET_KEY = 'an-idempotency-key-of-ani'

beforeAll(async () => {
  const payment = await http.settled('gopay')
  await http.post(`/payments/${payment.id}/refund/`, {
    body: { amount: 10_000, reason: 'returned' },
    key: SECRET_KEY,
  })
  await http.get('/payments/')
  await http.get('/no/such/path-of-anybody')
  // The gateway sends a notification for each; the last is for the refund.
  await eventually(
    async () => await http.database.sql('select 1 from gapura.gateway_notification'),
    ({ length }) => length >= 3,
  )
  text = await http.parts.gapura.metrics()
  page = readMetrics(text)
})

describe('the page of metrics', () => {
  test('is well formed, and every metric on it is defined with its type', () => {
    for (const [name, type] of page.types) {
      expect(METRICS).toHaveProperty(name)
      expect(type).toBe(METRICS[name as keyof typeof METRICS].type)
    }
    expect(page.types.size).toBeGreaterThan(25)
  })

  test('counts requests by route, never by path', () => {
    const charge = 'method="POST",route="/charge/",status="201"'
    expect(page.value(`gapura_http_requests_total{${charge}}`)).toBe(1)
    const refund = 'method="POST",route="/payments/{pk}/refund/",status="200"'
    expect(page.value(`gapura_http_requests_total{${refund}}`)).toBe(1)
    const unknown = 'method="GET",route="other",status="404"'
    expect(page.value(`gapura_http_requests_total{${unknown}}`)).toBe(1)
  })

  test('counts calls to the gateway, steps, notifications and money', () => {
    const calls = 'gapura_gateway_calls_total{operation="charge",outcome="ok"}'
    expect(page.value(calls)).toBe(1)
    const step = 'object="payment",from="initiated",to="pending"'
    expect(page.value(`gapura_transitions_total{${step}}`)).toBe(1)
    expect(page.value('gapura_money_refunded_rupiah_total')).toBe(10_000)
    const received = page.value('gapura_money_received_rupiah_total{payment_type="gopay"}')
    expect(received).toBeGreaterThan(10_000)
    const notifications = [...page.samples].filter(([name]) =>
      name.startsWith('gapura_notifications_total'),
    )
    expect(notifications.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(3)
    expect(page.value('gapura_last_notification_age_seconds')).toBeLessThan(60)
    expect(page.value('gapura_notification_store_seconds_count')).toBeGreaterThanOrEqual(3)
    expect(page.value('gapura_notifications_unstored_total')).toBe(0)
  })

  test('reads the gauges of the database', () => {
    expect(page.value('gapura_database_up')).toBe(1)
    expect(page.value('gapura_operations_open')).toBe(0)
    expect(page.value('gapura_operation_oldest_open_seconds')).toBe(0)
    expect(page.value('gapura_alarms_open{kind="late_money"}')).toBe(0)
    expect(page.value('gapura_partition_months_ahead{table="gateway_event"}')).toBe(3)
    expect(page.value('gapura_partition_default_rows{table="gateway_event"}')).toBe(0)
    expect(page.value('gapura_gateway_breaker_open')).toBe(0)
    expect(Math.abs(page.value('gapura_clock_skew_seconds') ?? Infinity)).toBeLessThan(5)
    expect(page.value('gapura_store_failures_total{reason="disk_full"}')).toBe(0)
  })

  test('histograms add up', () => {
    const route = 'method="POST",route="/charge/"'
    const name = 'gapura_http_request_duration_seconds'
    expect(page.value(`${name}_bucket{${route},le="+Inf"}`)).toBe(1)
    expect(page.value(`${name}_count{${route}}`)).toBe(1)
    expect(page.value(`${name}_sum{${route}}`)).toBeGreaterThan(0)
  })

  test('names no owner, order, key or path', () => {
    for (const secret of ['ani', 'gopay-1', SECRET_KEY, 'path-of-anybody', 'SB-Mid']) {
      expect(text).not.toContain(`"${secret}`)
    }
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })
})

test('what is rolled back is not counted', async () => {
  const counted: unknown[] = []
  const { schema } = http.database.db
  const db = openDatabase(DATABASE_URL, { schema, onDone: (metrics) => counted.push(...metrics) })
  const metric = { kind: 'refunded', amount: 100n } as const
  const undone = withTransaction(db, async () => {
    doneOnCommit(metric)
    await Promise.reject(new Error('no'))
  })
  await expect(undone).rejects.toThrow('no')
  expect(counted).toEqual([])
  await withTransaction(db, async () => {
    doneOnCommit(metric)
    await Promise.resolve()
  })
  expect(counted).toEqual([metric])
  await db.close()
})

test('a storm of scrapes is one look at the database', async () => {
  const pool = new Pool({ connectionString: DATABASE_URL, max: 4 })
  let lent = 0
  pool.on('acquire', () => {
    lent += 1
  })
  const { schema } = http.database.db
  const gapura = createGapura({ pool, schema, gateway: { server_key: 'SB-Mid-server-abc' } })
  await Promise.all(Array.from({ length: 200 }, async () => await gapura.metrics()))
  await gapura.metrics()
  expect(lent).toBe(1)
  await gapura.close()
  await pool.end()
})

test('a database away leaves what the process knows', async () => {
  const databaseUrl = 'postgres://absent@127.0.0.1:1/none'
  const gapura = createGapura({ databaseUrl, gateway: { server_key: 'SB-Mid-server-abc' } })
  const known = readMetrics(await gapura.metrics())
  expect(known.value('gapura_database_up')).toBe(0)
  expect(known.value('process_resident_memory_bytes')).toBeGreaterThan(0)
  expect(known.value('gapura_operations_open')).toBeUndefined()
  const failures = readMetrics(await gapura.metrics())
  expect(failures.value('gapura_store_failures_total{reason="away"}')).toBe(1)
  await gapura.close()
})

test('an event that a handler processed is counted with its delay', async () => {
  const { gapura } = http.parts
  gapura.subscribe({ name: 'delayed', signals: ['payment_received'], handler: () => undefined })
  const worker = await gapura.startWorker({ relay: { poll_ms_max: 50 } })
  await http.charged('bank_transfer')
  const delays = 'gapura_event_delay_seconds'
  const counted = await eventually(
    async () => readMetrics(await gapura.metrics()),
    ({ value }) => (value(`${delays}_count{subscriber="delayed"}`) ?? 0) > 0,
  )
  await worker.stop()
  expect(counted.value(`${delays}_bucket{subscriber="delayed",le="60"}`)).toBeGreaterThan(0)
})

test('a notification that cannot be stored is counted, and repeated by the gateway', async () => {
  const order = { order_id: 'unstored-1', status_code: '200', gross_amount: '10000.00' }
  const signature_key = signNotification(order, http.parts.simulator.server_key)
  const body = { ...order, transaction_status: 'settlement', transaction_id: 't-1', signature_key }
  await http.database.sql('alter table gapura.gateway_notification rename to hidden')
  const { status } = await http.post('/notification/', { body })
  await http.database.sql('alter table gapura.hidden rename to gateway_notification')
  const { value } = readMetrics(await http.parts.gapura.metrics())
  expect(status).toBe(429)
  expect(value('gapura_notifications_unstored_total')).toBe(1)
})

test.each([
  ['53100', 'disk_full'],
  ['25006', 'standby'],
  ['server_standby', 'standby'],
  ['commit_unknown', 'commit_unknown'],
  ['40P01', 'busy'],
  ['57P01', 'away'],
  ['23505', undefined],
])('the failure %s of the database is counted as %s', (code, reason) => {
  expect(failureOf(Object.assign(new Error('failed'), { code }))).toBe(reason)
})

test('endpoints of webhooks are one subscriber, and no label holds an id', () => {
  const one = { leading: true, delivered: 2, failed: 1, dead: 0, lag_ms: 0, turn_ms: 0 }
  const names = ['shop', 'webhook.018f0000-0000-7000-8000-000000000000', 'webhook.018f1']
  const worker = {
    stats: () => names.map((name) => ({ ...one, name })),
    state: () => ({ queue: { running: true } }),
  } as unknown as RunningWorker
  expect(readWorker(worker).gapura_events_delivered_total).toEqual([
    { labels: { subscriber: 'shop' }, value: 2 },
    { labels: { subscriber: 'webhook' }, value: 4 },
  ])
})

describe('the registry', () => {
  test('escapes what a label may hold', () => {
    const registry = new Registry()
    registry.add('gapura_alarms_opened_total', { kind: 'a "quoted" \\ and\nbroken' })
    const series = 'gapura_alarms_opened_total{kind="a \\"quoted\\" \\\\ and\\nbroken"} 1\n'
    expect(registry.write({})).toContain(series)
  })

  test('puts a value on its bound into the bucket, and one beyond all into the last', () => {
    const registry = new Registry()
    const task = 'keep'
    for (const value of [0.01, 0.02, 1_000]) {
      registry.observe('gapura_job_duration_seconds', { task }, value)
    }
    const { value } = readMetrics(registry.write({}))
    const bucket = (le: string) => `gapura_job_duration_seconds_bucket{task="keep",le="${le}"}`
    expect(['0.01', '0.05', '300', '+Inf'].map((le) => value(bucket(le)))).toEqual([1, 2, 2, 3])
    expect(value('gapura_job_duration_seconds_sum{task="keep"}')).toBeCloseTo(1_000.03)
  })

  test('holds no more series than it may, whatever comes', () => {
    const registry = new Registry()
    for (let n = 0; n < 2_000; n += 1) {
      registry.add('gapura_alarms_opened_total', { kind: `kind-${n}` })
    }
    const { samples, value } = readMetrics(registry.write({}))
    const alarms = [...samples.keys()].filter((name) => name.startsWith('gapura_alarms_opened'))
    expect(alarms).toHaveLength(501)
    expect(value('gapura_alarms_opened_total{kind="other"}')).toBe(1_500)
  })
})
