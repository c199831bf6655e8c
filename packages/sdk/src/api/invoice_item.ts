// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Uuid } from '../values.ts'

export interface InvoiceItem {
  id: Uuid
  item_id: string | null
  description: string
  quantity: number
  price: Money
  subtotal: Money
}
