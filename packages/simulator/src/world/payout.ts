type PayoutStatus = 'REQUESTED' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'

/** A withdrawal of the merchant's balance to its bank account, in hundredths of a rupiah. */
export interface Payout {
  id: string
  /** What the bank's statement shows of it. */
  bank_reference: string
  amount: number
  status: PayoutStatus
  requested_at: number
  updated_at: number
  succeeded_at?: number
  failed_at?: number
  cancelled_at?: number
}
