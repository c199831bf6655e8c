// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money } from '../values.ts'
import type { PaymentType } from './unions.ts'

export interface ReceivedOnDay {
  /** The day in Jakarta, as 2026-01-31. */
  day: string
  /** The payment method. */
  payment_type: PaymentType
  /** How many payments were paid. */
  count: number
  /** Their sum, in rupiah with two decimals. */
  amount: Money
}
