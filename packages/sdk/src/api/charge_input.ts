// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'
import type { PaymentType } from './unions.ts'

export interface ChargeInput {
  /** The payment method. */
  payment_type: PaymentType
  /** The amount to charge in whole rupiah. */
  gross_amount: AmountInput
  /** Your own order id, never used before; one is made where it is left out. 1 to 50 characters. */
  order_id?: string
  /** The bank: of the virtual account for `bank_transfer`, or of a card. 1 to 20 characters. */
  bank?: string
  /** The card token, for `credit_card`; it is never stored. 1 to 255 characters. */
  token_id?: string
  /** Where the payer's app returns to after the payment. 1 to 500 characters. */
  callback_url?: string
  /** The convenience store, for `cstore`. 1 to 20 characters. */
  store?: string
  /** The acquirer of a QRIS payment; `gopay` by default. */
  qris_acquirer?: 'gopay' | 'airpay' | 'airpay shopee'
  /** Whether a card is captured at once; if not, the amount is authorized. */
  capture?: boolean
  /** Whether the card payer goes through 3-D Secure; yes by default. */
  authentication?: boolean
  /** Whether the gateway keeps the card for later charges. */
  save_token_id?: boolean
  /** Over how many months a card pays. 1 to 60. */
  installment_term?: number
  /** The phone number of the payer's OVO account. 1 to 30 characters. */
  payer_phone_number?: string
  /**
   * The virtual account number you want; the gateway chooses one by default. Fits
   * `^[0-9]{1,18}$`.
   */
  va_number?: string
  /** Only for `gopay`: a linked account, or an authorization. */
  gopay?: Gopay
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
  /** Up to three texts of your own, which the gateway's reports show. At most 3. */
  custom_fields?: string[]
}

export interface Gopay {
  /** The gateway's id of the linked GoPay account. 1 to 255 characters. */
  account_id?: string
  /** The payment option of the linked GoPay account. 1 to 1000 characters. */
  payment_option_token?: string
  /** Whether the amount is reserved only, to be captured later. */
  pre_auth?: boolean
}

export interface CustomerDetails {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
  /** The address of the invoice. */
  billing_address?: Address
  /** The address that the order is sent to. */
  shipping_address?: Address
}

export interface Address {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
  /** Street and number. 1 to 255 characters. */
  address?: string
  /** The city. 1 to 255 characters. */
  city?: string
  /** The postal code. 1 to 255 characters. */
  postal_code?: string
  /** The country, as the three letters of ISO 3166. 1 to 10 characters. */
  country_code?: string
}

export interface ItemDetails {
  /** Your own id of the item. 1 to 50 characters. */
  id?: string
  /** The name of the item, as the payer sees it. 1 to 50 characters. */
  name: string
  /** The price of one in whole rupiah. */
  price: AmountInput
  /** How many are ordered; 1 by default. 1 to 1000000. */
  quantity?: number
  /** The brand of the item. 1 to 50 characters. */
  brand?: string
  /** The category of the item. 1 to 50 characters. */
  category?: string
  /** The merchant who sells the item. 1 to 50 characters. */
  merchant_name?: string
  /** The page of the item in the shop. 1 to 500 characters. */
  url?: string
}

export interface CustomExpiry {
  /** How many units the payer has to pay. 1 to 100000000. */
  expiry_duration: number
  /** The unit of the duration; `minute` by default. */
  unit?: 'second' | 'minute' | 'hour' | 'day'
  /**
   * When the time to pay begins; when the gateway takes the charge by default. Up to 50
   * characters.
   */
  order_time?: string
}
