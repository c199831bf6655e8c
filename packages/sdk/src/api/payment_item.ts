// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Uuid } from '../values.ts'

export interface PaymentItem {
  id: Uuid
  item_id: string | null
  name: string
  price: Money
  quantity: number
  brand: string | null
  category: string | null
  merchant_name: string | null
  url: string | null
  subtotal: Money
}
