import type { Reply } from '../http/reply.ts'
import type { Fields } from '../wire/fields.ts'
import type { CardBehaviour, FraudStatus, TransactionStatus } from '../world/transaction.ts'

/** How a payment method opens a transaction. */
export interface Opening {
  status: TransactionStatus
  status_message: string
  fraud_status?: FraudStatus | undefined
  channel?: string | undefined
  details?: Fields
  /** Built with the transaction's id, because links carry it. */
  instructions?: (transaction_id: string) => Fields
  expires_at?: number | undefined
  /** Numbers by which a payer reaches the transaction. */
  number?: string
  card?: CardBehaviour
  /** What an approved card adds to the details once 3-D Secure was passed: its saved token. */
  afterApproval?: () => Fields
  authorize_only?: boolean
  account_id?: string
}

/** A method either opens a transaction or refuses with a finished reply or validation messages. */
export type Outcome = Opening | { refusal: Reply } | { messages: string[] }
