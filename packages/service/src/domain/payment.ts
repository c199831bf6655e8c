import type { Money } from './money.ts'
import { paid, type FraudStatus, type PaymentStatus } from './payment_status.ts'
import type { PaymentType } from './payment_type.ts'

/** Free JSON of the caller's; kept and echoed, never read. */
export type Metadata = Readonly<Record<string, unknown>>

/** What the payer needs in order to pay, as the gateway gave it at the charge and never again. */
export interface PayerAction {
  name: string
  method: string
  url: string
}

/** The gateway's protocol families. Each payment is asked about in the one that charged it. */
export const API_FAMILIES = ['classic', 'snap'] as const

export type ApiFamily = (typeof API_FAMILIES)[number]

/** The local record of one charge (api-rules.md#payments). */
export interface GatewayPayment {
  id: string
  owner_id: string
  order_id: string
  transaction_id: string | null
  api_family: ApiFamily
  /**
   * Another payment may have its order id: the gateway refused the charge and has no such order, or it
   * is a further transaction of a checkout's order (ADR 0030).
   */
  refused: boolean
  payment_type: PaymentType
  bank: string | null
  store: string | null
  acquirer: string | null
  issuer: string | null
  masked_card: string | null
  gross_amount: Money
  currency: string
  transaction_status: PaymentStatus
  fraud_status: FraudStatus | null
  status_code: string | null
  status_message: string | null
  authorized_amount: Money
  captured_amount: Money
  refunded_amount: Money
  refund_reserved_amount: Money
  /** What the ledger has of it (ADR 0031). */
  booked_received: Money
  booked_refunded: Money
  booked_charged_back: Money
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  va_number: string | null
  bill_key: string | null
  biller_code: string | null
  payment_code: string | null
  redirect_url: string | null
  deeplink_url: string | null
  qr_string: string | null
  actions: readonly PayerAction[]
  metadata: Metadata
  custom_field1: string | null
  custom_field2: string | null
  custom_field3: string | null
  transaction_time: Date | null
  settlement_time: Date | null
  expiry_time: Date | null
  paid_at: Date | null
  /** Grows by one with every transition; an answer to a query about an older version is dropped. */
  version: number
  next_check_at: Date | null
  check_attempts: number
  /** Since when a report waits for an answer of the gateway that settles it; null if none does. */
  deferred_since: Date | null
  subscription_id: string | null
  invoice_id: string | null
  /** The page on which the payer chose it. */
  checkout_id: string | null
  created_at: Date
  updated_at: Date
}

export interface GatewayPaymentItem {
  id: string
  payment_id: string
  owner_id: string
  /** Its place in the charge, from 0: the order the caller gave. */
  position: number
  item_id: string | null
  name: string
  price: Money
  quantity: number
  brand: string | null
  category: string | null
  merchant_name: string | null
  url: string | null
}

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const

export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** `gateway`: made on the gateway's dashboard or by another system, found in a report. */
export const REFUND_SOURCES = ['service', 'gateway', 'outside'] as const

export type RefundSource = (typeof REFUND_SOURCES)[number]

export interface GatewayRefund {
  id: string
  payment_id: string
  owner_id: string
  /** Made once, before the first call, and never changed: the same key cannot pay back twice. */
  refund_key: string
  amount: Money
  reason: string
  is_direct: boolean
  status: RefundStatus
  source: RefundSource
  status_code: string | null
  status_message: string | null
  confirmed_at: Date | null
  created_at: Date
  updated_at: Date
  /** Of a refund outside the gateway: the number of the transfer, and what else proves it. */
  reference: string | null
  evidence: string | null
}

/**
 * Whether another payment of the same checkout has its order id: the payer chose again, and the
 * gateway's transaction id alone distinguishes them (ADR 0030).
 */
export const isFurtherAttempt = ({
  refused,
  checkout_id,
}: Pick<GatewayPayment, 'refused' | 'checkout_id'>): boolean => refused && checkout_id !== null

type StatusFacts = Pick<GatewayPayment, 'transaction_status' | 'fraud_status'>

export const isPaid = ({ transaction_status, fraud_status }: StatusFacts): boolean =>
  paid(transaction_status, fraud_status)

const FAILED: ReadonlySet<PaymentStatus> = new Set(['deny', 'cancel', 'expire', 'failure'])

export const isFailed = ({ transaction_status, fraud_status }: StatusFacts): boolean =>
  FAILED.has(transaction_status) || (transaction_status === 'capture' && fraud_status === 'deny')

/** Past its time by our clock. A hint for pages only: the gateway alone expires a payment. */
export const isExpired = (
  { transaction_status, expiry_time }: Pick<GatewayPayment, 'transaction_status' | 'expiry_time'>,
  now: Date,
): boolean =>
  transaction_status === 'expire' ||
  (transaction_status === 'pending' && expiry_time !== null && expiry_time < now)

type MoneyFacts = StatusFacts & Pick<GatewayPayment, 'captured_amount' | 'refunded_amount'>

/**
 * What the payer's bank took back. Null after a partial chargeback: the gateway does not report its
 * amount (gateway-protocol.md#transaction-statuses).
 */
export function chargedBackAmount(payment: MoneyFacts): Money | null {
  const { transaction_status, captured_amount, refunded_amount } = payment
  if (transaction_status === 'partial_chargeback') return null
  return transaction_status === 'chargeback' ? captured_amount - refunded_amount : 0n
}

/**
 * What the merchant has of it: captured, less refunded, less charged back. Nothing while it is not
 * paid, so that it agrees with `is_paid`. A partial chargeback of unknown amount is not subtracted.
 */
export const netAmount = (payment: MoneyFacts): Money =>
  isPaid(payment)
    ? payment.captured_amount - payment.refunded_amount - (chargedBackAmount(payment) ?? 0n)
    : 0n
