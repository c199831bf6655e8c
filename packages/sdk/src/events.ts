// Events as the service sends them to your endpoint, in the Standard Webhooks format, version
// 1. Headers webhook-id, webhook-timestamp (Unix seconds) and webhook-signature, a list of
// `v1,<base64>`; signed is `<id>.<timestamp>.<body>` with HMAC-SHA256 and the bytes of the secret,
// which is written `whsec_<base64>`. The body is JSON: type, timestamp, data.
import { isObject, isText, parseJson } from './json.ts'
import type { CheckoutRecord, Invoice, Payment, Refund, Subscription } from './api/model.ts'
import type { Timestamp, Uuid } from './values.ts'

/** Every event type. A test compares the list with the service's signals. */
export const EVENT_TYPES = [
  'payment_received',
  'payment_settled',
  'payment_denied',
  'payment_cancelled',
  'payment_expired',
  'payment_refunded',
  'payment_failed',
  'payment_charged_back',
  'invoice_created',
  'invoice_paid',
  'invoice_voided',
  'subscription_created',
  'subscription_charged',
  'subscription_disabled',
  'subscription_cancelled',
  'checkout_created',
  'checkout_completed',
  'checkout_expired',
  'checkout_cancelled',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export interface GapuraEvent {
  /** From `webhook-id`: the same on every delivery of the same event. Deduplicate by it. */
  id: string
  /** A newer service may send types that this release does not know; ignore them. */
  type: EventType | (string & Record<never, never>)
  timestamp: Timestamp
  /** For a known type as in `EventData`; `isEvent` narrows it. */
  data: Readonly<Record<string, unknown>>
}

/** The object that an event of this type is about. */
export type EventObject<Type extends EventType> = Type extends `payment_${string}`
  ? Payment
  : Type extends `invoice_${string}`
    ? Invoice
    : Type extends `checkout_${string}`
      ? CheckoutRecord
      : Subscription

/** The data of an event: the same fields as a subscriber gets in process. */
export interface EventData<Type extends EventType = EventType> {
  /** The id of the event, as in `webhook-id`. */
  id: Uuid
  /** As the API returns it, at the moment of the event. */
  object: EventObject<Type>
  /** Counts the events of this object from 1, without gaps. */
  sequence: number
  previous_status: string | null
  source: string
  notification_id?: Uuid
  /** The refund that a `payment_refunded` is about. */
  refund?: Refund
}

/** An event of one of these types, with the type of its object. */
export type EventOf<Type extends EventType> = Omit<GapuraEvent, 'type' | 'data'> & {
  type: Type
  data: EventData<Type>
}

/** Whether an event is of one of these types; a type unknown to this release never is. */
export const isEvent = <const Type extends EventType>(
  event: { type: string; timestamp: Timestamp; data: object },
  ...types: readonly Type[]
): event is EventOf<Type> => types.some((type) => type === event.type)

export type EventFault =
  | 'secret_invalid'
  | 'header_missing'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'body_invalid'

/** Do not process the delivery; reply 400. Contains neither the secret nor the body. */
export class GapuraEventError extends Error {
  override readonly name = 'GapuraEventError'
  readonly code: EventFault

  constructor(code: EventFault, advice: string) {
    super(`${code}: ${advice}`)
    this.code = code
  }
}

/** `Headers` of a fetch request, or the plain object of Node. */
export type EventHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignedHeaders extends Record<string, string> {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

const TOLERANCE_S = 300
const SIGNATURES_MAX = 10
/** Minimum of Standard Webhooks: a shorter secret can be guessed. */
const SECRET_BYTES_MIN = 24

/**
 * Returns the event of a delivery if one of the secrets signed this body recently. Pass the body as
 * received: a parsed and serialised body has another signature.
 */
export async function verifyEvent(delivery: {
  body: string | Uint8Array
  headers: EventHeaders
  /** Several while a secret is being changed. */
  secrets: string | readonly string[]
  /** Allowed difference of clocks and delay of a delivery, in seconds (default 300). */
  toleranceS?: number
  now?: Date
}): Promise<GapuraEvent> {
  const { body, headers, secrets, toleranceS = TOLERANCE_S, now = new Date() } = delivery
  const id = headerOf(headers, 'webhook-id')
  const sent_at = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const off_s = Math.abs(now.getTime() / 1_000 - Number(sent_at))
  if (!/^\d{1,12}$/.test(sent_at) || off_s > toleranceS) {
    throw new GapuraEventError('timestamp_out_of_tolerance', 'Check the clocks, or it is a replay.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = bytesOf(id, sent_at, body)
  const given = signatures.split(' ').slice(0, SIGNATURES_MAX).map(signatureOf)
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, 'verify')
    for (const signature of given) {
      // Compared by the platform, in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) {
        return eventOf(id, text)
      }
    }
  }
  throw new GapuraEventError(
    'signature_mismatch',
    'Check the secret, and pass the body as it came.',
  )
}

/** Signs as the service does: for the tests of your endpoint. */
export async function signEvent(event: {
  id: string
  body: string | Uint8Array
  /** Several while a secret is being changed; each signs. */
  secrets: string | readonly string[]
  now?: Date
}): Promise<SignedHeaders> {
  const sent_at = String(Math.floor((event.now ?? new Date()).getTime() / 1_000))
  const signed = bytesOf(event.id, sent_at, event.body)
  const signatures: string[] = []
  for (const secret of [event.secrets].flat()) {
    const signature = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signed)
    signatures.push(`v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`)
  }
  return {
    'webhook-id': event.id,
    'webhook-timestamp': sent_at,
    'webhook-signature': signatures.join(' '),
  }
}

/** Refuses a missing header and one that occurs more than once. */
function headerOf(headers: EventHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  if (typeof found === 'string' && found !== '') return found
  throw new GapuraEventError('header_missing', `Pass the header ${name}, once.`)
}

/** The bytes that are signed; the body is never decoded on the way. */
function bytesOf(id: string, sent_at: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const head = encoder.encode(`${id}.${sent_at}.`)
  const tail = typeof body === 'string' ? encoder.encode(body) : body
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

async function keyOf(secret: string, use: 'sign' | 'verify') {
  const bytes = base64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length < SECRET_BYTES_MIN) {
    throw new GapuraEventError(
      'secret_invalid',
      'A secret is whsec_ and 24 or more bytes in base64.',
    )
  }
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    use,
  ])
}

const signatureOf = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.startsWith('v1,') ? base64(text.slice(3)) : undefined

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function eventOf(id: string, text: string): GapuraEvent {
  const event = parseJson(text)
  if (isObject(event)) {
    const { type, timestamp, data } = event
    if (isText(type) && isText(timestamp) && isObject(data)) return { id, type, timestamp, data }
  }
  throw new GapuraEventError('body_invalid', 'It is signed, but has no type, timestamp and data.')
}
