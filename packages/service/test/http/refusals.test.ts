// A flood of refused webhooks must not become a flood of log lines (ADR 0005).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { createOwnApp } from '../../src/main/routes.ts'
import { refusalsOf } from '../../src/http/platform/refusals.ts'
import { useService } from '../services/service_bench.ts'

interface Line {
  level: string
  message: string
  [field: string]: unknown
}

/** A log that the test reads, and a clock that the test sets. */
function bench() {
  const lines: Line[] = []
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields })
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const clock = { ms: 1_000 }
  return { log, clock, now: () => clock.ms, taken: () => lines.splice(0) }
}

const refusal = (request_id: string, status = 403) => ({
  request_id,
  status,
  code: 'signature_invalid',
  order_id: null,
})

describe('lines about refusals', () => {
  test('the first at once, then one a minute with how many were dropped since', () => {
    const { log, clock, now, taken } = bench()
    const refusals = refusalsOf(log, now)
    for (let count = 0; count < 1_000; count += 1) {
      refusals.note(refusal(`r-${count}`))
      clock.ms += 100
    }
    expect(taken()).toMatchObject([
      { level: 'warn', request_id: 'r-0', dropped: 0, total: 1 },
      { level: 'warn', request_id: 'r-600', dropped: 599, total: 601 },
    ])
    clock.ms += 60_000
    refusals.note(refusal('last'))
    expect(taken()).toMatchObject([{ request_id: 'last', dropped: 399, total: 1_001 }])
  })

  test('one status does not hide another', () => {
    const { log, now, taken } = bench()
    const refusals = refusalsOf(log, now)
    for (const status of [400, 400, 403, 400, 403]) refusals.note(refusal('r', status))
    expect(taken()).toMatchObject([
      { status: 400, total: 1 },
      { status: 403, total: 1 },
    ])
  })

  test('lines dropped before a pause are reported once, and the rest at the end', () => {
    const { log, clock, now, taken } = bench()
    const refusals = refusalsOf(log, now)
    for (let count = 0; count < 5; count += 1) refusals.note(refusal('r'))
    taken()
    refusals.logDue()
    expect(taken()).toEqual([])
    clock.ms += 60_000
    refusals.logDue()
    refusals.logDue()
    expect(taken()).toMatchObject([{ status: 403, dropped: 4, total: 5 }])
    refusals.note(refusal('r'))
    refusals.logAll()
    refusals.logAll()
    expect(taken()).toMatchObject([{ dropped: 1, total: 6 }])
  })
})

describe('POST /notification/', () => {
  const service = useService()
  const { log, clock, now, taken } = bench()
  let app: FastifyInstance
  beforeAll(() => {
    app = createOwnApp({
      ctx: { ...service.ctx, log },
      authenticate: () => null,
      ready: async () => await Promise.resolve(),
      now,
    })
  })
  afterAll(async () => await app.close())

  const forged = async (order_id: string) =>
    await app.inject({
      method: 'POST',
      url: '/notification/',
      payload: {
        order_id,
        status_code: '200',
        gross_amount: '150000.00',
        transaction_status: 'settlement',
        signature_key: 'x'.repeat(128),
      },
    })

  test('403 two hundred times is one line; the next a minute later counts the rest', async () => {
    for (let count = 0; count < 200; count += 1) {
      expect((await forged(`order-${count}`)).statusCode).toBe(403)
    }
    expect(taken()).toEqual([
      {
        level: 'warn',
        message: 'notification refused',
        request_id: expect.any(String),
        status: 403,
        code: 'signature_invalid',
        order_id: 'order-0',
        dropped: 0,
        total: 1,
      },
    ])
    clock.ms += 60_000
    // Any request brings it up to date.
    await app.inject({ method: 'GET', url: '/payments/' })
    expect(taken()).toMatchObject([
      { level: 'warn', status: 403, dropped: 199, total: 200 },
      { level: 'info', message: 'request', status: 401 },
    ])
  })

  test('what could be no order id is not printed', async () => {
    clock.ms += 60_000
    await forged('line\nbreak <script>')
    expect(taken()).toMatchObject([{ code: 'signature_invalid', order_id: null }])
  })
})
