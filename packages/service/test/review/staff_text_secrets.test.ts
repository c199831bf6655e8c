// No text of staff may carry a card number into a table: the audit cannot be erased.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { openApiDocument } from '../../src/main/routes.ts'
import { newId } from '../../src/store/sql/values.ts'
import { useHttp, type Json } from '../http/http_bench.ts'
import { inProcessTexts, TEXT_FIELDS, type TextIds, type Written } from './staff_texts.ts'
import { tablesWith } from './tables_with.ts'

const http = useHttp({ refunds: { second_person_above: 50_000 } })
const CARD = '4811111111111114'
const SENTENCE = `card ${CARD} was declined`

interface Property {
  type?: string
  enum?: string[]
  pattern?: string
  minItems?: number
}

interface Operation {
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } }
}

const contract = openApiDocument('0') as {
  paths: Record<string, { post?: Operation }>
  components: { schemas: Record<string, { properties: Record<string, Property> }> }
}

/** A value of this field with the card number in it; undefined if it takes no such text. */
const withCard = ({ type, enum: values, pattern }: Property): string | undefined =>
  type !== 'string' || values !== undefined
    ? undefined
    : [SENTENCE, CARD].find((text) => new RegExp(pattern ?? '').test(text))

/** A file is stored as it was read: it is evidence (ADR 0032). */
const FILES: ReadonlySet<string> = new Set(['content_base64'])

/** Every text field of every POST route of staff, as the interface document has them. */
const FIELDS = Object.entries(contract.paths).flatMap(([path, { post }]) => {
  const schema = post?.requestBody?.content['application/json'].schema.$ref
  if (!path.startsWith('/staff/') || schema === undefined) return []
  const { properties } = contract.components.schemas[schema.split('/').at(-1) ?? ''] ?? {
    properties: {},
  }
  return Object.entries(properties).flatMap(([field, property]) => {
    const value = FILES.has(field) ? undefined : withCard(property)
    return value === undefined ? [] : [{ path, field, value, properties }]
  })
})

/** Objects that each route would really change. */
const ids: TextIds = {
  payments: '',
  alarms: '',
  operations: '',
  refund_requests: '',
  events: '',
  // Never read: the text is refused first.
  checkouts: newId(),
  exports: newId(),
  reconciliation: newId(),
  invoices: newId(),
  subscriptions: newId(),
  people: newId(),
  keys: newId(),
  roles: newId(),
}

beforeAll(async () => {
  const payment = await http.settled()
  ids.payments = payment.id
  ids.events = payment.id
  ids.alarms = newId()
  await http.database.sql(
    `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
     values ($1, 'late_money', 'payment', $2, 'ani', 'paid late')`,
    [ids.alarms, payment.id],
  )
  const held = await http.post(`/payments/${payment.id}/refund/`, { body: { amount: 60_000 } })
  ids.refund_requests = /request ([0-9a-f-]{36})/.exec(held.text)?.[1] ?? ''
  await http.database.sql("insert into gapura.event_subscriber (name) values ('mail')")
  await http.database.sql(
    `insert into gapura.dead_event (subscriber, object_id, event_id, occurred_at, sequence,
       attempts, owner_id, object_kind, error)
     values ('mail', $1, $2, gapura.now(), 1, 3, 'ani', 'payment', 'failed')`,
    [payment.id, newId()],
  )
  const cancelled = await http.charged()
  await http.strike('cancel', 'drop_after', { times: 20 })
  await http.strike('get_status', 'timeout_before', { times: 20 })
  await http.post(`/payments/${cancelled.id}/cancel/`)
  await http.calm()
  const [operation] = await http.database.sql(
    `select id from gapura.gateway_operation where state = 'unknown'`,
  )
  ids.operations = String(operation?.['id'])
})

/** Of fields that take no sentence. */
const FORMS: Readonly<Record<string, unknown>> = {
  columns: { time: 'Time', amount: 'Amount' },
  content_base64: 'VGltZSxBbW91bnQ=',
  bank: 'bca',
  channel: 'bca',
  percent: '1.5',
  vat_percent: '11',
  valid_from: '2026-01-31',
  day: '2026-01-31',
  email: 'x@shop.example',
  role: 'viewer',
}

/** A value that the field accepts. */
function plain(name: string, { type, enum: values, pattern, minItems }: Property): unknown {
  if (values !== undefined) return values[0]
  if (FORMS[name] !== undefined) return FORMS[name]
  if (name === 'object_id') return ids.events
  if (name === 'subscriber') return 'mail'
  if (name === 'recipients') return ['x@shop.example']
  if (type === 'array') return minItems === undefined ? [] : undefined
  if (type === 'string')
    return ['looked into', 'looked'].find((text) => new RegExp(pattern ?? '').test(text))
  return type === undefined ? 1_000 : undefined
}

const bodyOf = (properties: Record<string, Property>): Json =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = plain(name, property)
      const optional_id = name === 'transaction_id' || name === 'gateway_id'
      return value === undefined || optional_id ? [] : [[name, value]]
    }),
  )

const tablesWithCard = async () => await tablesWith(http.database, CARD)

describe('a card number in a text of a staff route', () => {
  test('the interface document names the routes that take text', () => {
    expect(FIELDS.length).toBeGreaterThanOrEqual(15)
    expect(Object.values(ids)).not.toContain('')
    expect(ids.operations).not.toBe('undefined')
  })

  test.each(FIELDS)('$path refuses it in $field', async ({ path, field, value, properties }) => {
    const kind = path.split('/')[2] as keyof typeof ids
    const reply = await http.post(path.replace('{pk}', ids[kind]), {
      as: 'second',
      body: { ...bodyOf(properties), [field]: value },
    })
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ field, message: expect.stringContaining('a card number') }],
      },
    })
    expect(reply.text).not.toContain(CARD)
    expect(await tablesWithCard()).toEqual([])
  })
})

describe('a card number in a text of the in-process API', () => {
  const writing = Object.entries(inProcessTexts(ids, SENTENCE)).filter(
    ([, call]) => call !== undefined,
  )

  test.each(writing as [string, Written][])('%s refuses it', async (name, call) => {
    const eka: Caller = { owner_id: 'eka', staff: true, scopes: SCOPES }
    const refused = call(http.parts.gapura.staff, eka)
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [
        {
          field: TEXT_FIELDS[name] ?? 'reason',
          message: expect.stringContaining('a card number'),
        },
      ],
    })
    expect(await tablesWithCard()).toEqual([])
  })

  test('the reason and the name of an API key refuse it', async () => {
    const { gapura } = http.parts
    const key = { owner_id: 'ani', staff: false, scopes: [], name: 'till' }
    const refused = { code: 'invalid_request' }
    await expect(gapura.createApiKey({ ...key, reason: SENTENCE })).rejects.toMatchObject(refused)
    await expect(gapura.createApiKey({ ...key, name: SENTENCE })).rejects.toMatchObject(refused)
    const { id } = await gapura.createApiKey(key)
    await expect(gapura.revokeApiKey(id, { reason: SENTENCE })).rejects.toMatchObject(refused)
    expect(await tablesWithCard()).toEqual([])
  })
})
