// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Uuid } from '../values.ts'

export interface InvoiceItem {
  /** The id of the item. */
  id: Uuid
  /** Your own id of the item. */
  item_id: string | null
  /** The item, as it is printed on the invoice. */
  description: string
  /** How many were ordered. */
  quantity: number
  /** The price of one, in rupiah with two decimals. */
  price: Money
  /** Price times quantity, in rupiah with two decimals. */
  subtotal: Money
}
