import { hash, timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.ts'

/** The signed fields, as the strings that arrived: never a number that was formatted again. */
export interface SignedFields {
  order_id: string
  status_code: string
  gross_amount: string
}

/**
 * The gateway's signature of these fields. For tests and the simulator of a merchant's own
 * webhook handler; the service itself only verifies.
 */
export function signNotification(fields: SignedFields, server_key: string): string {
  const { order_id, status_code, gross_amount } = fields
  return hash('sha512', order_id + status_code + gross_amount + server_key)
}

/** 512 bits, in hexadecimal digits. */
const SIGNATURE_LENGTH = 128
const STATUS_CODE = /^\d{3}$/
const AMOUNT = /^(?:0|[1-9]\d{0,12})\.\d{2}$/

/**
 * The index of the key that made this signature, or -1. All keys are tried in any case, and digests
 * are compared in constant time, so the duration reveals nothing.
 *
 * The fields are joined without separators, so digits could move from one to the next; fixed forms
 * for code and amount leave only the order id open, and generated ones end in a letter (ADR 0003).
 */
export function verifyingKey(
  fields: SignedFields,
  signature_key: string,
  server_keys: readonly Secret[],
): number {
  if (!STATUS_CODE.test(fields.status_code) || !AMOUNT.test(fields.gross_amount)) return -1
  const received = Buffer.from(signature_key)
  // The length of a signature is no secret, and timingSafeEqual throws on different lengths.
  if (received.length !== SIGNATURE_LENGTH) return -1
  let found = -1
  for (const [index, key] of server_keys.entries()) {
    const expected = Buffer.from(signNotification(fields, key.reveal()))
    if (timingSafeEqual(received, expected) && found < 0) found = index
  }
  return found
}

/** The codes of reports that can change a payment (gateway-protocol.md#codes-in-notifications). */
const MOVING_CODES: ReadonlySet<string> = new Set(['200', '201', '202', '407'])

/** The other reports that the same signed characters could be, split at other places. */
export function otherReadings({
  order_id,
  status_code,
  gross_amount,
}: SignedFields): SignedFields[] {
  const text = `${order_id}${status_code}${gross_amount}`
  const from = order_id.length - (/\d*$/.exec(order_id)?.[0].length ?? 0)
  const readings: SignedFields[] = []
  for (let at = from; at < text.length - status_code.length; at++) {
    const reading = {
      order_id: text.slice(0, at),
      status_code: text.slice(at, at + 3),
      gross_amount: text.slice(at + 3),
    }
    const possible = MOVING_CODES.has(reading.status_code) && AMOUNT.test(reading.gross_amount)
    if (possible && reading.order_id !== order_id && reading.order_id !== '') readings.push(reading)
  }
  return readings
}
