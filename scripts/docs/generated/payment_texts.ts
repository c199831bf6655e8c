// Texts that no table of the code has: common names, and what the payer sees and does.
import type { PaymentType } from 'gapura'

interface PaymentText {
  title: string
  /** One sentence for the page and for the list of pages. */
  about: string
  request: object
  /** What to show, and what the payer does. Markdown. */
  customer: string
  refund?: string
}

const customer_details = { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' }
const item_details = [{ id: 'tea-1', name: 'Jasmine tea', price: 75_000, quantity: 2 }]
const gross_amount = 150_000
const order = (order_id: string, more: object = {}) => ({ ...more, order_id, gross_amount })

export const PAYMENT_TEXTS: Readonly<Record<PaymentType, PaymentText>> = {
  credit_card: {
    title: 'Card',
    about: 'Visa, Mastercard, JCB and others, by a token that the browser gets from the gateway.',
    request: order('order-card', { token_id: 'token-from-the-browser', customer_details }),
    customer: `The browser sends the card number to the gateway, with the client key and the gateway's own script, and gets a token that is valid for one charge. Only the token reaches your server.

With \`authentication\` (the default) the reply is \`pending\` and has a \`redirect_url\`: redirect the customer there for 3-D Secure. Afterwards the payment is \`capture\`, which already counts as paid unless \`fraud_status\` is \`challenge\`; it becomes \`settlement\` by the next day. Staff with the scope \`payments:write\` approve or deny a challenged one.

With \`capture: false\` the money is only authorized (\`authorize\`); capture all or a part of it with \`POST /payments/{id}/capture/\` within seven days.`,
    refund: 'Before it settles, cancel it instead: no money has moved yet.',
  },
  gopay: {
    title: 'GoPay',
    about: 'The wallet of Gojek, by its app or a QR code.',
    request: order('order-gopay', {
      callback_url: 'https://shop.example/thanks',
      customer_details,
    }),
    customer:
      'On a phone, redirect the customer to `deeplink_url`: the app opens, and returns to `callback_url`. On other devices show the image of `generate-qr-code` in `payer_instructions`. The return of the customer is no proof of payment; wait until the payment is paid.',
  },
  shopeepay: {
    title: 'ShopeePay',
    about: 'The wallet of Shopee, by its app on the same phone.',
    request: order('order-shopeepay', { callback_url: 'https://shop.example/thanks' }),
    customer:
      'Redirect the customer to `deeplink_url`; the app returns to `callback_url`. On a computer offer [QRIS](qris.md), which ShopeePay reads too.',
  },
  qris: {
    title: 'QRIS',
    about: 'One QR code for every Indonesian wallet and bank app.',
    request: order('order-qris'),
    customer:
      'Draw `qr_string` as a QR code, at least 240 pixels wide and with its white border, and show the amount and the time left. Many customers pay with the phone on which they see the code: offer the code for download, so that their app can read it from the gallery. The [checkout example](../../examples/checkout) does all of this.',
    refund: 'Money that came from a wallet of another issuer can be refunded for 7 days only.',
  },
  ovo: {
    title: 'OVO',
    about: 'The wallet of OVO, by a push to the customer’s phone.',
    request: order('order-ovo', { payer_phone_number: '081234567890' }),
    customer:
      'The app on that phone asks the customer to confirm, for about a minute. Show only a request to open the app now. Without `payer_phone_number` the phone of `customer_details` is used.',
  },
  dana: {
    title: 'DANA',
    about: 'The wallet of DANA, by its app or page.',
    request: order('order-dana', { callback_url: 'https://shop.example/thanks' }),
    customer:
      'Redirect the customer to `deeplink_url`; DANA returns to `callback_url`. The gateway cannot look up a DANA charge by its order id, so a charge whose answer was lost waits for its notification, with an [alarm](../runbook.md#stuck-operation).',
  },
  bank_transfer: {
    title: 'Bank transfer',
    about: 'A virtual account number at BCA, BNI, BRI, CIMB or Permata.',
    request: order('order-va', { bank: 'bca', customer_details }),
    customer:
      'Show the bank, `va_number` in groups of four with a button to copy, the exact amount, and the expiry time with its time zone. The customer transfers from any channel of that bank; the amount is fixed, so the customer cannot enter a wrong one. `va_number` in the request proposes a number of your own, where the gateway allows it.',
  },
  echannel: {
    title: 'Mandiri bill',
    about: 'A bill at Bank Mandiri: two codes instead of an account number.',
    request: order('order-bill', { item_details }),
    customer:
      'Show both `biller_code` and `bill_key`, each with a button to copy. In the bank’s app: Pay, Multipayment, then the two codes.',
  },
  cstore: {
    title: 'Convenience store',
    about: 'Cash at the counter of Indomaret or Alfamart.',
    request: order('order-store', { store: 'alfamart' }),
    customer:
      'Show `payment_code`, as text and as a Code 128 barcode, with the amount and the deadline. Money paid late at the counter can arrive after the expiry: see [late money](../runbook.md#late-money).',
  },
  akulaku: {
    title: 'Akulaku',
    about: 'Pay later with Akulaku, on its own page.',
    request: order('order-akulaku', { item_details, customer_details }),
    customer:
      'Redirect the customer to `redirect_url`, where Akulaku decides about the credit. Items and customer are required, and items must add up to the amount.',
  },
  kredivo: {
    title: 'Kredivo',
    about: 'Pay later with Kredivo, on its own page.',
    request: order('order-kredivo', { item_details, customer_details }),
    customer:
      'Redirect the customer to `redirect_url`, where Kredivo decides about the credit. Items and customer are required, and items must add up to the amount.',
  },
}
