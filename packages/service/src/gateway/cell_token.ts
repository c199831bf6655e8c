// The proof with which one cell reads the payments of another for a staff member (ADR 0039): for one
// request, from one cell to one other, for a few seconds.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject, parseJson } from './json.ts'
import { keyBytesOf, type Secret } from './secret.ts'

/** The request that a token is good for. */
export interface CellRequest {
  /** The cell that answers. */
  to: string
  method: string
  /** Without any prefix, with the query as it is sent. */
  path: string
}

/** For whom it is made, and by which cell. */
export interface CellPerson {
  from: string
  owner_id: string
  scopes: readonly string[]
}

export interface CellTokens {
  sign: (request: CellRequest, person: CellPerson, now: number) => string
  /** Undefined unless the token was made with a key of ours for this request, and is valid now. */
  read: (token: string, request: CellRequest, now: number) => CellPerson | undefined
}

/** Of the Authorization header: no key, JWT or host's own credential is written so. */
export const CELL_SCHEME = 'Gapura-Cell'

/** The difference to the most that is accepted is how far the clocks of two cells may differ. */
const VALID_MS = 15_000
const VALID_MS_MAX = 30_000
const TOKEN = /^([\w-]{1,4000})\.([\w-]{43})$/

/** The first key signs; every key is accepted, so that a key can be changed. */
export function cellTokens(keys: readonly Secret[]): CellTokens {
  const bytes = keyBytesOf(keys)
  const [current] = bytes
  return {
    sign: (request, person, now) => {
      const claims = Buffer.from(JSON.stringify({ ...person, expires_at: now + VALID_MS }))
      const text = claims.toString('base64url')
      return `${text}.${macOf(current, request, text).toString('base64url')}`
    },
    read: (token, request, now) => {
      const [, text = '', mac = ''] = TOKEN.exec(token) ?? []
      const given = Buffer.from(mac, 'base64url')
      const good = bytes.some((key) => {
        const expected = macOf(key, request, text)
        return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
      })
      return good ? validPerson(text, now) : undefined
    },
  }
}

/** No two requests have the same text, because JSON says where each part ends. */
const macOf = (key: Buffer, { to, method, path }: CellRequest, claims: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['gapura cell request', to, method, path, claims]))
    .digest()

function validPerson(text: string, now: number): CellPerson | undefined {
  const claims = parseJson(Buffer.from(text, 'base64url').toString())
  if (!isObject(claims)) return undefined
  const { from, owner_id, scopes, expires_at } = claims
  const timely =
    typeof expires_at === 'number' && expires_at > now && expires_at <= now + VALID_MS_MAX
  if (!timely || typeof from !== 'string' || typeof owner_id !== 'string') return undefined
  return Array.isArray(scopes) ? { from, owner_id, scopes: scopes.map(String) } : undefined
}
