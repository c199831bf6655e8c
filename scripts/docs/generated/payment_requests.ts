// The charge that each payment page shows, whatever its language.
import type { PaymentType } from 'gapura'

const customer_details = { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' }
const item_details = [{ id: 'tea-1', name: 'Jasmine tea', price: 75_000, quantity: 2 }]
const callback_url = 'https://shop.example/thanks'
const gross_amount = 150_000
const order = (order_id: string, more: object = {}) => ({ ...more, order_id, gross_amount })

export const PAYMENT_REQUESTS: Readonly<Record<PaymentType, object>> = {
  credit_card: order('order-card', { token_id: 'token-from-the-browser', customer_details }),
  gopay: order('order-gopay', { callback_url, customer_details }),
  shopeepay: order('order-shopeepay', { callback_url }),
  qris: order('order-qris'),
  ovo: order('order-ovo', { payer_phone_number: '081234567890' }),
  dana: order('order-dana', { callback_url }),
  bank_transfer: order('order-va', { bank: 'bca', customer_details }),
  echannel: order('order-bill', { item_details }),
  cstore: order('order-store', { store: 'alfamart' }),
  akulaku: order('order-akulaku', { item_details, customer_details }),
  kredivo: order('order-kredivo', { item_details, customer_details }),
}
