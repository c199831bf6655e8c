import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  GapuraEventError,
  isEvent,
  signEvent,
  verifyEvent,
  type EventHeaders,
  type Payment,
} from '../src/index.ts'

const OLD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const now = new Date('2026-01-01T00:00:00Z')
const body = JSON.stringify({
  type: 'payment_settled',
  timestamp: '2026-01-01T00:00:00Z',
  data: { object: { id: 'payment-1' }, note: 'teh – 茶' },
})
const signed = async (secrets: string | string[], text: string | Uint8Array = body) =>
  await signEvent({ id: 'event-1', body: text, secrets, now })

const faultOf = async (delivery: Partial<Parameters<typeof verifyEvent>[0]>) => {
  const given = { body, headers: await signed(NEW), secrets: NEW, now, ...delivery }
  return await verifyEvent(given).then(
    () => 'none',
    (error: unknown) => (error instanceof GapuraEventError ? error.code : error),
  )
}

describe('signEvent', () => {
  test('signs as the published example of Standard Webhooks', async () => {
    const headers = await signEvent({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      now: new Date(1_614_265_330_000),
    })
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })
})

describe('verifyEvent', () => {
  test('gives the event of a delivery as it was signed', async () => {
    const event = await verifyEvent({ body, headers: await signed(NEW), secrets: NEW, now })
    expect(event).toEqual({ id: 'event-1', ...(JSON.parse(body) as object) })
  })

  test('takes bytes, Headers, and names in capitals', async () => {
    const headers = await signed(NEW)
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const one of [headers, new Headers(headers), capitals] as EventHeaders[]) {
      expect(await faultOf({ body: Buffer.from(body), headers: one })).toBe('none')
    }
  })

  test('while a secret is changed, either side may be ahead', async () => {
    expect(await faultOf({ headers: await signed([OLD, NEW]), secrets: NEW })).toBe('none')
    expect(await faultOf({ headers: await signed(OLD), secrets: [NEW, OLD] })).toBe('none')
    expect(await faultOf({ headers: await signed(OLD), secrets: NEW })).toBe('signature_mismatch')
  })

  test('refuses another body, another id and another time', async () => {
    const headers = await signed(NEW)
    const other = { 'webhook-timestamp': String(now.getTime() / 1_000 - 1) }
    expect(await faultOf({ body: `${body} ` })).toBe('signature_mismatch')
    expect(await faultOf({ headers: { ...headers, 'webhook-id': 'event-2' } })).toBe(
      'signature_mismatch',
    )
    expect(await faultOf({ headers: { ...headers, ...other } })).toBe('signature_mismatch')
  })

  test.each([
    [300, 'none'],
    [-300, 'none'],
    [301, 'timestamp_out_of_tolerance'],
    [-301, 'timestamp_out_of_tolerance'],
  ])('%d seconds off: %s', async (seconds, fault) => {
    expect(await faultOf({ now: new Date(now.getTime() + seconds * 1_000) })).toBe(fault)
  })

  test.each(['', 'v1,', 'v1,!!!', 'v1,AAAA', 'v1a,AAAA', 'v2,AAAA', 'AAAA', 'v1,A'])(
    'the signature "%s" is none',
    async (signature) => {
      const headers = { ...(await signed(NEW)), 'webhook-signature': signature }
      expect(await faultOf({ headers })).toBe(
        signature === '' ? 'header_missing' : 'signature_mismatch',
      )
    },
  )

  test('looks at ten signatures and no more', async () => {
    const headers = await signed(NEW)
    const padding = 'v1,AAAA '.repeat(9)
    const long = (count: string) => ({
      ...headers,
      'webhook-signature': `${count}${headers['webhook-signature']}`,
    })
    expect(await faultOf({ headers: long(padding) })).toBe('none')
    expect(await faultOf({ headers: long(`${padding}v1,AAAA `) })).toBe('signature_mismatch')
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a delivery without %s, or with two of them',
    async (name) => {
      const headers = await signed(NEW)
      const value = String(Object.entries(headers).find(([one]) => one === name)?.[1])
      expect(await faultOf({ headers: { ...headers, [name]: undefined } })).toBe('header_missing')
      expect(await faultOf({ headers: { ...headers, [name]: [value, value] } })).toBe(
        'header_missing',
      )
    },
  )

  test.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_not base64 at all, but long enough'])(
    'refuses the secret "%s", and does not repeat it',
    async (secrets) => {
      expect(await faultOf({ secrets })).toBe('secret_invalid')
      const error: unknown = await signed(secrets).catch((caught: unknown) => caught)
      if (secrets.length > 6) expect(String(error)).not.toContain(secrets)
    },
  )

  test.each([
    '',
    '[]',
    'null',
    '{"type":"payment_settled"}',
    '{"type":1,"timestamp":"","data":{}}',
  ])('a signed body that is no event is refused: %s', async (text) => {
    expect(await faultOf({ body: text, headers: await signed(NEW, text) })).toBe('body_invalid')
  })

  test('isEvent narrows the data to the object of the named types', async () => {
    const event = await verifyEvent({ body, headers: await signed(NEW), secrets: NEW, now })
    expect(isEvent(event, 'payment_refunded', 'invoice_paid')).toBe(false)
    if (!isEvent(event, 'payment_settled')) throw new Error('it is')
    expectTypeOf(event.data.object).toEqualTypeOf<Payment>()
    expect(event.data.object.id).toBe('payment-1')
  })

  test('a type of a later release is let through', async () => {
    const text = JSON.stringify({ type: 'moon_risen', timestamp: '2030-01-01T00:00:00Z', data: {} })
    expect(await faultOf({ body: text, headers: await signed(NEW, text) })).toBe('none')
  })
})
