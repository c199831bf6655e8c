import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { GatewayClient } from '../../src/gateway/client.ts'
import { needlesOf, scrub, withoutSecrets } from '../../src/gateway/redaction.ts'
import { Secret } from '../../src/gateway/secret.ts'
import type { CallObserved } from '../../src/gateway/calls.ts'
import { clientOf, replyServer, SERVER_KEY, type Answer } from './reply_server.ts'

const CARD_NUMBER = '4811111111111114'
const CVV = '987'
const TOKEN = 'token-canary-48111111-1114-abcdef'
const AUTHORIZATION = Buffer.from(`${SERVER_KEY}:`).toString('base64')
const CANARIES = [SERVER_KEY, AUTHORIZATION, CARD_NUMBER, CVV, TOKEN]

/** A CVV is three digits: it leaks where it stands alone, not inside another number. */
const leaksIn = (text: string): string[] =>
  CANARIES.filter((canary) =>
    canary === CVV ? /(?<![\w.])987(?![\w.])/.test(text) : text.includes(canary),
  )

const CARD = { card_number: CARD_NUMBER, card_exp_month: '12', card_exp_year: '2030' }
const CALLS: [string, (client: GatewayClient) => Promise<unknown>][] = [
  [
    'charge',
    (c) =>
      c.charge({
        payment_type: 'credit_card',
        transaction_details: { order_id: 'order-1', gross_amount: 10_000 },
        credit_card: { token_id: TOKEN },
      }),
  ],
  ['get_card_token', (c) => c.getCardToken({ ...CARD, card_cvv: CVV })],
  ['register_card', (c) => c.registerCard(CARD)],
  ['point_inquiry', (c) => c.pointInquiry(TOKEN)],
  [
    'create_subscription',
    (c) =>
      c.createSubscription({
        name: 'gold',
        amount: '1000',
        currency: 'IDR',
        payment_type: 'credit_card',
        token: TOKEN,
        schedule: { interval: 1, interval_unit: 'month' },
      }),
  ],
]

/** A gateway that sends back everything it received. */
const echo: Answer = (response, request) => {
  const received = `${request.url} ${request.headers.authorization} ${SERVER_KEY} ${request.body}`
  response.writeHead(400)
  response.end(
    JSON.stringify({
      status_code: '400',
      status_message: received,
      validation_messages: [received],
    }),
  )
}
const echoAsHtml: Answer = (response, request) => {
  response.writeHead(500)
  response.end(`<html>${request.url} ${request.headers.authorization} ${request.body}</html>`)
}
const hangUp: Answer = (response) => void response.destroy()
const notHttp: Answer = (response, request) => {
  response.socket?.end(`NOT HTTP ${request.url} ${request.headers.authorization}`)
}

/** Everything a log, a trace or a crash reporter could print of it. */
function printed(error: unknown): string {
  const deep = inspect(error, { depth: 20, showHidden: true, getters: true })
  const stack = error instanceof Error ? `${error.stack} ${error.message}` : ''
  return `${deep} ${stack} ${JSON.stringify(error)} ${String(error)}`
}

describe('no secret is in the error', () => {
  const answers = { echo, echoAsHtml, hangUp, notHttp }
  const cases = CALLS.flatMap(([name, call]) =>
    Object.entries(answers).map(([answer, how]) => ({ name, call, answer, how })),
  )

  test.each(cases)('$name answered by $answer', async ({ call, how }) => {
    const { url } = await replyServer(how)
    const observed: CallObserved[] = []
    const client = clientOf(url, {
      card_data: true,
      client_key: 'SB-Mid-client-x',
      observe: (seen) => observed.push(seen),
    })
    const error: unknown = await call(client).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(leaksIn(printed(error))).toEqual([])
    expect(observed.length).toBeGreaterThan(0)
    expect(leaksIn(inspect(observed, { depth: 10 }))).toEqual([])
    expect(leaksIn(printed(client))).toEqual([])
  })

  test('the search itself finds a planted leak', () => {
    const leaky = new Error('refused', { cause: { request: { headers: [AUTHORIZATION] } } })
    expect(leaksIn(printed(leaky))).toEqual([AUTHORIZATION])
    expect(leaksIn(printed(new Error(`token ${TOKEN}`)))).toEqual([TOKEN])
    expect(leaksIn(printed(new Error(`card_cvv=${CVV}&`)))).toEqual([CVV])
    expect(leaksIn(printed({ key: { reveal: SERVER_KEY } }))).toEqual([SERVER_KEY])
  })
})

