// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'
import type { PaymentType } from './unions.ts'

export interface ChargeInput {
  payment_type: PaymentType
  gross_amount: AmountInput
  /** 1 to 50 characters. */
  order_id?: string
  /** 1 to 20 characters. */
  bank?: string
  /** 1 to 255 characters. */
  token_id?: string
  /** 1 to 500 characters. */
  callback_url?: string
  /** 1 to 20 characters. */
  store?: string
  qris_acquirer?: 'gopay' | 'airpay' | 'airpay shopee'
  capture?: boolean
  authentication?: boolean
  save_token_id?: boolean
  /** 1 to 60. */
  installment_term?: number
  /** 1 to 30 characters. */
  payer_phone_number?: string
  /** Fits `^[0-9]{1,18}$`. */
  va_number?: string
  gopay?: Gopay
  customer_details?: CustomerDetails
  /** At most 200. */
  item_details?: ItemDetails[]
  custom_expiry?: CustomExpiry
  metadata?: Record<string, unknown>
  /** At most 3. */
  custom_fields?: string[]
}

export interface Gopay {
  /** 1 to 255 characters. */
  account_id?: string
  /** 1 to 1000 characters. */
  payment_option_token?: string
  pre_auth?: boolean
}

export interface CustomerDetails {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
  billing_address?: Address
  shipping_address?: Address
}

export interface Address {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
  /** 1 to 255 characters. */
  address?: string
  /** 1 to 255 characters. */
  city?: string
  /** 1 to 255 characters. */
  postal_code?: string
  /** 1 to 10 characters. */
  country_code?: string
}

export interface ItemDetails {
  /** 1 to 50 characters. */
  id?: string
  /** 1 to 50 characters. */
  name: string
  price: AmountInput
  /** 1 to 1000000. */
  quantity?: number
  /** 1 to 50 characters. */
  brand?: string
  /** 1 to 50 characters. */
  category?: string
  /** 1 to 50 characters. */
  merchant_name?: string
  /** 1 to 500 characters. */
  url?: string
}

export interface CustomExpiry {
  /** 1 to 100000000. */
  expiry_duration: number
  unit?: 'second' | 'minute' | 'hour' | 'day'
  /** Up to 50 characters. */
  order_time?: string
}
