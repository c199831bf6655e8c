// Webhooks to the byte, good and bad, and what two ways of serving them can be compared by.
import { connect } from 'node:net'

export type Json = Record<string, unknown>

/** The text of a signed notification about the case's own order. */
export type TextOf = (more?: Json) => string

interface Form {
  path?: string
  method?: string
  type?: string | null
  /** Instead of the length of the body. */
  length?: string | null
  headers?: readonly string[]
  version?: string
}

/** A request to the byte. */
export function bytesOf(body: string | Buffer, form: Form = {}): Buffer {
  const { path = '/notification/', method = 'POST', type = 'application/json' } = form
  const { length = String(Buffer.byteLength(body)), headers = [], version = '1.1' } = form
  const head = [
    `${method} ${path} HTTP/${version}`,
    'host: localhost',
    'x-request-id: of-the-test',
    ...(type === null ? [] : [`content-type: ${type}`]),
    ...(length === null ? [] : [`content-length: ${length}`]),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

const chunked = (text: string): string =>
  `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`
const CHUNKED: Form = { length: null, headers: ['transfer-encoding: chunked'] }

export interface Sent {
  /** Parts, each sent when the one before was taken by the kernel. */
  parts: readonly Buffer[]
  /** How many answers come; fewer if the server closes first. */
  answers?: number
  /** Whether the client goes before it is answered. */
  leaves?: boolean
}

const ANSWER = /HTTP\/1\.1 (?!100)\d{3} [^]*?content-length: (\d+)[^]*?\r\n\r\n/gi

function answersIn(text: string): number {
  let count = 0
  for (const match of text.matchAll(ANSWER)) {
    if (text.length >= match.index + match[0].length + Number(match[1])) count += 1
  }
  return count
}

/** All that comes back, until the answers are whole or the server closes. */
export async function exchange(
  port: number,
  { parts, answers = 1, leaves }: Sent,
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const next = (at: number): void => {
      const part = parts[at]
      if (part !== undefined) socket.write(part, () => setImmediate(next, at + 1))
      else if (leaves === true) socket.destroy()
    }
    socket.on('connect', () => next(0))
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (answersIn(text) >= answers) socket.end()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(text))
  })
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Without what differs between any two requests. */
export const steady = (text: string): string =>
  text.replaceAll(UUID, '<id>').replaceAll(/^date: .*$/gim, 'date: <time>')

/** Log lines or metrics, sorted: requests under way at once end in any order. */
export const steadyOf = (entries: readonly object[]): string[] =>
  entries
    .map((entry) =>
      steady(JSON.stringify(entry)).replaceAll(/"(?:duration|stored)_ms":[\d.]+/g, '"took":0'),
    )
    .toSorted()

export type Case = [name: string, by: 'short' | 'general', (text: TextOf) => Sent]

export const one = (bytes: Buffer): Sent => ({ parts: [bytes] })
const halves = (bytes: Buffer): Buffer[] => [bytes.subarray(0, -9), bytes.subarray(-9)]

