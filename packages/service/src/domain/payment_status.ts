/** The gateway's twelve words and our own first one: written down, not yet answered (ADR 0001). */
export const PAYMENT_STATUSES = [
  'initiated',
  'pending',
  'authorize',
  'capture',
  'settlement',
  'deny',
  'cancel',
  'expire',
  'failure',
  'partial_refund',
  'refund',
  'partial_chargeback',
  'chargeback',
] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** What the gateway can say; `initiated` is ours alone. */
export type ReportedStatus = Exclude<PaymentStatus, 'initiated'>

export const REPORTED_STATUSES: readonly ReportedStatus[] = PAYMENT_STATUSES.filter(
  (status) => status !== 'initiated',
)

export const FRAUD_STATUSES = ['accept', 'challenge', 'deny'] as const

export type FraudStatus = (typeof FRAUD_STATUSES)[number]

/** A known status in any case (DANA uses capitals), or undefined: then there is no transition. */
export function parseReportedStatus(word: unknown): ReportedStatus | undefined {
  if (typeof word !== 'string') return undefined
  const lower = word.toLowerCase()
  return REPORTED_STATUSES.find((status) => status === lower)
}

/**
 * Absent is fine and stays absent. OVO spells `denied`, some pages print capitals. Any other word
 * is one we do not know, and what is not known to be accepted is in review, never paid.
 */
export function parseFraudStatus(word: unknown): FraudStatus | undefined {
  if (word === undefined || word === null || word === '') return undefined
  const lower = typeof word === 'string' ? word.toLowerCase() : ''
  if (lower === 'denied') return 'deny'
  return FRAUD_STATUSES.find((status) => status === lower) ?? 'challenge'
}

/** Whether a fraud status, absent or not, is one this version knows. */
export const isKnownFraud = (word: unknown): boolean =>
  parseFraudStatus(word) !== 'challenge' || String(word).toLowerCase() === 'challenge'

const HOLDS_MONEY: ReadonlySet<PaymentStatus> = new Set([
  'capture',
  'settlement',
  'partial_refund',
  'partial_chargeback',
])

const isAccepted = (fraud: FraudStatus | null): boolean => fraud === null || fraud === 'accept'

/**
 * Whether the merchant has the payer's money, in whole or in part. The one definition: `paid_at`,
 * `is_paid` and `payment_settled` all ask here. A challenged capture is in review, not paid.
 */
export const paid = (status: PaymentStatus, fraud: FraudStatus | null): boolean =>
  HOLDS_MONEY.has(status) && isAccepted(fraud)

/** Whether the payer's money came and was not reversed, even if it was paid back since. */
export const hasMoney = (status: PaymentStatus, fraud: FraudStatus | null): boolean =>
  paid(status, fraud) || (isAccepted(fraud) && (status === 'refund' || status === 'chargeback'))

/**
 * The `status_code` each status is reported with (gateway-protocol.md#codes-in-notifications);
 * another pairing is asked about first.
 */
export function statusCodeFits(code: string, status: ReportedStatus, fraud: FraudStatus | null) {
  switch (status) {
    case 'pending':
      return code === '201'
    case 'capture':
      if (fraud === 'challenge') return code === '201'
      return fraud === 'deny' ? code === '202' : code === '200'
    case 'authorize':
      return code === '200' || (fraud === 'challenge' && code === '201')
    case 'deny':
    case 'cancel':
    case 'failure':
      return code === '202'
    case 'expire':
      return code === '202' || code === '407'
    default:
      return code === '200'
  }
}
