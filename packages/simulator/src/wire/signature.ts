import { createHash } from 'node:crypto'

interface Signed {
  order_id: string
  status_code: string
  gross_amount: string
}

/**
 * SHA-512, lower-case hex, over the strings exactly as they appear in the payload
 * (gateway-protocol.md#signature).
 */
export const signNotification = (
  { order_id, status_code, gross_amount }: Signed,
  server_key: string,
): string =>
  createHash('sha512').update(`${order_id}${status_code}${gross_amount}${server_key}`).digest('hex')

/** The formula for pay-account notifications is not published; this one is our own. */
export const signAccount = (
  { account_id, status_code }: { account_id: string; status_code: string },
  server_key: string,
): string => createHash('sha512').update(`${account_id}${status_code}${server_key}`).digest('hex')