export const CASES: Case[] = [
  ['good', 'short', (text) => one(bytesOf(text()))],
  ['good, without the slash', 'short', (text) => one(bytesOf(text(), { path: '/notification' }))],
  ['good, in two parts', 'short', (text) => ({ parts: halves(bytesOf(text())) })],
  [
    'good, with a charset',
    'short',
    (text) => one(bytesOf(text(), { type: 'application/json; charset=utf-8' })),
  ],
  ['good, over HTTP/1.0', 'short', (text) => one(bytesOf(text(), { version: '1.0' }))],
  [
    'good, the connection closed',
    'short',
    (text) => one(bytesOf(text(), { headers: ['connection: close'] })),
  ],
  [
    'good, with Expect',
    'short',
    (text) => one(bytesOf(text(), { headers: ['expect: 100-continue'] })),
  ],
  [
    'good, with a credential',
    'short',
    (text) => one(bytesOf(text(), { headers: ['authorization: Bearer x'] })),
  ],
  [
    'two credentials',
    'short',
    (text) => one(bytesOf(text(), { headers: ['authorization: a', 'authorization: b'] })),
  ],
  ['duplicated', 'short', (text) => ({ parts: [bytesOf(text()), bytesOf(text())], answers: 2 })],
  [
    'pipelined',
    'short',
    (text) => ({
      parts: [Buffer.concat([bytesOf(text()), bytesOf('{}'), bytesOf(text())])],
      answers: 3,
    }),
  ],
  [
    'another behind one that is not JSON',
    'short',
    (text) => ({
      parts: [Buffer.concat([bytesOf('{"a":'), bytesOf(text())])],
      answers: 2,
    }),
  ],
  [
    'another route behind it',
    'short',
    (text) => ({
      parts: [Buffer.concat([bytesOf(text()), bytesOf('{}', { path: '/charge/' })])],
      answers: 2,
    }),
  ],
  ['forged', 'short', (text) => one(bytesOf(text({ signature_key: 'f'.repeat(128) })))],
  ['without a signature', 'short', (text) => one(bytesOf(text({ signature_key: null })))],
  ['altered', 'short', (text) => one(bytesOf(text({ gross_amount: '1.00' })))],
  [
    'of an unsigned kind',
    'short',
    () => one(bytesOf('{"account_id":"a","account_status":"DISABLED","status_code":"204"}')),
  ],
  ['of no known shape', 'short', () => one(bytesOf('{"hello":1}'))],
  ['no object', 'short', () => one(bytesOf('[1]'))],
  ['blank', 'short', () => one(bytesOf('  '))],
  ['not JSON', 'short', () => one(bytesOf('{"order_id":'))],
  ['not UTF-8', 'short', () => one(bytesOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])))],
  ['one name twice', 'short', () => one(bytesOf('{"order_id":"a","order_id":"b"}'))],
  ['a poisoned name', 'short', () => one(bytesOf('{"__proto__":{}}'))],
  ['NUL in a text', 'short', (text) => one(bytesOf(text({ note: '\0' })))],
  ['nested deeply', 'short', () => one(bytesOf(`${'['.repeat(30)}${']'.repeat(30)}`))],
  [
    'as long as allowed',
    'short',
    (text) => one(bytesOf(text({ note: 'x'.repeat(65_536 - text({ note: '' }).length) }))),
  ],
  [
    'cut off by its client',
    'short',
    (text) => ({
      parts: [bytesOf(text()).subarray(0, -5)],
      leaves: true,
    }),
  ],
  ['slow', 'short', (text) => one(bytesOf(text()).subarray(0, -5))],
  ['too long by a byte', 'general', () => one(bytesOf(' '.repeat(65_537)))],
  ['chunked', 'general', (text) => one(bytesOf(chunked(text()), CHUNKED))],
  ['chunked and too long', 'general', () => one(bytesOf(chunked(' '.repeat(70_000)), CHUNKED))],
  [
    'chunked with a length',
    'general',
    (text) => one(bytesOf(chunked(text()), { headers: ['transfer-encoding: chunked'] })),
  ],
  ['two lengths', 'general', (text) => one(bytesOf(text(), { headers: ['content-length: 3'] }))],
  ['no length', 'general', () => one(bytesOf('', { length: null }))],
  ['empty', 'general', () => one(bytesOf(''))],
  ['another media type', 'general', (text) => one(bytesOf(text(), { type: 'text/plain' }))],
  ['a media type that is none', 'general', (text) => one(bytesOf(text(), { type: ';' }))],
  ['no media type', 'general', (text) => one(bytesOf(text(), { type: null }))],
  ['with a query', 'general', (text) => one(bytesOf(text(), { path: '/notification/?a=1' }))],
  ['by GET', 'general', () => one(bytesOf('', { method: 'GET', type: null, length: null }))],
  [
    'to a path that does not exist',
    'general',
    () => one(bytesOf('{}', { path: '/notifications/' })),
  ],
  [
    'with another expectation',
    'general',
    (text) => one(bytesOf(text(), { headers: ['expect: x'] })),
  ],
]
