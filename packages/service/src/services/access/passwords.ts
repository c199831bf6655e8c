// Passwords by scrypt and one-time codes by RFC 6238, both of node:crypto.
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MiB and about 100 ms each, as OWASP names it: N 2^15, r 8, p 3. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32
const SALT_BYTES = 16

const derived = async (password: string, salt: Buffer): Promise<Buffer> =>
  await new Promise((resolve, reject) => {
    // Two spellings of the same text, composed or not, are one password.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

/** With its parameters, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derived(password, salt)
  const parameters = `scrypt-${COST.N}-${COST.r}-${COST.p}`
  return [parameters, salt.toString('base64url'), key.toString('base64url')].join('.')
}

/** Compared with where there is no account, so that the work is the same. No password fits. */
const NO_ACCOUNT = `scrypt.${'A'.repeat(22)}.${'A'.repeat(43)}`

export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt = '', key = ''] = (stored ?? NO_ACCOUNT).split('.')
  const given = await derived(password, Buffer.from(salt, 'base64url'))
  return timingSafeEqual(given, Buffer.from(key, 'base64url')) && stored !== null
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const TOTP_BYTES = 20
const STEP_S = 30
const DIGITS = 6
/** Codes of one step before and after are accepted: clocks differ. */
const STEPS_AROUND = [-1, 0, 1]

/** A new secret in base32, as apps for codes take it. */
export const newTotpSecret = (): string =>
  Array.from(randomBytes(TOTP_BYTES * 2), (byte) => BASE32[byte % BASE32.length])
    .slice(0, (TOTP_BYTES * 8) / 5)
    .join('')

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/[01]{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** The code of a time step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export const totpStepAt = (time: Date): number => Math.floor(time.getTime() / 1_000 / STEP_S)

/** The time step that the code belongs to, or undefined. Every candidate is compared. */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  const given = Buffer.from(code.padEnd(DIGITS).slice(0, DIGITS))
  const steps = STEPS_AROUND.map((offset) => totpStepAt(now) + offset)
  const fits = steps.map((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), given))
  return steps[fits.indexOf(true)]
}

/** What an app for codes reads from the QR code. */
export const totpUri = (secret: string, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`Gapura:${email}`)}?secret=${secret}&issuer=Gapura`
