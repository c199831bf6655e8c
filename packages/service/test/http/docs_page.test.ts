// What the page makes of the document, without a browser: operations, examples, requests.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { curlOf, headersIn, requestOf } from '../../src/api_page/request.js'
import {
  exampleOf,
  groupAnswered,
  idsIn,
  limitsOf,
  operationsOf,
  resolved,
  typeOf,
  type ApiDocument,
  type Operation,
} from '../../src/api_page/schema.js'
import { useHttp } from './http_bench.ts'

const http = useHttp()

const document = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument
const operations = operationsOf(document)
const operation = (id: string): Operation => {
  const found = operations.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}
const nothing = { path: {}, query: {}, headers: {}, body: '' }
const at = { base: 'https://shop.example/pay/', headers: { authorization: 'Bearer gpk_secret' } }

describe('operations', () => {
  test('every one of the document, with its scopes', () => {
    const count = Object.values(document.paths).flatMap((one) => Object.keys(one)).length
    expect(operations).toHaveLength(count)
    expect(operation('refund_payment')).toMatchObject({
      method: 'POST',
      group: 'payments',
      open: false,
      scopes: ['payments:refund'],
    })
    expect(operation('receive_notification')).toMatchObject({ open: true, scopes: [] })
  })

  test('a charge answers with a payment, whose id goes into the paths of payments', () => {
    expect(groupAnswered(operations, operation('create_charge'))).toBe('payments')
    expect(groupAnswered(operations, operation('list_payments'))).toBeUndefined()
    expect(idsIn({ id: 'a' })).toEqual(['a'])
    expect(idsIn({ results: [{ id: 'a' }, { id: 'b' }] })).toEqual(['a', 'b'])
    expect([idsIn(null), idsIn({ results: 1 }), idsIn('id')]).toEqual([[], [], []])
  })
})

describe('bodies to begin with', () => {
  const bodies = operations.filter(({ body }) => body !== undefined)

  test.each(bodies.map((one) => [one.id, one] as const))('%s', (_id, { body }) => {
    const schema = resolved(document, body?.schema ?? {})
    const validator = Compile(schema)
    expect(validator.Errors(exampleOf(document, schema))).toEqual([])
    for (const { value } of Object.values(body?.examples ?? {})) {
      expect(validator.Errors(value)).toEqual([])
    }
  })

  const charges = Object.entries(operation('create_charge').body?.examples ?? {})
  test.each(charges.filter(([name]) => name !== 'card'))(
    '201 for the example %s',
    async (_n, one) => {
      expect((await http.post('/charge/', { body: one.value })).status).toBe(201)
    },
  )

  test('a schema that contains itself ends', () => {
    const Tree = { type: 'object', required: ['tree'], properties: { tree: { $ref: '#/x/Tree' } } }
    const endless = { ...document, components: { schemas: { Tree } } }
    expect(JSON.stringify(exampleOf(endless, { $ref: '#/x/Tree' })).length).toBeLessThan(200)
  })
})

describe('types in few words', () => {
  test.each([
    [{ $ref: '#/components/schemas/Payment' }, 'Payment'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text or null'],
    [{ type: 'array', items: { type: 'string', format: 'uuid' } }, 'list of uuid'],
    [{ enum: ['a'] }, 'one of'],
    [{}, 'anything'],
  ])('%j', (schema, expected) => {
    expect(typeOf(schema)).toBe(expected)
  })

  test('limits', () => {
    const limits = limitsOf({ anyOf: [{ maxLength: 20 }, { minimum: 1, maximum: 60 }] })
    expect(limits).toEqual(['0–20 characters', 'at least 1', 'at most 60'])
  })
})

describe('requests', () => {
  test('path, query and headers where they belong; what is empty is not sent', () => {
    const read = requestOf(operation('get_payment'), { ...nothing, path: { pk: 'a/b' } }, at)
    expect(read).toEqual({
      method: 'GET',
      url: 'https://shop.example/pay/payments/a%2Fb/',
      headers: { authorization: 'Bearer gpk_secret' },
      body: undefined,
    })
    const query = { status: 'pending', order_id: '', customer_email: 'a&b@example.com' }
    expect(requestOf(operation('list_payments'), { ...nothing, query }, at).url).toBe(
      'https://shop.example/pay/payments/?status=pending&customer_email=a%26b%40example.com',
    )
  })

  test('no key goes to a route that is open to everyone', () => {
    const sent = requestOf(operation('receive_notification'), { ...nothing, body: '{}' }, at)
    expect(sent.headers).toEqual({ 'content-type': 'application/json' })
  })

  test('the line for a shell quotes what it must and leaves the key out', () => {
    const filled = { ...nothing, headers: { 'Idempotency-Key': 'k' }, body: '{ "a": "it\'s" }' }
    const line = curlOf(requestOf(operation('create_charge'), filled, at), true)
    expect(line).not.toContain('gpk_secret')
    expect(line.split(' \\\n  ')).toEqual([
      "curl -sS -X POST 'https://shop.example/pay/charge/'",
      '-H "Authorization: Bearer $GAPURA_KEY"',
      "-H 'Idempotency-Key: k'",
      "-H 'content-type: application/json'",
      String.raw`-d '{"a":"it'\''s"}'`,
    ])
  })

  test('headers of a host, one a line', () => {
    expect(headersIn('X-Caller: ani\n\n nonsense \nX-B:  b:c ')).toEqual({
      'X-Caller': 'ani',
      'X-B': 'b:c',
    })
  })
})
