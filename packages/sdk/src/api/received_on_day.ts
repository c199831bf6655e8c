// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money } from '../values.ts'
import type { PaymentType } from './unions.ts'

export interface ReceivedOnDay {
  day: string
  payment_type: PaymentType
  count: number
  amount: Money
}
