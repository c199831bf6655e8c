// Signatures of Standard Webhooks 1.0: `v1` by HMAC-SHA256, `v1a` by Ed25519.
import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'

const SECRET_BYTES = 32
const SECRET_MARK = 'whsec_'
const PRIVATE_MARK = 'whsk_'
const PUBLIC_MARK = 'whpk_'

export const newSecret = (): string =>
  `${SECRET_MARK}${randomBytes(SECRET_BYTES).toString('base64')}`

export interface SigningKeys {
  private_key: string
  public_key: string
}

/** The last bytes of either encoding are the key itself. */
const KEY_BYTES = 32

export function newSigningKeys(): SigningKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-KEY_BYTES)
  const open = publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES)
  return {
    private_key: `${PRIVATE_MARK}${seed.toString('base64')}`,
    public_key: `${PUBLIC_MARK}${open.toString('base64')}`,
  }
}

/** What stands before the key in PKCS #8 of Ed25519 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(text.slice(PRIVATE_MARK.length), 'base64')]),
    format: 'der',
    type: 'pkcs8',
  })

export interface Signers {
  /** The current secret, and the former one while both are valid. */
  secrets: readonly string[]
  private_key?: string | undefined
}

export interface SignedMessage {
  id: string
  /** Unix seconds of this attempt: a receiver refuses what is older than minutes. */
  timestamp: number
  body: string
}

export type SignedHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
export type Sign = (message: SignedMessage) => SignedHeaders

/** Signs any number of messages: the keys are prepared once. */
export function signerOf({ secrets, private_key }: Signers): Sign {
  const keys = secrets.map((secret) =>
    createSecretKey(Buffer.from(secret.slice(SECRET_MARK.length), 'base64')),
  )
  const pair = private_key === undefined ? undefined : privateKeyOf(private_key)
  return ({ id, timestamp, body }) => {
    const signed = `${id}.${timestamp}.${body}`
    const signatures = keys.map(
      (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    if (pair !== undefined) {
      signatures.push(`v1a,${sign(null, Buffer.from(signed), pair).toString('base64')}`)
    }
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    }
  }
}
