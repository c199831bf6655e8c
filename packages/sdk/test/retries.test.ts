import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createClient, GapuraError, GapuraNetworkError, isUnclear } from '../src/index.ts'
import { delayBefore, retryAfterMs } from '../src/retry.ts'
import { cut, json, page, problem, scripted, silence, type Answer } from './scripted_server.ts'

const SECRET = 'gpk_the-secret-of-this-test'
const CHARGE = { payment_type: 'qris', gross_amount: 44_000 } as const
const done = json(201, { id: 'payment-1' })

/** What a charge came to against the answers, with everything that was sent for it. */
async function charged(answers: Answer[], options: object = {}, call: object = {}) {
  const { baseUrl, received } = await scripted(...answers)
  const client = createClient({ baseUrl, apiKey: SECRET, ...options })
  const outcome: unknown = await client.payments
    .create(CHARGE, call)
    .catch((error: unknown) => error)
  return { outcome, received, keys: received.map(({ headers }) => headers['idempotency-key']) }
}

const failure = async (answers: Answer[], options: object = {}, call: object = {}) => {
  const { outcome, ...rest } = await charged(answers, options, call)
  if (outcome instanceof GapuraError || outcome instanceof GapuraNetworkError) {
    return { error: outcome, ...rest }
  }
  throw new Error(`no failure but ${inspect(outcome)}`)
}

describe('what is sent again, under the same key and with the same body', () => {
  const PASSING: [string, Answer][] = [
    ['a connection cut before the answer', cut],
    ['a success that was cut short', json(201, '{"id":"payme')],
    ['429', page(429)],
    ['502 of a proxy', page(502)],
    ['503 of a proxy', page(503)],
    ['504 of a proxy', page(504)],
    ['503 gateway_unavailable', problem(503, 'gateway_unavailable', { retryable: true })],
    ['504 outcome_unknown', problem(504, 'outcome_unknown', { retryable: true })],
    ['409 request_in_progress', problem(409, 'request_in_progress', { retryable: true })],
    ['400 gateway_failed on a charge', problem(400, 'gateway_failed', { retryable: true })],
    ['a code this release does not know', problem(503, 'moon_in_the_way', { retryable: true })],
  ]
  test.concurrent.each(PASSING)('%s', async (_, answer) => {
    const { outcome, received, keys } = await charged([answer, done])
    expect(outcome).toEqual({ id: 'payment-1' })
    expect(received).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(received[1]?.body).toBe(received[0]?.body)
  })

  test('under the key of the caller, where one is given', async () => {
    const { keys } = await charged([cut, done], {}, { idempotencyKey: 'order-7' })
    expect(keys).toEqual(['order-7', 'order-7'])
  })

  test('two calls have two keys', async () => {
    const first = await charged([done])
    const second = await charged([done])
    expect(first.keys[0]).not.toBe(second.keys[0])
  })
})

describe('what is not sent again', () => {
  const FINAL: [string, Answer][] = [
    ['400 invalid_request', problem(400, 'invalid_request')],
    ['401 unauthenticated', problem(401, 'unauthenticated')],
    ['403 forbidden', problem(403, 'forbidden')],
    ['404 not_found', problem(404, 'not_found')],
    ['409 operation_in_progress', problem(409, 'operation_in_progress')],
    ['422 idempotency_key_reused', problem(422, 'idempotency_key_reused')],
    ['500 internal_error', problem(500, 'internal_error')],
    // A 502, but it says itself that repeating will not help.
    ['502 gateway_authentication_failed', problem(502, 'gateway_authentication_failed')],
    ['a proxy without a way', page(404)],
    ['500 of a proxy', page(500)],
  ]
  test.concurrent.each(FINAL)('%s', async (_, answer) => {
    const { error, received } = await failure([answer, done])
    expect(error).toBeInstanceOf(GapuraError)
    expect(error.attempts).toBe(1)
    expect(received).toHaveLength(1)
  })

  test('a redirect: the key goes nowhere else', async () => {
    const elsewhere = await scripted(done)
    const moved = json(307, '', { location: `${elsewhere.baseUrl}/charge/` })
    const { error, received } = await failure([moved])
    expect(error).toMatchObject({ code: 'unexpected_reply', status: 307, definite: true })
    expect([received.length, elsewhere.received.length]).toEqual([1, 0])
  })

  test('a page instead of the payment, though it may have been made', async () => {
    const { error, received } = await failure([page(200), done])
    expect(error).toMatchObject({ reason: 'unreadable', definite: false })
    expect(received).toHaveLength(1)
  })

  test('more often than it may', async () => {
    const { error, received } = await failure([page(503)], { retries: 1 })
    expect(received).toHaveLength(2)
    expect(error.attempts).toBe(2)
  })

  test('anything, where retries is 0', async () => {
    expect((await failure([cut, done], { retries: 0 })).received).toHaveLength(1)
  })
})

