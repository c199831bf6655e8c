// One hostile input: the bytes as they go onto the wire, and what is wrong with them.

export const CATEGORIES = [
  'money',
  'json',
  'text',
  'schema',
  'webhook',
  'wire',
  'caller',
  'chain',
  'gateway',
] as const

export type Category = (typeof CATEGORIES)[number]

export interface HostileInput {
  category: Category
  /** The name of the trick, for counts and findings. */
  name: string
  bytes: Buffer
  /** What makes it invalid, so that a 2xx is a fault; null where it may be accepted. */
  invalid: string | null
  /** On a connection of its own: the server may close it, or wait for more. */
  alone?: boolean
  /** On a connection of its own, which may be closed without an answer. */
  silence_allowed?: boolean
}

export interface Wanted {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** A caller's key; empty for none. */
  key?: string
}

/** A well-formed request as bytes; the body may be anything. */
export function render({ method = 'POST', path, headers = {}, body, key = '' }: Wanted): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (key !== '' && !given.has('authorization')) lines.push(`authorization: Bearer ${key}`)
  if (body !== undefined && !given.has('content-type')) lines.push('content-type: application/json')
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined && !given.has('transfer-encoding') && !given.has('content-length'))
    lines.push(`content-length: ${Buffer.byteLength(body)}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body === undefined ? head : Buffer.concat([head, Buffer.from(body)])
}

/** What generators may use of the system under test. */
export interface World {
  /** Keys of three owners, and of staff; all with every scope. */
  keys: readonly string[]
  staff_key: string
  /** The key of an honest owner. */
  honest_key: string
  server_key: string
  jwt: { secret: string; issuer: string; audience: string }
  /** Payments of the first owner, in any status. */
  payments: readonly KnownPayment[]
}

export interface KnownPayment {
  id: string
  order_id: string
  transaction_id: string
  gross_amount: string
}
