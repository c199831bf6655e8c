// Secrets of endpoints at rest: AES-256-GCM with a key of the configuration. A copy of the database
// alone forges nothing.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { keyBytesOf, type Secret } from '../secret.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/** No key opens it: the configuration lacks the one it was sealed with. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export interface Vault {
  /** `place` is the endpoint: sealed text that was copied to another one does not open there. */
  seal: (place: string, secret: string) => string
  open: (place: string, sealed: string) => string
}

/** Which key sealed a text. Too short to say anything about the key. */
const nameOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

/** The first key seals; every key opens, so that a key can be changed. */
export function openVault(keys: readonly Secret[]): Vault {
  const bytes = keyBytesOf(keys)
  const [current] = bytes
  return {
    seal: (place, secret) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const all = Buffer.concat([nonce, cipher.getAuthTag(), sealed])
      return `${nameOf(current)}.${all.toString('base64url')}`
    },
    open: (place, sealed) => {
      const [name, text = ''] = sealed.split('.')
      const key = bytes.find((one) => nameOf(one) === name)
      if (key === undefined) throw new SealBroken('no key of the configuration opens it')
      const all = Buffer.from(text, 'base64url')
      try {
        const nonce = all.subarray(0, NONCE_BYTES)
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(place))
          .setAuthTag(all.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const opened = decipher.update(all.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SealBroken('it was changed, or belongs to another endpoint', { cause })
      }
    },
  }
}