describe('waiting', () => {
  test('as long as Retry-After says, at least', async () => {
    const { received } = await charged([json(503, 'x', { 'retry-after': '1' }), done])
    expect((received[1]?.at ?? 0) - (received[0]?.at ?? 0)).toBeGreaterThanOrEqual(995)
  })

  test('not at all, where the deadline comes first', async () => {
    const busy = problem(503, 'store_unavailable', { retryable: true }, { 'retry-after': '3600' })
    const { error, received } = await failure([busy, done])
    expect(error).toMatchObject({ code: 'store_unavailable', retryAfterMs: 3_600_000 })
    expect(received).toHaveLength(1)
  })

  test('no limit is not a limit of a millisecond', async () => {
    const none = { timeoutMs: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY }
    const slow: Answer = (response) => void setTimeout(() => done(response), 100)
    expect((await charged([slow], none)).received).toHaveLength(1)
  })

  test('doubles, with jitter, up to a limit; Retry-After is a floor', () => {
    expect([1, 2, 3, 9].map((retry) => delayBefore(retry, 1))).toEqual([500, 1_000, 2_000, 8_000])
    expect(delayBefore(1, 0)).toBe(250)
    expect(delayBefore(1, 0, 5_000)).toBe(5_000)
    expect(delayBefore(1, 1, 5_000)).toBe(5_250)
  })

  test('Retry-After is seconds or a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(retryAfterMs('7', now)).toBe(7_000)
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9_000)
    expect(retryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
    expect(retryAfterMs('soon', now)).toBeUndefined()
    expect(retryAfterMs(null, now)).toBeUndefined()
  })
})

describe('time and giving up', () => {
  test('a try that takes too long is made again', async () => {
    const { outcome, received } = await charged([silence, done], { timeoutMs: 1_500 })
    expect(outcome).toEqual({ id: 'payment-1' })
    expect(received).toHaveLength(2)
  })

  test('the deadline ends it, and says that it may have been done', async () => {
    const { error } = await failure([silence], { timeoutMs: 100, deadlineMs: 900 })
    expect(error).toMatchObject({ reason: 'timed_out', definite: false })
    expect(isUnclear(error)).toBe(true)
  })

  test('a fetch that ignores its signal does not outlive its time', async () => {
    const deaf = async (): Promise<Response> => await new Promise(() => undefined)
    const { error } = await failure([done], { fetch: deaf, timeoutMs: 50, retries: 0 })
    expect(error).toMatchObject({ reason: 'timed_out' })
  })

  test('a signal that was given up before: nothing is sent', async () => {
    const { error, received } = await failure([done], {}, { signal: AbortSignal.abort() })
    expect(error).toMatchObject({ reason: 'aborted', definite: true })
    expect(received).toHaveLength(0)
  })

  test('a signal during the call ends it, and it may have been done', async () => {
    const controller = new AbortController()
    const abort: Answer = () => controller.abort()
    const { error, received } = await failure([abort], {}, { signal: controller.signal })
    expect(error).toMatchObject({ reason: 'aborted', definite: false })
    expect(received).toHaveLength(1)
  })

  test('a signal during a pause ends the waiting with the last failure', async () => {
    const controller = new AbortController()
    const busy = json(503, 'busy', { 'retry-after': '60' })
    // The reply is whole before the caller gives up.
    const whole = async (url: string, init: RequestInit): Promise<Response> => {
      const reply = await fetch(url, init)
      const copy = new Response(await reply.text(), reply)
      setTimeout(() => controller.abort(), 50)
      return copy
    }
    const given = { signal: controller.signal }
    const { error, received } = await failure([busy], { fetch: whole }, given)
    expect(error).toMatchObject({ status: 503 })
    expect(received).toHaveLength(1)
  })
})

