// Texts and ids that would break a column, a path, a log line, a page, or a concatenated statement.
import { randomUUID } from 'node:crypto'
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type World } from './input.ts'
import { CARD_NUMBER } from './leaks.ts'
import { OPERATIONS } from './schema.ts'

const FRAGMENTS: readonly string[] = [
  "' or '1'='1",
  "'; drop table gapura.gateway_payment; --",
  '" or ""="',
  '$1; select pg_sleep(10)',
  '{"$ne":null}',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '*)(uid=*))(|(uid=*',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%2e%2e%2f',
  '%00',
  '\r\nset-cookie: a=b',
  '\u202egnp.exe',
  'e\u0301',
  '\u00e9',
  'Ａｎｉ',
  '🧋🧋',
  '\ufeff',
  '\u200b',
  '%s%s%n',
  '|id',
  '`id`',
  'a#b?c',
  'CON',
  '-1',
  'NaN',
  'undefined',
  '__proto__',
  'constructor',
]

/** A text of some length with some unusual characters. */
function text(random: Random, length_max: number): string {
  if (random.chance(0.6)) return random.pick(FRAGMENTS)
  const length = Math.floor(random.between(0, length_max))
  const from = random.pick([0x20, 0xa0, 0x600, 0x4e00, 0x1f300])
  return Array.from({ length }, () =>
    String.fromCodePoint(from + Math.floor(random.between(0, 90))),
  ).join('')
}

const ORDER_ID = /^[A-Za-z0-9\-_~.]{1,50}$/
const isOrderId = (word: string): boolean => ORDER_ID.test(word) && word !== '.' && word !== '..'

const charge = (more: object): string =>
  JSON.stringify({ payment_type: 'qris', gross_amount: 10_000, ...more })

type Make = (random: Random, world: World) => Omit<HostileInput, 'category'>

const orderId: Make = (random, world) => {
  const order_id = text(random, random.pick([60, 60, 5_000]))
  const bytes = render({
    path: '/charge/',
    body: charge({ order_id }),
    key: random.pick(world.keys),
  })
  return { name: 'order_id', bytes, invalid: isOrderId(order_id) ? null : 'no order id' }
}

