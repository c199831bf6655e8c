import { createHash } from 'node:crypto'
import { gatewayError } from '../domain/errors.ts'
import { secretIn } from '../domain/secret_shapes.ts'
import type { Request } from '../services/requests.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

interface Fingerprinted {
  method: string
  /** The route's pattern, not the path: a mount prefix may change between two tries. */
  pattern: string
  id: string
  body: unknown
}

/** A request's key and what it stands for (ADR 0007), or nothing without a key. */
export function idempotencyOf(key: unknown, what: Fingerprinted): Request['idempotency'] {
  if (key === undefined) return null
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'Idempotency-Key', message: '1 to 255 visible ASCII characters' }],
    })
  }
  const secret = secretIn(key)
  if (secret !== undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'Idempotency-Key', message: `holds ${secret}: make a key of its own` }],
    })
  }
  return { key, fingerprint: fingerprintOf(what) }
}

function fingerprintOf({ method, pattern, id, body }: Fingerprinted): string {
  const text = JSON.stringify([method, pattern, id, canonical(body ?? null)])
  return createHash('sha256').update(text).digest('hex')
}

/** The same value with the names of every object in order: the same body spelt otherwise. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, member]) => [name, canonical(member)])
}
