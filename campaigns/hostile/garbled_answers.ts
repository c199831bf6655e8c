// Invalid answers of a gateway: an honest one with an error in it, or something else altogether.
import type { Random } from '../bench/random.ts'

export interface GatewayAnswer {
  name: string
  http_status: number
  body: string | Buffer
  headers?: Record<string, string>
  /** The connection breaks: before the answer, or in the middle of the body. */
  broken?: 'before' | 'within'
}

const LONG = 'x'.repeat(4_000)

/** Wrong values. As JSON text: some of it no serializer would write. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '-1',
  '1e400',
  '0',
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  `"${LONG}"`,
  '"\\u202e"',
  '"-150000.00"',
  '"150000.005"',
  '"9999999999999.99"',
  '99999999999999999999',
  '"NaN"',
  '"2026-02-30 10:00:00"',
  '"0000-00-00 00:00:00"',
  '"9999-12-31 23:59:59"',
  '"0001-01-01 00:00:00"',
  '"settlement"',
  '"refund"',
  '"no such word"',
  '"200"',
  '"201"',
  '"202"',
  '"407"',
  '"999"',
  '"another-order"',
  '"javascript:alert(1)"',
  '{"a":{"a":{"a":{"a":{"a":1}}}}}',
  '[[[[[[1]]]]]]',
  '[{"refund_key":"k\\u0000","refund_amount":"1.00"}]',
  '[{"refund_key":"k","refund_amount":"-1.00"}]',
  '[{"refund_key":"k","refund_amount":"99999999.00","reason":"\\ud800"}]',
  `[{"refund_key":"${LONG}","refund_amount":"1.00"}]`,
  '[{"name":"a","url":"\\u0000","method":"GET"}]',
  '[{"bank":"bca\\u0000","va_number":"1"}]',
  `[{"bank":"bca","va_number":"${LONG}"}]`,
]

/** Fields an answer may have, besides those it has. */
const FIELDS: readonly string[] = [
  'status_code',
  'status_message',
  'transaction_id',
  'order_id',
  'gross_amount',
  'payment_type',
  'transaction_time',
  'transaction_status',
  'fraud_status',
  'settlement_time',
  'expiry_time',
  'refunds',
  'refund_amount',
  'va_numbers',
  'permata_va_number',
  'bill_key',
  'biller_code',
  'payment_code',
  'store',
  'actions',
  'qr_string',
  'acquirer',
  'issuer',
  'masked_card',
  'redirect_url',
  'metadata',
  'id',
  'name',
  'status',
  'schedule',
  'invoice_number',
  'payment_link_url',
  'virtual_accounts',
  'pdf_url',
  'due_date',
  '__proto__',
]

/** The honest body with one to three members replaced or added. */
export function mutated(honest: string, random: Random): GatewayAnswer {
  const members = new Map<string, string>(
    Object.entries(JSON.parse(honest) as object).map(([name, value]) => [
      name,
      JSON.stringify(value),
    ]),
  )
  const changed: string[] = []
  const times = Math.ceil(random.between(0, 3))
  for (let time = 0; time < times; time++) {
    const name = random.chance(0.6)
      ? random.pick([...members.keys(), 'status_code'])
      : random.pick(FIELDS)
    const value = random.pick(VALUES)
    if (random.chance(0.1)) members.delete(name)
    else members.set(name, value)
    changed.push(`${name} ${value.slice(0, 24)}`)
  }
  const text = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')
  return { name: `with ${changed.join(' and ')}`, http_status: 200, body: `{${text}}` }
}

const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

/** Nothing of the honest answer is left. */
const NONSENSE: readonly GatewayAnswer[] = [
  { name: 'nothing', http_status: 200, body: '' },
  { name: 'a list', http_status: 200, body: '[]' },
  { name: 'null', http_status: 200, body: 'null' },
  { name: 'a word', http_status: 200, body: '"ok"' },
  { name: 'an empty object', http_status: 200, body: '{}' },
  { name: 'a page', http_status: 200, body: '<html><body>Sorry</body></html>' },
  { name: 'half a body', http_status: 200, body: '{"status_code":"200","order' },
  { name: 'a deep body', http_status: 200, body: deep(20_000) },
  { name: 'a long body', http_status: 200, body: JSON.stringify({ a: 'x'.repeat(300_000) }) },
  { name: 'a list without end', http_status: 200, body: `[${'0,'.repeat(60_000)}0]` },
  { name: 'not UTF-8', http_status: 200, body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) },
  { name: 'a name twice', http_status: 200, body: '{"status_code":"201","status_code":"400"}' },
  { name: 'a code in words', http_status: 200, body: '{"status_code":"two hundred"}' },
  { name: 'a code that is an object', http_status: 200, body: '{"status_code":{"is":200}}' },
  { name: '200 and nothing else', http_status: 200, body: '{"status_code":"200"}' },
  { name: '406', http_status: 200, body: '{"status_code":"406","status_message":"duplicate"}' },
  { name: '412', http_status: 200, body: '{"status_code":"412","status_message":"\\u0000"}' },
  { name: '404', http_status: 404, body: '{"status_code":"404"}' },
  { name: '404 of an edge', http_status: 404, body: 'not here' },
  { name: '401', http_status: 401, body: '{"status_code":"401"}' },
  { name: '202', http_status: 202, body: '' },
  { name: '204', http_status: 204, body: '' },
  {
    name: 'a redirect',
    http_status: 302,
    body: '',
    headers: { location: 'http://169.254.169.254/' },
  },
  { name: '418', http_status: 418, body: 'teapot' },
  {
    name: '429',
    http_status: 429,
    body: '{"status_code":"429"}',
    headers: { 'retry-after': '99999999999' },
  },
  {
    name: 'gzip',
    http_status: 200,
    body: Buffer.from([0x1f, 0x8b, 8, 0]),
    headers: { 'content-encoding': 'gzip' },
  },
]

/** These count as an outage, so there are few: too many of them would open the circuit breaker. */
const OUTAGES: readonly GatewayAnswer[] = [
  { name: '500', http_status: 500, body: '<html>500</html>' },
  { name: '503', http_status: 503, body: '', headers: { 'retry-after': '-1' } },
  { name: '599', http_status: 599, body: '{"status_code":"599"}' },
  { name: 'no answer', http_status: 200, body: '', broken: 'before' },
  { name: 'cut off', http_status: 200, body: '{"status_code":"200"', broken: 'within' },
]

/** A garbled answer in place of the honest one, or the honest one. */
export function garbled(
  honest: { http_status: number; body: string },
  random: Random,
): GatewayAnswer {
  const at = random.fraction()
  if (at < 0.3) return { name: 'honest', ...honest }
  if (at < 0.75 && honest.body.startsWith('{')) {
    return { ...mutated(honest.body, random), http_status: honest.http_status }
  }
  return at < 0.95 ? random.pick(NONSENSE) : random.pick(OUTAGES)
}
