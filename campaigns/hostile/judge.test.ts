// Shows that each sentence of the judge can appear.
import { expect, test } from 'vitest'
import { seeded } from '../bench/random.ts'
import { AnswerReader, type Answer } from './answers.ts'
import { render, type HostileInput } from './input.ts'
import { judge } from './judge.ts'
import { breaksOf, OPERATIONS, placesOf } from './schema.ts'

const input: HostileInput = {
  category: 'money',
  name: 'planted',
  bytes: render({ path: '/charge/', body: '{}' }),
  invalid: 'planted',
}
const problem = {
  type: 'urn:gapura:problem:invalid_request',
  title: 'The request is not valid',
  status: 400,
  detail: 'Correct it.',
  code: 'invalid_request',
  errors: [],
  retryable: false,
  request_id: 'r',
}
const answer = (
  body: object | string,
  status = 400,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: new Map(Object.entries({ 'content-type': 'application/problem+json', ...headers })),
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const secrets = ['SB-Mid-server-x']
const faults = (heard: Answer | 'closed', of: HostileInput = input): string[] =>
  judge(of, heard, { secrets })

test('a well-formed refusal is no fault', () => {
  expect(faults(answer(problem))).toEqual([])
})

test.each([
  ['a 2xx', answer('{}', 201), '201 for what is invalid'],
  ['a redirect', answer('', 302), '302: nothing is redirected'],
  ['a 500', answer({ ...problem, status: 500, code: 'internal_error' }, 500), '500 internal_error'],
  [
    'another type',
    answer(problem, 400, { 'content-type': 'text/html' }),
    '400 of the type text/html',
  ],
  ['no JSON', answer('oops'), '400 without a JSON object'],
  ['an unknown code', answer({ ...problem, code: 'oops' }), 'whose code is "oops"'],
  ['another status', answer({ ...problem, status: 403 }), 'a problem that says 403'],
  ['a member more', answer({ ...problem, stack: '' }), 'a member stack'],
  ['a member less', answer({ ...problem, request_id: undefined }), 'whose request_id is undefined'],
  ['a call', answer(problem, 400, { 'x-gateway-calls': '1' }), 'after 1 calls of the gateway'],
  ['a secret', answer({ ...problem, detail: 'SB-Mid-server-x' }), 'a secret in the answer'],
  [
    'a stack',
    answer({ ...problem, detail: 'at parse (file:///srv/a.ts:1:2)' }),
    'something of the inside',
  ],
  [
    'a statement',
    answer({ ...problem, detail: 'insert into gapura.gateway_payment' }),
    'something of the inside',
  ],
])('seen: %s', (_what, heard, sentence) => {
  expect(faults(heard).join('; ')).toContain(sentence)
})

test('silence is a fault unless the input asked for it', () => {
  expect(faults('closed')).toEqual(['no answer: closed'])
  expect(faults('closed', { ...input, alone: true, silence_allowed: true })).toEqual([])
})

test('the answers for an unreachable gateway are accepted only where it is unreachable', () => {
  const down = answer({ ...problem, status: 504, code: 'outcome_unknown' }, 504)
  expect(faults(down)).toEqual(['504 outcome_unknown'])
  expect(faults(down, { ...input, category: 'gateway', invalid: null })).toEqual([])
})

test('an answer may name a field that was sent', () => {
  const name = 'select id from gapura.gateway_payment'
  const sent = {
    ...input,
    bytes: render({ path: '/charge/', body: JSON.stringify({ [name]: 1 }) }),
  }
  const echoed = answer({ ...problem, errors: [{ field: name, message: 'unknown field' }] })
  expect(faults(echoed, sent)).toEqual([])
  expect(faults(echoed)).toHaveLength(1)
})

test('pipelined answers are separated wherever the bytes are cut', () => {
  const one = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}'
  const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${one}${one}`)
  for (const size of [1, 7, 1_000]) {
    const reader = new AnswerReader()
    const answers: Answer[] = []
    for (let at = 0; at < bytes.length; at += size) {
      answers.push(...reader.take(bytes.subarray(at, at + size)))
    }
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [400, '{}'],
      [400, '{}'],
    ])
  }
})

test('the document lists every route, and a field to break in each body', () => {
  expect(OPERATIONS.length).toBeGreaterThanOrEqual(17)
  for (const { body } of OPERATIONS) {
    if (body === null) continue
    const breaks = placesOf(body).flatMap(({ schema }) => breaksOf(schema, seeded(1)))
    expect(breaks.length).toBeGreaterThan(5)
  }
})