/** A field that takes any text accepts it, up to its length. */
const freeText: Make = (random, world) => {
  const word = text(random, 300)
  const field = random.pick(['first_name', 'email', 'phone'])
  // Few of these, because each one makes a real charge.
  const long = random.chance(0.9)
  const value = long ? word.repeat(1 + Math.ceil(256 / Math.max(1, word.length))) : word
  const body = charge({ customer_details: { [field]: value } })
  const bytes = render({ path: '/charge/', body, key: random.pick(world.keys) })
  const length = Array.from(value).length
  return { name: field, bytes, invalid: length > 255 || length === 0 ? 'its length' : null }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Every route with an id in its path, with something else there. */
const pathId: Make = (random, world) => {
  const routes = OPERATIONS.filter(({ path }) => path.includes('{pk}'))
  const { method, path } = random.pick(routes)
  const uuid = randomUUID()
  const id = random.pick([
    encodeURIComponent(text(random, 250)),
    `${uuid}x`,
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    uuid.slice(1),
    `${uuid}%00`,
    '00000000-0000-0000-0000-00000000000g',
    '..%2fnotification',
    uuid,
    uuid.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])
  const filled = path.replace('{pk}', id).replace('{action_name}', 'cancel')
  const body = method === 'POST' ? '{}' : undefined
  const bytes = render({
    method,
    path: filled,
    key: random.pick(world.keys),
    ...(body && { body }),
  })
  const why = UUID.test(id) ? 'an unknown object' : 'no id'
  return { name: `id in ${path}`, bytes, invalid: why }
}

const LISTS = OPERATIONS.filter(({ method, path }) => method === 'GET' && !path.includes('{pk}'))

/** A filter that finds nothing is valid; an unknown name or an invalid page is not. */
const query: Make = (random, world) => {
  const { path } = random.pick(LISTS)
  const word = text(random, 150)
  const tricks: [string, string | null][] = [
    [
      `page_size=${encodeURIComponent(random.pick(['0', '-1', '101', '1e3', '１', '', ' 1']))}`,
      'page',
    ],
    [`page_size=1&page_size=2`, 'twice'],
    [`${encodeURIComponent(word === '' ? 'x' : word)}=1`, 'an unknown name'],
    [`cursor=${encodeURIComponent(word)}`, null],
    [`cursor=${cursor(random)}`, null],
    [`status=${encodeURIComponent(word)}`, 'no status'],
    [`status[]=pending`, 'an unknown name'],
    [`status=pending&status=expire`, 'twice'],
    [`page_size=1&${'a=1&'.repeat(500)}`, 'unknown names'],
    ['%', 'an unknown name'],
    ['page_size=%zz', 'page'],
  ]
  if (path === '/payments/') {
    const value = encodeURIComponent(word)
    tricks.push([`order_id=${value}`, null], [`customer_email=${value}`, null])
    tricks.push([`subscription_id=${value}`, 'no id'])
  }
  const [search, invalid] = random.pick(tricks)
  const bytes = render({ method: 'GET', path: `${path}?${search}`, key: random.pick(world.keys) })
  return { name: `query of ${path}`, bytes, invalid }
}

/** Cursors in our format, of times and ids that do not exist. */
function cursor(random: Random): string {
  const moment = random.pick([
    '-271821-04-20T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T00:00:00.000Z',
  ])
  const id = random.pick([randomUUID(), 'x', '00000000-0000-0000-0000-000000000000'])
  const direction = random.pick(['older', 'newer', 'sideways'])
  return Buffer.from(`${direction} ${moment} ${id}`).toString('base64url')
}

/** Header values are bytes; an invalid one is refused before anything is done. */
const idempotencyKey: Make = (random, world) => {
  const value = random.pick(['a b', 'ä', 'x'.repeat(256), '\t', 'a\u00a0b', 'k, l', '🧋'])
  const body = charge({})
  const headers = { 'idempotency-key': Buffer.from(value).toString('latin1') }
  const bytes = render({ path: '/charge/', body, headers, key: random.pick(world.keys) })
  return { name: 'Idempotency-Key', bytes, invalid: value.trim() === '' ? null : 'no key' }
}

const requestId: Make = (random, world) => {
  const headers = {
    'x-request-id': Buffer.from(text(random, 200))
      .toString('latin1')
      .replaceAll(/[\r\n\0]/g, ''),
  }
  const bytes = render({
    method: 'GET',
    path: '/payments/?page_size=0',
    headers,
    key: random.pick(world.keys),
  })
  return { name: 'X-Request-Id', bytes, invalid: 'page' }
}

const UNKNOWN = ['owner_id', 'id', 'is_paid', 'transaction_status', 'staff', 'captured_amount']

/** Columns that callers may not set, and names that only look like fields. */
const assignment: Make = (random, world) => {
  const name = random.chance(0.5) ? random.pick(UNKNOWN) : `x${text(random, 40)}`
  const { path } = random.pick(
    OPERATIONS.filter(({ body }) => body?.additionalProperties === false),
  )
  const filled = path.replace('{pk}', world.payments[0]?.id ?? '')
  const base = path === '/charge/' ? { payment_type: 'qris', gross_amount: 10_000 } : { amount: 1 }
  const body = JSON.stringify({ ...base, [name]: 'settlement' })
  const bytes = render({ path: filled, body, key: random.pick(world.keys) })
  return { name: `an unknown field of ${path}`, bytes, invalid: 'an unknown field' }
}

/** A secret in a wrong place: refused, and stored nowhere. */
const misplaced: Make = (random, world) => {
  const secret = random.pick([CARD_NUMBER, world.server_key, random.pick(world.keys)])
  const body = random.pick([
    charge({ metadata: { note: `it is ${secret}` } }),
    charge({ metadata: { [secret]: 1 } }),
    charge({ order_id: secret }),
    charge({ customer_details: { first_name: secret } }),
    charge({ metadata: { card: { cvv: '7391' } } }),
    charge({ card_number: secret }),
  ])
  const bytes = render({ path: '/charge/', body, key: random.pick(world.keys) })
  return { name: 'a secret in the wrong place', bytes, invalid: 'a secret' }
}

const MAKES: readonly Make[] = [
  misplaced,
  orderId,
  freeText,
  pathId,
  pathId,
  query,
  query,
  idempotencyKey,
  requestId,
  assignment,
]

export const textInput = (random: Random, world: World): HostileInput => ({
  category: 'text',
  ...random.pick(MAKES)(random, world),
})
