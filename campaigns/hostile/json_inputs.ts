// Bodies that two parsers could read differently, or that no parser should have to read.
import { gzipSync } from 'node:zlib'
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type Wanted, type World } from './input.ts'

interface Trick {
  name: string
  why: string | null
  body: string | Buffer
  headers?: Record<string, string>
  alone?: boolean
}

const GOOD = '{"payment_type":"qris","gross_amount":10000}'
const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth)
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`
const BOMB = gzipSync(Buffer.alloc(20_000_000, 0x20), { level: 9 })

const FIXED: readonly Trick[] = [
  { name: 'a name twice', why: 'a name twice', body: `${GOOD.slice(0, -1)},"gross_amount":1}` },
  {
    name: 'a name twice, escaped',
    why: 'a name twice',
    body: `${GOOD.slice(0, -1)},"gross\\u005famount":1}`,
  },
  {
    name: 'a name twice, deep',
    why: 'a name twice',
    body: `${GOOD.slice(0, -1)},"metadata":{"a":{"b":1,"b":2}}}`,
  },
  {
    name: '__proto__',
    why: 'a poisoned name',
    body: `${GOOD.slice(0, -1)},"__proto__":{"staff":true}}`,
  },
  {
    name: '__proto__ in metadata',
    why: 'a poisoned name',
    body: `${GOOD.slice(0, -1)},"metadata":{"\\u005f_proto__":{}}}`,
  },
  {
    name: 'constructor.prototype',
    why: 'a poisoned name',
    body: `${GOOD.slice(0, -1)},"metadata":{"constructor":{"prototype":{}}}}`,
  },
  { name: 'depth of objects', why: 'too deep', body: nested(9_000, '{"a":', '}') },
  { name: 'nothing but brackets', why: 'no object', body: nested(30_000) },
  { name: 'many names', why: 'unknown fields', body: keys(4_000) },
  { name: 'too many bytes', why: 'too large', body: keys(8_000), alone: true },
  {
    name: 'half a character',
    why: 'half a character',
    body: `${GOOD.slice(0, -1)},"order_id":"\\ud83d"}`,
  },
  { name: 'NUL', why: 'a NUL', body: `${GOOD.slice(0, -1)},"metadata":{"a":"\\u0000"}}` },
  { name: 'raw control', why: 'no JSON', body: `{"payment_type":"qr\u0001is"}` },
  { name: 'a BOM', why: null, body: `\ufeff${GOOD}` },
  { name: 'UTF-16', why: 'not UTF-8', body: Buffer.from(GOOD, 'utf16le') },
  { name: 'overlong UTF-8', why: 'not UTF-8', body: Buffer.from([0x22, 0xc0, 0x80, 0x22]) },
  { name: 'empty', why: 'no body', body: '' },
  { name: 'white space', why: 'no body', body: ' \n\t ' },
  { name: 'a comment', why: 'no JSON', body: `/* */${GOOD}` },
  { name: 'a trailing comma', why: 'no JSON', body: `${GOOD.slice(0, -1)},}` },
  ...['[]', '[{}]', '"text"', '1', 'true', 'null', '{}'].map((body) => ({
    name: `${body} for an object`,
    why: 'another type',
    body,
  })),
  { name: 'a long number', why: 'unknown field', body: `{"a":${'9'.repeat(50_000)}}` },
  { name: 'a long name', why: 'unknown field', body: `{"${'n'.repeat(50_000)}":1}` },
  {
    name: 'gzip',
    why: 'not JSON',
    body: gzipSync(GOOD),
    headers: { 'content-encoding': 'gzip' },
  },
  { name: 'a gzip bomb', why: 'not JSON', body: BOMB, headers: { 'content-encoding': 'gzip' } },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/xml',
    '',
  ].map((type) => ({
    name: `the type ${type}`,
    why: 'not said to be JSON',
    body: GOOD,
    headers: { 'content-type': type },
  })),
  {
    name: 'another character set',
    why: null,
    body: GOOD,
    headers: { 'content-type': 'application/json; charset=utf-16' },
  },
]

/** Made again each time. */
function madeUp(random: Random): Trick {
  const depth = Math.floor(random.between(21, 5_000))
  const at = Math.floor(random.between(1, GOOD.length - 1))
  const junk = Buffer.from(Array.from({ length: 40 }, () => Math.floor(random.between(128, 256))))
  const behind = random.pick(['}', '\0', ' x', ',', GOOD])
  const metadata = `"metadata":{"a":${nested(depth)}}`
  return random.pick<Trick>([
    { name: 'depth', why: 'too deep', body: `${GOOD.slice(0, -1)},${metadata}}` },
    { name: 'trailing bytes', why: 'no JSON', body: `${GOOD}${behind}` },
    { name: 'cut off', why: 'no JSON', body: GOOD.slice(0, at) },
    { name: 'not UTF-8', why: 'not UTF-8', body: Buffer.concat([Buffer.from('{"a":"'), junk]) },
  ])
}

const PATHS = ['/charge/', '/invoices/', '/subscriptions/', '/notification/'] as const

/** One invalid body. */
export function jsonInput(random: Random, world: World): HostileInput {
  const {
    name,
    why,
    body,
    headers = {},
    alone = false,
  } = random.chance(0.2) ? madeUp(random) : random.pick(FIXED)
  const path = random.pick(PATHS)
  // The webhook ignores an unknown shape, and a charge refuses it.
  const wanted: Wanted = { path, body, headers, key: random.pick(world.keys) }
  return {
    category: 'json',
    name: `${name} to ${path}`,
    bytes: render(wanted),
    // A valid charge is neither an invoice nor a notification.
    invalid: why ?? (path === '/charge/' ? null : 'another shape'),
    ...(alone && { alone: true, silence_allowed: true }),
  }
}