describe('whether it may have been done', () => {
  test.concurrent.each([
    ['refused', problem(400, 'gateway_rejected'), true],
    ['turned away by a proxy', page(403), true],
    ['the gateway did not answer', problem(504, 'outcome_unknown'), false],
    ['done, not written down', problem(504, 'outcome_not_recorded'), false],
    ['still running', problem(409, 'request_in_progress'), false],
    ['the service failed', problem(500, 'internal_error'), false],
    ['a proxy lost it', page(502), false],
    ['cut', cut, false],
  ] as [string, Answer, boolean][])('%s', async (_, answer, definite) => {
    const { error } = await failure([answer], { retries: 0 })
    expect(error.definite).toBe(definite)
    expect(isUnclear(error)).toBe(!definite)
  })

  test('a later refusal says nothing about an earlier try that was lost', async () => {
    const { error } = await failure([cut, problem(401, 'unauthenticated')])
    expect(error).toMatchObject({ code: 'unauthenticated', attempts: 2, definite: false })
  })

  test('but a 400 under the same key does', async () => {
    const { error } = await failure([cut, problem(400, 'gateway_rejected')])
    expect(error).toMatchObject({ code: 'gateway_rejected', attempts: 2, definite: true })
  })

  test('a read is never unclear, and carries no key', async () => {
    const { baseUrl, received } = await scripted(cut)
    const client = createClient({ baseUrl, retries: 0 })
    const error: unknown = await client.payments.get('a').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ definite: true, idempotencyKey: undefined })
    expect(received[0]?.headers['idempotency-key']).toBeUndefined()
  })
})

describe('who is calling', () => {
  test('the key as a bearer, and a new token requested at every try', async () => {
    expect((await charged([done])).received[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
    let asked = 0
    const token = async () => `token-${++asked}`
    const { received } = await charged([cut, done], { apiKey: undefined, token })
    const bearers = received.map(({ headers }) => headers.authorization)
    expect(bearers).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  test('without key and token no credentials are sent: the browser has a session', async () => {
    const { received } = await charged([done], { apiKey: undefined })
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  test('a token that cannot be had: nothing was sent', async () => {
    const token = async () => await Promise.reject(new Error(`no ${SECRET}`))
    const { error, received } = await failure([done], { apiKey: undefined, token })
    expect(error).toMatchObject({ reason: 'no_token', definite: true })
    expect(received).toHaveLength(0)
  })
})

describe('the key is in no error', () => {
  const quoting = async (_: string, { headers }: RequestInit): Promise<Response> => {
    throw Object.assign(new Error(`sent ${JSON.stringify(headers)}`), { config: { headers } })
  }
  test.each([
    ['refused', [problem(401, 'unauthenticated')], {}],
    ['cut', [cut], {}],
    ['a fetch that quotes it', [done], { fetch: quoting }],
    ['a token with a line break', [done], { apiKey: undefined, token: () => `${SECRET}\n` }],
  ] as [string, Answer[], object][])('%s', async (_, answers, options) => {
    const { error } = await failure(answers, { retries: 0, ...options })
    const shown = inspect(error, { depth: 9, showHidden: true })
    expect(shown).not.toContain(SECRET)
    expect(JSON.stringify(error)).not.toContain(SECRET)
  })

  test('nor in the client, nor in what refuses it', () => {
    const baseUrl = 'http://127.0.0.1'
    const client = createClient({ baseUrl, apiKey: SECRET })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(SECRET)
    for (const given of [
      { apiKey: `${SECRET}\r\n` },
      { baseUrl: `http://me:${SECRET}@a.example` },
    ]) {
      expect(() => createClient({ baseUrl, ...given })).toThrow(TypeError)
      expect(() => createClient({ baseUrl, ...given })).not.toThrow(SECRET)
    }
  })
})
