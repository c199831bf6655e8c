import { context, propagation, SpanKind, trace, type SpanContext } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useHttp } from '../http/http_bench.ts'
import { eventually } from '../store/test_database.ts'

const http = useHttp()
const exporter = new InMemorySpanExporter()

beforeAll(() => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)]
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
  // The standard header, read by hand: the SDK's own reader is one package more.
  propagation.setGlobalPropagator({
    inject: () => undefined,
    fields: () => ['traceparent'],
    extract: (from, carrier: Record<string, string>) => {
      const [, traceId = '', spanId = ''] = (carrier['traceparent'] ?? '').split('-')
      const parent: SpanContext = { traceId, spanId, traceFlags: 1, isRemote: true }
      return traceId === '' ? from : trace.setSpanContext(from, parent)
    },
  })
})
beforeEach(() => {
  exporter.reset()
})
afterAll(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

const spans = () => exporter.getFinishedSpans()
const spanOf = (name: string) => spans().find((span) => span.name === name)

test('a charge: the caller’s trace, our request, the call to the gateway', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const headers = { traceparent, 'x-request-id': 'traced-1' }
  await http.post('/charge/', { headers, body: await http.chargeOf('bank_transfer') })
  const request = spanOf('POST /charge/')
  const call = spanOf('POST /v2/charge')
  expect(request?.spanContext().traceId).toBe(traceId)
  expect(request?.kind).toBe(SpanKind.SERVER)
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/charge/',
    'http.response.status_code': 201,
  })
  expect(call?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
  expect(call?.kind).toBe(SpanKind.CLIENT)
  expect(call?.attributes).toEqual({
    'http.request.method': 'POST',
    'url.template': '/v2/charge',
    'gapura.operation': 'charge',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(http.parts.simulator.url).port),
    'http.response.status_code': 200,
  })
})

test('the log lines of a request carry its id, those of its gateway calls too', async () => {
  const headers = { 'x-request-id': 'logged-1' }
  await http.post('/charge/', { headers, body: await http.chargeOf('qris') })
  const lines = http.log.filter(({ fields }) => 'operation' in fields)
  expect(lines.at(-1)?.fields).toMatchObject({
    request_id: 'logged-1',
    operation: 'charge',
    http_status: 200,
    error: null,
  })
})

test('a failure is its code, and no word of a message', async () => {
  await http.strike('charge', 'reply', { options: { status_code: '402', http_status: 200 } })
  await http.strike('charge', 'drop_before')
  await http.post('/charge/', { body: await http.chargeOf('gopay') })
  await http.calm()
  const failed = spans().filter(({ attributes }) => 'error.type' in attributes)
  expect(failed.length).toBeGreaterThan(0)
  for (const { status, attributes, events } of failed) {
    expect(status).toEqual({ code: 2 })
    expect(attributes['error.type']).toMatch(/^[a-z_]+$/)
    expect(events).toEqual([])
  }
})

test('a request that is refused with 4xx is no error of the server, and has its status', async () => {
  await http.post('/charge/', { body: { payment_type: 'gopay' } })
  const refused = spanOf('POST /charge/')
  expect(refused?.attributes['http.response.status_code']).toBe(400)
  expect(refused?.attributes).not.toHaveProperty('error.type')
  expect(refused?.status).toEqual({ code: 0 })
})

test('inside a host that is traced, a request is a part of its own span', async () => {
  const tracer = trace.getTracer('host')
  await tracer.startActiveSpan('host', async (host) => {
    const caller = { owner_id: 'ani', staff: false, scopes: [] }
    await http.parts.gapura.api.listPayments(caller)
    const id = '018f0000-0000-7000-8000-000000000000'
    await http.parts.gapura.api.getPayment(caller, id).catch(() => undefined)
    host.end()
  })
  const inner = spanOf('GET /payments/{pk}/')
  expect(inner?.kind).toBe(SpanKind.INTERNAL)
  expect(inner?.parentSpanContext?.spanId).toBe(spanOf('host')?.spanContext().spanId)
})

test('jobs and deliveries are steps of their own; nothing secret is in any', async () => {
  const { gapura } = http.parts
  gapura.subscribe({ name: 'traced', signals: ['payment_received'], handler: () => undefined })
  const worker = await gapura.startWorker({ relay: { poll_ms_max: 50 } })
  await http.charged('bank_transfer')
  const delivery = await eventually(
    () => Promise.resolve(spanOf('event payment_received')),
    (span) => span !== undefined,
  )
  await worker.stop()
  expect(delivery?.attributes).toEqual({
    'gapura.subscriber': 'traced',
    'gapura.event': 'payment_received',
  })
  const everything = JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))
  for (const secret of [http.parts.simulator.server_key, 'ani', 'bank_transfer-']) {
    expect(everything).not.toContain(secret)
  }
})