describe('scrub', () => {
  test('hides what was sent, and card numbers it was not given', () => {
    expect(scrub(`bad ${TOKEN}`, [TOKEN])).toBe('bad [secret]')
    expect(scrub('card 4811 1111 1111 1114 is bad', [])).toBe('card [secret] is bad')
    expect(scrub('card 4811-1111-1111-1114', [])).toBe('card [secret]')
    expect(scrub('on 2024 4811111111111114', [])).toBe('on 2024 [secret]')
    expect(scrub('4811111111111114 12 times', [])).toBe('[secret] 12 times')
    expect(scrub('card_cvv=123&x=41234', ['123'])).toBe('card_cvv=[secret]&x=41234')
  })

  test('keeps account numbers that are no card, and bounds the length', () => {
    expect(scrub('va 812785002530231', [])).toBe('va 812785002530231')
    expect(scrub('x'.repeat(10_000), [])).toHaveLength(501)
  })
})

test('a copy without secrets keeps everything else, at any depth', () => {
  const request = {
    credit_card: { token_id: TOKEN, bank: 'bni' },
    items: [{ name: 'tea', token: TOKEN }],
    signature_key: 'x',
  }
  expect(withoutSecrets(request)).toEqual({
    credit_card: { bank: 'bni' },
    items: [{ name: 'tea' }],
  })
})

test('a secret prints only its name', () => {
  const secret = new Secret('canary')
  expect(`${String(secret)} ${JSON.stringify({ secret })} ${inspect({ secret })}`).not.toContain(
    'canary',
  )
  expect(secret.reveal()).toBe('canary')
})

describe('a secret in a message is hidden wherever it is', () => {
  const plain = { order_id: 'order-1', status_message: 'Success', items: [{ name: 'a', price: 1 }] }
  const UUID = '0c1bd4a6-3ef7-4f0e-9a55-6f2f0f6f7a10'

  test('a message without any secret is copied, without the fields of secrets', () => {
    const message = { ...plain, signature_key: 'f'.repeat(128), deep: { cvv: '123' } }
    expect(withoutSecrets(message)).toEqual({ ...plain, deep: {} })
  })

  test.each([
    ['a key in a value', { note: 'of Mid-server-abcDEF_123' }, { note: 'of [secret]' }],
    ['a key in a list', { all: [[`gpk_${'a1'.repeat(16)}`]] }, { all: [['[secret]']] }],
    ['a key in a name', { [`x gpk_${'a1'.repeat(16)}`]: 1 }, { 'x [secret]': 1 }],
    ['a token behind a line break', { note: `\n481111-1114-${UUID}` }, { note: '\n[secret]' }],
    ['a token at its least', { note: `481111${'x'.repeat(16)}1114` }, { note: '[secret]' }],
    ['a signature', { note: 'ab'.repeat(64) }, { note: '[secret]' }],
    [
      'a card in a sentence',
      { status_message: 'no 4811 1111 1111 1114' },
      { status_message: 'no [secret]' },
    ],
    [
      'the value of a secret field elsewhere',
      { token: 'abc-def-1', note: '(abc-def-1)' },
      { note: '([secret])' },
    ],
    [
      'one that JSON writes otherwise',
      { token: 'ab"c\\d-1', note: 'ab"c\\d-1' },
      { note: '[secret]' },
    ],
    [
      'one as an address writes it',
      { token: 'ab c/d-1', note: 'ab%20c%2Fd-1' },
      { note: '[secret]' },
    ],
  ])('%s', (_name, more, left) => {
    const message = { ...plain, ...more }
    const { token } = more as { token?: string }
    expect(withoutSecrets(message, needlesOf(token === undefined ? [] : [token]))).toEqual({
      ...plain,
      ...left,
    })
  })

  test('a long sentence is cut, and what JSON cannot write is copied all the same', () => {
    const copy = withoutSecrets({ status_message: 'x '.repeat(400), amount: 5n })
    expect(copy).toEqual({ status_message: `${'x '.repeat(250)}…`, amount: 5n })
  })
})
