// The two signatures of BI-SNAP (gateway-protocol.md#bi-snap): a token for fifteen minutes is bought
// with our private key, and each call is signed with the client secret over the token.
import {
  createHash,
  createHmac,
  createPrivateKey,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto'
import { jakartaStamp } from '../domain/time.ts'
import { Secret } from './secret.ts'

export interface BiSnapSettings {
  client_id: string
  client_secret: Secret | string
  /** PKCS#8 as PEM, with real or escaped line breaks, or the whole of it in base64. */
  private_key: Secret | string
  partner_id: string
  /** Five digits; any will do. */
  channel_id?: string
}

export interface BiSnapCredentials {
  client_id: string
  client_secret: Secret
  private_key: KeyObject
  partner_id: string
  channel_id: string
}

const CHANNEL_ID = '95221'
const HEADER_TEXT = /^[\x21-\x7e]{1,100}$/
const BITS_MIN = 2_048

/** Throws for what would fail later; the error names the setting, never the value. */
export function biSnapCredentials(settings: BiSnapSettings): BiSnapCredentials {
  const { client_id, partner_id, channel_id = CHANNEL_ID } = settings
  const client_secret = secretOf(settings.client_secret)
  const texts = { client_id, partner_id, client_secret: client_secret.reveal() }
  for (const [name, text] of Object.entries(texts)) {
    if (!HEADER_TEXT.test(text)) throw new TypeError(`${name} must be text without white space`)
  }
  if (!/^\d{5}$/.test(channel_id)) throw new TypeError('channel_id must be five digits')
  const private_key = keyOf(secretOf(settings.private_key).reveal())
  return { client_id, client_secret, partner_id, channel_id, private_key }
}

const secretOf = (given: Secret | string): Secret =>
  typeof given === 'string' ? new Secret(given) : given

function keyOf(text: string): KeyObject {
  const escaped = text.replaceAll(String.raw`\n`, '\n').trim()
  const pem = escaped.startsWith('-----') ? escaped : Buffer.from(escaped, 'base64').toString()
  const key = privateKey(pem)
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0
  if (key?.asymmetricKeyType !== 'rsa' || bits < BITS_MIN) {
    throw new TypeError(`private_key must be an RSA key of at least ${BITS_MIN} bits as PEM`)
  }
  return key
}

/** Its own error may quote the text. */
function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

export const tokenSignature = (
  { client_id, private_key }: Pick<BiSnapCredentials, 'client_id' | 'private_key'>,
  timestamp: string,
): string =>
  sign('RSA-SHA256', Buffer.from(`${client_id}|${timestamp}`), private_key).toString('base64')

interface SignedCall {
  method: string
  path: string
  token: string
  /** SHA-256 of the body as it is sent, in lower-case hex. */
  digest: string
  timestamp: string
}

export const callSignature = (
  { method, path, token, digest, timestamp }: SignedCall,
  client_secret: Secret,
): string =>
  createHmac('sha512', client_secret.reveal())
    .update([method, path, token, digest, timestamp].join(':'))
    .digest('base64')

/** `2026-11-15T14:05:00+07:00`: to the second, in Jakarta. */
export const snapTime = (at: Date): string => `${jakartaStamp(at).slice(0, 19)}+07:00`

const BASE = { accept: 'application/json', 'content-type': 'application/json' }

export function tokenHeaders(credentials: BiSnapCredentials): Record<string, string> {
  const timestamp = snapTime(new Date())
  return {
    ...BASE,
    'X-TIMESTAMP': timestamp,
    'X-CLIENT-KEY': credentials.client_id,
    'X-SIGNATURE': tokenSignature(credentials, timestamp),
  }
}

/** Made for each attempt: an external id counts once a day, and a timestamp ages. */
export function callHeaders(
  { client_secret, partner_id, channel_id }: BiSnapCredentials,
  { method, path, body, token }: { method: string; path: string; body: string; token: string },
): Record<string, string> {
  const timestamp = snapTime(new Date())
  const digest = createHash('sha256').update(body).digest('hex')
  return {
    ...BASE,
    authorization: `Bearer ${token}`,
    'X-TIMESTAMP': timestamp,
    'X-SIGNATURE': callSignature({ method, path, token, digest, timestamp }, client_secret),
    'X-PARTNER-ID': partner_id,
    'X-EXTERNAL-ID': randomUUID().replaceAll('-', ''),
    'CHANNEL-ID': channel_id,
    'X-DEVICE-ID': 'gapura',
  }
}
