import { DAY_MS, HOUR_MS, MINUTE_MS, wibTimeOfDay } from '../wire/times.ts'
import type { Transaction } from '../world/transaction.ts'

interface RefundRule {
  partial: boolean
  window_ms: number
  direct: (transaction: Transaction) => boolean
}

const always = (): boolean => true
const never = (): boolean => false
const DIRECT_BANKS = new Set(['bca', 'maybank', 'bni', 'bri'])

/**
 * gateway-protocol.md#refunds. A method without a rule (virtual accounts, bills, stores) is never
 * refunded.
 */
const RULES: Record<string, RefundRule> = {
  credit_card: {
    partial: true,
    window_ms: 180 * DAY_MS,
    direct: ({ channel }) => DIRECT_BANKS.has(channel ?? ''),
  },
  gopay: { partial: true, window_ms: 45 * DAY_MS, direct: always },
  'gopay:tokenized': { partial: true, window_ms: 180 * DAY_MS, direct: always },
  qris: { partial: true, window_ms: 45 * DAY_MS, direct: always },
  'qris:off-us': { partial: true, window_ms: 7 * DAY_MS, direct: always },
  'qris:airpay shopee': { partial: true, window_ms: 365 * DAY_MS, direct: always },
  shopeepay: { partial: false, window_ms: 365 * DAY_MS, direct: always },
  dana: { partial: true, window_ms: 45 * DAY_MS, direct: never },
  ovo: { partial: false, window_ms: 7 * DAY_MS, direct: never },
  akulaku: { partial: true, window_ms: 180 * DAY_MS, direct: always },
  kredivo: { partial: true, window_ms: 14 * DAY_MS, direct: always },
}

/** The rule for a transaction as it was paid; nothing where nothing can be refunded. */
export function refundRuleOf(transaction: Transaction): RefundRule | undefined {
  const { payment_type, account_id, channel, details } = transaction
  if (payment_type === 'gopay' && account_id !== undefined) return RULES['gopay:tokenized']
  if (payment_type === 'qris' && channel === 'airpay shopee') return RULES['qris:airpay shopee']
  if (payment_type === 'qris' && details['transaction_type'] === 'off-us')
    return RULES['qris:off-us']
  return RULES[payment_type]
}

const CLOSES_MS = 23 * HOUR_MS + 55 * MINUTE_MS
const OPENS_MS = 6 * HOUR_MS

/** ShopeePay refunds nothing between 23:55 and 06:00 in Jakarta. */
export function isShopeepayNight(payment_type: string, now: number): boolean {
  const time = wibTimeOfDay(now)
  return payment_type === 'shopeepay' && (time >= CLOSES_MS || time < OPENS_MS)
}
