import { createHash } from 'node:crypto'

interface Signed {
  order_id: string
  status_code: string
  gross_amount: string
}

/** Wire 5.3: SHA-512, lower-case hex, over the strings exactly as they appear in the payload. */
export const signNotification = (
  { order_id, status_code, gross_amount }: Signed,
  server_key: string,
): string =>
  createHash('sha512').update(`${order_id}${status_code}${gross_amount}${server_key}`).digest('hex')
