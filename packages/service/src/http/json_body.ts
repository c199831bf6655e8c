// Bodies. Read with a bound, parsed strictly: what two parsers could read in two ways is refused,
// because one of them may stand in front of us.
import type { FastifyRequest } from 'fastify'
import { gatewayError, type GatewayError } from '../domain/errors.ts'
import { RequestProblem } from '../services/problem.ts'
import { parseJson } from '../services/notifications/receive_notification.ts'

export const BODY_BYTES_MAX = 65_536
const DEPTH_MAX = 20

/** The body of a request, from its stream or from the host's parser if that was there first. */
export async function readBody(
  _request: FastifyRequest,
  stream: FastifyRequest['raw'],
): Promise<unknown> {
  const drained = stream.readableEnded || stream.readableDidRead
  const body = drained ? leftByHost(stream) : parseText(await collect(stream))
  refuseValue(body)
  return body
}

async function collect(stream: FastifyRequest['raw']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('the body is no stream of bytes')
      bytes += chunk.byteLength
      if (bytes > BODY_BYTES_MAX) throw new RequestProblem('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    throw badBody('cut off', error)
  }
  return decode(Buffer.concat(chunks))
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw badBody('not UTF-8', error)
  }
}

/**
 * What a parser mounted before us left in `req.body`. Without it the bytes are gone, and waiting
 * for them would hang until the client gives up.
 */
function leftByHost(stream: FastifyRequest['raw']): unknown {
  const left: unknown = 'body' in stream ? stream.body : undefined
  if (left instanceof Uint8Array) return parseText(decode(left))
  if (typeof left === 'string') return parseText(left)
  if (left !== undefined) return left
  const { 'content-length': length, 'transfer-encoding': encoding } = stream.headers
  if (encoding === undefined && (length ?? '0') === '0') return undefined
  throw new RequestProblem('body_already_read')
}

function parseText(text: string): unknown {
  if (text.trim() === '') return undefined
  const value = parseJson(text)
  if (value === undefined) throw badBody('not JSON')
  if (hasNameTwice(text)) throw badBody('an object has the same name twice')
  return value
}

const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]/g

/** Whether an object of this valid JSON text names a member twice; `JSON.parse` keeps the last. */
function hasNameTwice(text: string): boolean {
  const open: (Set<string> | null)[] = []
  let name_next = false
  for (const [token] of text.matchAll(TOKEN)) {
    const names = open.at(-1)
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (name_next && names && token.startsWith('"')) {
      const name = String(JSON.parse(token))
      if (names.has(name)) return true
      names.add(name)
    }
    name_next = token === '{' || (token === ',' && names instanceof Set)
  }
  return false
}

/** Refuses a value, from whichever door, that no table could hold or no code should walk. */
export function refuseValue(value: unknown, depth = 1, inside = ''): void {
  if (typeof value === 'string') refuseText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > DEPTH_MAX) throw badBody(`nested deeper than ${DEPTH_MAX}`)
  for (const [name, member] of Object.entries(value)) {
    const poison = name === '__proto__' || (name === 'prototype' && inside === 'constructor')
    if (poison) throw badBody(`a member may not be called ${name}`)
    refuseText(name)
    refuseValue(member, depth + 1, name)
  }
}

/** PostgreSQL holds neither NUL nor half a character. */
function refuseText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw badBody('a text has NUL or half a character')
}

const badBody = (message: string, cause?: unknown): GatewayError =>
  gatewayError('invalid_request', { errors: [{ field: 'body', message }], cause })
