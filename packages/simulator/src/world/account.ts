interface PaymentOption {
  name: 'GOPAY_WALLET' | 'PAY_LATER'
  balance: number
  token: string
}

/** A customer's GoPay account, linked to the merchant. */
export interface Account {
  account_id: string
  account_status: 'PENDING' | 'ENABLED' | 'EXPIRED' | 'DISABLED'
  reference_id: string
  phone_number: string
  options: PaymentOption[]
  /** Whether a charge must be confirmed by the customer in the app first. */
  verification_required: boolean
}
