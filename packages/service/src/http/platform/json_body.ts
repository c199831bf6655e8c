// Bodies. Read with a bound, parsed strictly: what two parsers could read in two ways is refused,
// because one of them may stand in front of us.
import type { FastifyRequest } from 'fastify'
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import { RequestProblem } from '../../services/problem.ts'
import { parseJson } from '../../services/notifications/receive_notification.ts'

export const BODY_BYTES_MAX = 65_536
const DEPTH_MAX = 20

/** The body of a request, from its stream or from the host's parser if that was there first. */
export async function readBody(
  stream: FastifyRequest['raw'],
  bytes_max = BODY_BYTES_MAX,
): Promise<unknown> {
  const drained = stream.readableEnded || stream.readableDidRead
  return drained ? leftByHost(stream, bytes_max) : parseText(await collect(stream, bytes_max))
}

async function collect(stream: FastifyRequest['raw'], bytes_max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // By its events: an iterator over it costs a webhook as much as all of its parsing.
  await new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: unknown) => {
      if (!(chunk instanceof Uint8Array)) {
        reject(badBody('no stream of bytes'))
        return
      }
      bytes += chunk.byteLength
      chunks.push(chunk)
      if (bytes <= bytes_max) return
      stream.pause()
      reject(new RequestProblem('payload_too_large'))
    })
    stream.on('end', resolve)
    stream.on('error', (error) => reject(badBody('cut off', error)))
    // It closes after its end, too; to make an error each time would cost more than all the rest.
    stream.on('close', () => stream.readableEnded || reject(badBody('cut off')))
  })
  return decode(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (error) {
    throw badBody('not UTF-8', error)
  }
}

/**
 * What a parser mounted before us left in `req.body`. Without it the bytes are gone, and waiting
 * for them would hang until the client gives up.
 */
function leftByHost(stream: FastifyRequest['raw'], bytes_max: number): unknown {
  const left: unknown = 'body' in stream ? stream.body : undefined
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = stream.headers
  // The host's parser has a bound of its own, as a rule a larger one; ours is the same everywhere.
  if (Number(length) > bytes_max) throw new RequestProblem('payload_too_large')
  if (left instanceof Uint8Array) return parseText(decode(left))
  if (typeof left === 'string') return parseText(left)
  if (left !== undefined) {
    refuseValue(left)
    return left
  }
  if (encoding === undefined && length === '0') return undefined
  throw new RequestProblem('body_already_read')
}

function parseText(text: string): unknown {
  if (text.trim() === '') return undefined
  const value = parseJson(text)
  if (value === undefined) throw badBody('not JSON')
  const members = refuseValue(value)
  if (members !== membersWritten(text)) throw badBody('an object has the same name twice')
  return value
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/**
 * How many members the objects of this valid JSON text have as they are written: a colon outside
 * of a string each. `JSON.parse` keeps the last of two with one name, so then it has fewer.
 */
function membersWritten(text: string): number {
  let members = 0
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inside = !inside
    else if (inside && code === BACKSLASH) at++
    else if (!inside && code === COLON) members++
  }
  return members
}

/**
 * Refuses a value, over HTTP or in-process, that no table could hold or no code should walk. Returns
 * how many members its objects have.
 */
export function refuseValue(value: unknown, depth = 1, inside = ''): number {
  if (typeof value === 'string') refuseText(value)
  if (typeof value !== 'object' || value === null) return 0
  if (depth > DEPTH_MAX) throw badBody(`nested deeper than ${DEPTH_MAX}`)
  let members = 0
  if (Array.isArray(value)) for (const part of value) members += refuseValue(part, depth + 1)
  if (!isRecord(value)) return members
  for (const name of Object.keys(value)) {
    const poison = name === '__proto__' || (name === 'prototype' && inside === 'constructor')
    if (poison) throw badBody(`a member may not be called ${name}`)
    refuseText(name)
    members += 1 + refuseValue(value[name], depth + 1, name)
  }
  return members
}

const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value)

/** PostgreSQL holds neither NUL nor half a character. */
function refuseText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw badBody('a text has NUL or half a character')
}

const badBody = (message: string, cause?: unknown): GatewayError =>
  gatewayError('invalid_request', { errors: [{ field: 'body', message }], cause })
