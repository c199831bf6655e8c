import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secret } from './secret.ts'

/** The signed fields, as the strings that arrived: never a number we formatted again. */
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
  return createHash('sha512')
    .update(order_id + status_code + gross_amount + server_key)
    .digest('hex')
}

const STATUS_CODE = /^\d{3}$/
const AMOUNT = /^\d{1,13}\.\d{2}$/

/**
 * The index of the key that made this signature, or -1. All keys are tried whatever the first one
 * says, and digests are compared in constant time, so the answer's time tells nothing.
 *
 * The fields are joined without separators, so digits could wander from one to the next; fixed
 * forms for code and amount leave only the order id open, and minted ones end in a letter (D-18).
 */
export function verifyingKey(
  fields: SignedFields,
  signature_key: string,
  server_keys: readonly Secret[],
): number {
  if (!STATUS_CODE.test(fields.status_code) || !AMOUNT.test(fields.gross_amount)) return -1
  // Hashing what arrived gives equal lengths; timingSafeEqual throws on different ones.
  const received = createHash('sha256').update(signature_key).digest()
  let found = -1
  for (const [index, key] of server_keys.entries()) {
    const expected = createHash('sha256').update(signNotification(fields, key.reveal())).digest()
    if (timingSafeEqual(received, expected) && found < 0) found = index
  }
  return found
}
