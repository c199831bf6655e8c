import type { Fields } from '../wire/fields.ts'

/** gateway-protocol.md#transaction-statuses. */
export type TransactionStatus =
  | 'pending'
  | 'authorize'
  | 'capture'
  | 'settlement'
  | 'deny'
  | 'cancel'
  | 'expire'
  | 'failure'
  | 'refund'
  | 'partial_refund'
  | 'chargeback'
  | 'partial_chargeback'

/** gateway-protocol.md#fraud-statuses; absent for some methods, which means nothing is wrong. */
export type FraudStatus = 'accept' | 'challenge' | 'deny'

/** One refund; the gateway numbers them together with chargebacks. */
export interface Refund {
  refund_chargeback_id: number
  refund_chargeback_uuid: string
  refund_key: string
  amount: number
  reason: string
  refund_method: 'online' | 'offline'
  created_at: number
  bank_confirmed_at?: number
}

/** What a transaction has moved so far, in whole rupiah. Only `moveMoney` writes these. */
interface Purse {
  held: number
  captured: number
  settled: number
  refunded: number
  reversed: number
  charged_back: number
  fee: number
}

/** A change of state, and after which entry of the ledger it came. */
export interface HistoryStep {
  at: number
  after_sequence: number
  status: TransactionStatus
  fraud_status?: FraudStatus
  cause: string
}

/** One attempt to pay one order. An order can have several, one after the other. */
export interface Transaction {
  transaction_id: string
  order_id: string
  payment_type: string
  /** bca … for bank_transfer, indomaret or alfamart for cstore, the acquirer for cards and QRIS. */
  channel: string | undefined
  charged_amount: number
  /** What replies report: the captured part after a partial capture, raised by a customer's fee. */
  gross_amount: number
  status: TransactionStatus
  fraud_status: FraudStatus | undefined
  created_at: number
  expires_at: number | undefined
  settled_at: number | undefined
  /** Fields that stay with the transaction: in the charge reply, status and notifications. */
  details: Fields
  /** Fields of the charge reply alone; the gateway does not show a QR code or deeplink twice. */
  instructions: Fields
  custom: Fields
  refunds: Refund[]
  /** First attempt of every refund key, and whether it succeeded (gateway-protocol.md#refunds). */
  refund_keys: Map<string, { first_attempt_at: number; succeeded: boolean }>
  refuse_next: Set<'capture' | 'direct_refund'>
  purse: Purse
  history: HistoryStep[]
  override_urls: string[] | undefined
  append_urls: string[]
  origin: 'charge' | 'subscription' | 'invoice' | 'checkout'
  subscription_id?: string
  invoice_id?: string
  checkout_token?: string
  account_id?: string
  /** The sandbox card's behaviour after 3DS, decided when the token was read. */
  card?: CardBehaviour
  /** What an approved card adds to the details once 3-D Secure was passed: its saved token. */
  afterApproval?: () => Fields
  authorize_only?: boolean
}

/** What a sandbox card always does (gateway-protocol.md#sandbox-data). */
export type CardBehaviour =
  | 'accept'
  | 'bank_deny'
  | 'fraud_deny'
  | 'insufficient_funds'
  | 'not_enrolled'
  | 'late_accept'
  | 'challenge'

const FREES_ORDER = new Set<TransactionStatus>(['cancel', 'expire', 'deny', 'failure'])

/** Whether its order id may be used again (gateway-protocol.md#status-codes). */
export const freesOrder = ({ status }: Transaction): boolean => FREES_ORDER.has(status)

/** Whether the payer paid: money was held or captured, whatever happened to it later. */
export const isPaid = (transaction: Transaction): boolean =>
  transaction.status !== 'pending' && !freesOrder(transaction)
