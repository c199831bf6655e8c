import type { Tx } from '../../src/store/connection/transaction.ts'

/** Rows of the data that the cases ask for. */
export interface Landmarks {
  id: string
  order_id: string
  transaction_id: string
  va_number: string
  bill_key: string
  payment_code: string
  customer_email: string
  subscription_id: string
  invoice_id: string
  checkout_id: string
  middle: Date
}

export interface PlanCase {
  query: string
  /** One of these is used. */
  indexes: readonly string[]
  /** It also writes, into every index of the row. */
  writes?: true
  /** Rows that it may read and sort by design; by default few. */
  reads_max?: number
  run: (tx: Tx) => Promise<unknown>
}
