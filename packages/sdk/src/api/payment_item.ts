// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Uuid } from '../values.ts'

export interface PaymentItem {
  /** The id of the item. */
  id: Uuid
  /** Your own id of the item. */
  item_id: string | null
  /** The name of the item, as the payer sees it. */
  name: string
  /** The price of one, in rupiah with two decimals. */
  price: Money
  /** How many were ordered. */
  quantity: number
  /** The brand of the item. */
  brand: string | null
  /** The category of the item. */
  category: string | null
  /** The merchant who sells the item. */
  merchant_name: string | null
  /** The page of the item in the shop. */
  url: string | null
  /** Price times quantity, in rupiah with two decimals. */
  subtotal: Money
}
