import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import type { RECEIVED } from '../../src/http/payments.ts'
import * as shapes from '../../src/http/payment_schemas.ts'
import type { PaymentPage } from '../../src/http/payments.ts'
import { PROBLEM } from '../../src/http/platform/openapi.ts'
import { openApiDocument } from '../../src/main/routes.ts'
import type { Received } from '../../src/services/notifications/receive_notification.ts'
import type { PaymentRepresentation } from '../../src/domain/payment_representation.ts'
import type { Problem } from '../../src/services/problem.ts'
import { useHttp, type Json } from './http_bench.ts'

// Without the document's own routes, which it does not describe.
const http = useHttp({ docs: 'off', dashboard: 'off' })

interface Operation {
  operationId: string
  responses: Record<string, unknown>
  security: unknown[]
}
type Paths = Record<string, Record<string, Operation>>

const fileOf = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')) as Json
const committed = fileOf('docs/openapi.json')
const paths = committed['paths'] as Paths
const version = String(fileOf('packages/service/package.json')['version'])

describe('docs/openapi.json', () => {
  test('is what the routes and schemas say; otherwise run npm run generate openapi', () => {
    expect(committed).toEqual(openApiDocument(version))
  })

  test('has every path of the router, and no other', async () => {
    const seen = new Set<string>()
    const app = Fastify()
    app.addHook('onRoute', ({ url }) => {
      seen.add(`${url.replace(/\/$/, '')}/`.replace(/:(\w+)/g, '{$1}'))
    })
    await app.register(http.parts.gapura.plugin, { prefix: '/x' })
    await app.ready()
    await app.close()
    expect([...seen].sort()).toEqual(
      Object.keys(paths)
        .map((path) => `/x${path}`)
        .sort(),
    )
  })

  test.each(Object.entries(paths))('has the methods of %s', async (path, operations) => {
    const url = `${http.parts.url}${path.replace(/\{\w+\}/g, 'x')}`
    const reply = await fetch(url, { method: 'OPTIONS' })
    expect(reply.status).toBe(405)
    const allowed = (reply.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD')
    expect(Object.keys(operations).map((method) => method.toUpperCase())).toEqual(allowed)
  })

  test.each(Object.entries(paths))('says who may call %s', async (path, operations) => {
    for (const [method, { security, responses }] of Object.entries(operations)) {
      const url = `${http.parts.url}${path.replace(/\{\w+\}/g, 'x')}`
      const { status } = await fetch(url, { method: method.toUpperCase() })
      expect(status === 401).toBe(security.length > 0)
      expect('401' in responses).toBe(security.length > 0)
    }
  })

  test('every reference leads somewhere, every operation has its own name', () => {
    const references = [...JSON.stringify(committed).matchAll(/#\/components\/schemas\/(\w+)/g)]
    const { schemas } = committed['components'] as { schemas: Json }
    expect(references.length).toBeGreaterThan(0)
    for (const [, name = ''] of references) expect(Object.keys(schemas)).toContain(name)
    const names = Object.values(paths)
      .flatMap((one) => Object.values(one))
      .map((one) => one.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
})

// Does not compile where a schema says another type than the services build.
const asSchema = {
  payment: (value: PaymentRepresentation): Static<typeof shapes.PAYMENT> => ({
    ...value,
    payer_instructions: [...value.payer_instructions],
  }),
  page: (value: PaymentPage): Static<typeof shapes.PAYMENT_PAGE> => value,
  received: (value: Received): Static<typeof RECEIVED> => value,
  problem: (value: Problem): Static<typeof PROBLEM> => ({
    ...value,
    errors: [...value.errors],
  }),
}

describe('real answers fit the schemas', () => {
  const payment = Compile(shapes.PAYMENT)
  const faultsOf = (validator: { Errors: (value: unknown) => unknown }, value: unknown) =>
    validator.Errors(value)

  test.each(['bank_transfer', 'credit_card', 'gopay', 'qris', 'echannel', 'cstore'])(
    'a payment by %s',
    async (type) => {
      expect(faultsOf(payment, await http.charged(type))).toEqual([])
    },
  )

  test('a list, a check, a refund, a problem', async () => {
    const { id } = await http.settled()
    const list = await http.get('/payments/?page_size=1')
    expect(faultsOf(Compile(shapes.PAYMENT_PAGE), list.body)).toEqual([])
    const checked = await http.get(`/payments/${id}/check_status/`)
    expect(faultsOf(Compile(shapes.STATUS_CHECKED), checked.body)).toEqual([])
    const refunded = await http.post(`/payments/${id}/refund/`, { body: { amount: 1_000 } })
    expect(faultsOf(Compile(shapes.REFUNDED), refunded.body)).toEqual([])
    const bad = await http.post('/charge/', { body: {} })
    expect(faultsOf(Compile(PROBLEM), bad.body)).toEqual([])
    expect(Object.keys(asSchema)).toHaveLength(4)
  })
})
