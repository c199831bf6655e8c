// Bytes that are almost HTTP, each on a connection of its own.
import type { Random } from '../bench/random.ts'
import type { HostileInput, World } from './input.ts'

const BODY = '{"payment_type":"qris","gross_amount":10000}'
const SMUGGLED = 'GET /payments/ HTTP/1.1\r\nhost: a\r\n\r\n'

type Trick = [name: string, text: string, invalid: string | null, silence_allowed?: boolean]

const head = (line: string, ...fields: string[]): string =>
  `${[line, 'host: 127.0.0.1', ...fields].join('\r\n')}\r\n\r\n`

/** Replaced by an honest caller's header when one is chosen. */
const auth = 'authorization: Bearer {key}'

const FRAMING: readonly Trick[] = [
  [
    'two lengths',
    head('POST /charge/ HTTP/1.1', auth, 'content-length: 5', 'content-length: 44') + BODY,
    'two lengths',
  ],
  [
    'length and chunks',
    `${head('POST /charge/ HTTP/1.1', auth, 'content-length: 44', 'transfer-encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
    'two framings',
  ],
  [
    'chunks, not last',
    head('POST /charge/ HTTP/1.1', auth, 'transfer-encoding: chunked, identity') + BODY,
    'no framing',
    true,
  ],
  [
    'chunked with a tab',
    `${head('POST /charge/ HTTP/1.1', auth, 'transfer-encoding:\tchunked')}zz\r\n`,
    'no chunk',
  ],
  [
    'a bad chunk',
    `${head('POST /charge/ HTTP/1.1', auth, 'transfer-encoding: chunked')}5\r\n{}\r\n0\r\n\r\n`,
    'no chunk',
  ],
  [
    'a huge chunk',
    `${head('POST /charge/ HTTP/1.1', auth, 'transfer-encoding: chunked')}FFFFFFFFFFFFFFFFFF\r\n`,
    'no chunk',
  ],
  [
    'a chunk extension without end',
    `${head('POST /charge/ HTTP/1.1', auth, 'transfer-encoding: chunked')}2;${'a=b;'.repeat(8_000)}\r\n{}`,
    'no chunk',
    true,
  ],
  ['a negative length', head('POST /charge/ HTTP/1.1', auth, 'content-length: -1'), 'no length'],
  ['a length in words', head('POST /charge/ HTTP/1.1', auth, 'content-length: ten'), 'no length'],
  [
    'a length past all',
    head('POST /charge/ HTTP/1.1', auth, 'content-length: 99999999999999999999'),
    'no length',
  ],
  [
    'a body that is cut short',
    head('POST /charge/ HTTP/1.1', auth, 'content-type: application/json', 'content-length: 900') +
      BODY,
    'cut short',
    true,
  ],
]

const HEADS: readonly Trick[] = [
  ['a space before the colon', head('GET /payments/ HTTP/1.1', auth, 'x : y'), 'no header'],
  ['a folded header', head('GET /payments/ HTTP/1.1', auth, 'x: a', ' b'), 'no header'],
  ['a bare line feed', `GET /payments/ HTTP/1.1\nhost: a\n${auth}\n\n`, null, true],
  ['a bare carriage return', head('GET /payments/ HTTP/1.1', auth, 'x: a\rb: c'), 'no header'],
  ['a NUL in a header', head('GET /payments/ HTTP/1.1', auth, 'x: a\0b'), 'no header'],
  ['a header without a name', head('GET /payments/ HTTP/1.1', auth, ': y'), 'no header'],
  [
    'headers past 16 KiB',
    head('GET /payments/ HTTP/1.1', auth, `x: ${'y'.repeat(20_000)}`),
    'too large',
  ],
  [
    'a thousand headers',
    head('GET /nowhere HTTP/1.1', auth, ...Array.from({ length: 1_000 }, (_, at) => `x${at}: y`)),
    'no such path',
  ],
  ['no host', `GET /payments/ HTTP/1.1\r\n${auth}\r\n\r\n`, 'no host'],
  ['two hosts', head('GET /payments/ HTTP/1.1', auth, 'host: b'), null],
  ['two callers', head('GET /payments/ HTTP/1.1', auth, auth), 'two callers'],
  [
    'two callers, one of them unknown',
    head('GET /payments/ HTTP/1.1', auth, 'authorization: Bearer unknown'),
    'two callers',
  ],
  ['an unknown expectation', head('GET /payments/ HTTP/1.1', auth, 'expect: miracles'), 'expects'],
  [
    'an upgrade',
    head('GET /nowhere HTTP/1.1', 'connection: upgrade', 'upgrade: websocket'),
    'path',
  ],
  ['an upgrade to HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'another protocol'],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 'TLS', true],
]

const LINES: readonly Trick[] = [
  ['no such method', head('STEAL /payments/ HTTP/1.1', auth), 'method'],
  ['a method in small letters', head('get /payments/ HTTP/1.1', auth), 'method'],
  ['TRACE', head('TRACE /payments/ HTTP/1.1', auth), 'method'],
  ['DELETE', head('DELETE /payments/ HTTP/1.1', auth), 'method'],
  ['PUT of a charge', head('PUT /charge/ HTTP/1.1', auth, 'content-length: 0'), 'method'],
  ['OPTIONS *', head('OPTIONS * HTTP/1.1', auth), 'path'],
  ['CONNECT', head('CONNECT 127.0.0.1:5432 HTTP/1.1'), 'no proxy', true],
  ['HTTP/0.9', 'GET /payments/\r\n', 'version', true],
  ['HTTP/3.0', head('GET /payments/ HTTP/3.0', auth), 'version'],
  ['HTTP/1.10', head('GET /payments/ HTTP/1.10', auth), 'version'],
  // The parser reads it as one path; no proxy would read another one.
  ['two spaces', head('GET  /payments/ HTTP/1.1', auth), null, true],
  ['an absolute address', head('GET http://169.254.169.254/ HTTP/1.1', auth), 'path'],
  ['an absolute address of ours', head('GET http://a/payments/ HTTP/1.1', auth), null],
  ['a path past all', head(`GET /${'a'.repeat(15_000)} HTTP/1.1`, auth), 'path'],
  ['a query past all', head(`GET /payments/?${'a'.repeat(15_000)} HTTP/1.1`, auth), 'query'],
  ['dots', head('GET /payments/../notification/ HTTP/1.1', auth), 'path'],
  ['encoded dots', head('GET /%2e%2e/payments/ HTTP/1.1', auth), 'path'],
  ['a broken escape', head('GET /payments/%E0%A4%A/ HTTP/1.1', auth), 'path'],
  ['a NUL in the path', head('GET /payments/%00/ HTTP/1.1', auth), 'path'],
  ['two slashes', head('GET //payments/ HTTP/1.1', auth), 'path'],
  ['a backslash', head('GET \\payments\\ HTTP/1.1', auth), 'path'],
  ['high bytes in the path', head('GET /payments/\u00e9/ HTTP/1.1', auth), 'path'],
  ['a request that never ends', 'GET /payments/ HTTP/1.1\r\nhost: a\r\n', null, true],
  ['half a request line', 'GE', null, true],
  ['nothing but line ends', '\r\n\r\n\r\n\r\n', null, true],
]

const noise = (random: Random): Trick => [
  'noise',
  Array.from({ length: 200 }, () => String.fromCharCode(Math.floor(random.between(0, 256)))).join(
    '',
  ),
  'noise',
  true,
]

/** One of them; none is a request that should be carried out. */
export function wireInput(random: Random, world: World): HostileInput {
  const all = random.pick([FRAMING, HEADS, LINES, [noise(random)]])
  const [name, text, invalid, silence_allowed = false] = random.pick(all)
  return {
    category: 'wire',
    name,
    bytes: Buffer.from(text.replaceAll('{key}', random.pick(world.keys)), 'latin1'),
    invalid,
    alone: true,
    silence_allowed,
  }
}
