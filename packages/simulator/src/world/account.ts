export interface PaymentOption {
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
  /** Whether the wallet refuses the next unbinding. */
  refuse_unbind: boolean
}

const OPENING_BALANCES = [
  ['GOPAY_WALLET', 1_000_000],
  ['PAY_LATER', 350_000],
] as const

/** The payment options of a freshly linked account. */
export const openingOptions = (drawToken: () => string): PaymentOption[] =>
  OPENING_BALANCES.map(([name, balance]) => ({ name, balance, token: drawToken() }))
