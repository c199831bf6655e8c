import type { PaymentTexts } from './payment_texts.ts'

const CUSTOM = '`{"expiry_duration": 2, "unit": "hour"}`'

export const ENGLISH: PaymentTexts = {
  folder: 'docs/payments',
  other: { label: 'Bahasa Indonesia', folder: '../id/payments' },
  index: {
    title: 'Payment types',
    intro:
      'Every type uses the same request, `POST /charge/`, and has the same states and signals. They differ in what the payer sees, how long it may take, and whether the gateway can refund them.',
    head: { expires: 'Expires after', refund: 'Refund' },
    refunds: { none: 'no', partial: 'full or in parts', full: 'in full' },
    inputs:
      'Inputs that every type takes: `order_id` (generated if you give none), `gross_amount` in whole rupiah, `customer_details`, `item_details` (they must add up to the amount), `metadata`, `custom_fields`. A field that a type does not take is answered 400, so a misspelt field is not ignored. All inputs are in [openapi.json](../openapi.json).',
  },
  headings: {
    request: 'Request',
    reply: 'Reply',
    customer: 'What the customer sees',
    expiry: 'Expiry',
    refunds: 'Refunds',
  },
  rows: {
    required: 'Required beside `payment_type` and `gross_amount`',
    optional: 'Also takes',
    amount: 'Amount',
    checks: 'Status checks if no notification arrives',
  },
  request: '`POST /charge/` with an `Idempotency-Key` of your own for the order:',
  reply:
    '201, from a real charge at the simulator; fields that are null or empty are left out here:',
  duration: (count, unit) => `${count} ${unit}${count === 1 ? '' : 's'}`,
  amountFrom: (min) => `from ${min}`,
  amountBetween: (min, max) => `${min} to ${max}`,
  checks: (times, interval) => `${times} after the charge, then every ${interval}`,
  expiry: (usual, custom) => {
    const own =
      custom === null
        ? 'The gateway fixes it; `custom_expiry` is refused.'
        : `\`custom_expiry\` sets another, ${custom.min} to ${custom.max}: ${CUSTOM}.`
    return `After ${usual}. ${own} The payment becomes \`expire\` when the gateway reports it, never by our own clock: \`is_expired\` in a reply only says that the expiry time has passed.`
  },
  notRefundable:
    'Not through the gateway: the request is answered 400 [method_not_refundable](../errors.md#method_not_refundable). Refund the customer by bank transfer and note it on the order.',
  refundable: ({ partial, days, others }) =>
    `${partial ? 'In full or in parts' : 'Only in full'}, once it is \`settlement\`, for ${days} days${others} by the gateway’s documentation; the gateway decides.`,
  direct: {
    yes: '`direct: true` refunds through the acquirer at once.',
    no: '`direct: true` is not offered.',
    unknown: 'The gateway’s documentation does not say whether `direct: true` is offered.',
    some_acquirers: '`direct: true` refunds through the acquirer at once, where it offers that.',
  },
  types: {
    credit_card: {
      title: 'Card',
      about: 'Visa, Mastercard, JCB and others, by a token that the browser gets from the gateway.',
      customer: `The browser sends the card number to the gateway, with the client key and the gateway's own script, and gets a token that is valid for one charge. Only the token reaches your server.

With \`authentication\` (the default) the reply is \`pending\` and has a \`redirect_url\`: redirect the customer there for 3-D Secure. Afterwards the payment is \`capture\`, which already counts as paid unless \`fraud_status\` is \`challenge\`; it becomes \`settlement\` by the next day. Staff with the scope \`payments:capture\` approve or deny a challenged one.

With \`capture: false\` the money is only authorized (\`authorize\`); capture all or a part of it with \`POST /payments/{id}/capture/\` within seven days.

With \`save_token_id: true\` the gateway keeps the card, for [subscriptions](../subscriptions.md#the-token-of-a-card) and later charges. Without 3-D Secure its token is \`saved_token_id\` in the first reply alone; with 3-D Secure it is in \`GET /payments/{id}/check_status/\` after the customer has passed. The service does not store it.`,
      refund: 'Before it settles, cancel it instead: no money has moved yet.',
    },
    gopay: {
      title: 'GoPay',
      about: 'The wallet of Gojek, by its app or a QR code.',
      customer:
        'On a phone, redirect the customer to `deeplink_url`: the app opens, and returns to `callback_url`. On other devices show the image of `generate-qr-code` in `payer_instructions`. The return of the customer is no proof of payment; wait until the payment is paid.',
    },
    shopeepay: {
      title: 'ShopeePay',
      about: 'The wallet of Shopee, by its app on the same phone.',
      customer:
        'Redirect the customer to `deeplink_url`; the app returns to `callback_url`. On a computer offer [QRIS](qris.md), which ShopeePay reads too.',
    },
    qris: {
      title: 'QRIS',
      about: 'One QR code for every Indonesian wallet and bank app.',
      customer:
        'Draw `qr_string` as a QR code, at least 240 pixels wide and with its white border, and show the amount and the time left. Many customers pay with the phone on which they see the code: offer the code for download, so that their app can read it from the gallery. The [checkout example](../../examples/checkout) does all of this.',
      refund: 'Money that came from a wallet of another issuer can be refunded for 7 days only.',
    },
    ovo: {
      title: 'OVO',
      about: 'The wallet of OVO, by a push to the customer’s phone.',
      customer:
        'The app on that phone asks the customer to confirm, for about a minute. Show only a request to open the app now. Without `payer_phone_number` the phone of `customer_details` is used.',
    },
    dana: {
      title: 'DANA',
      about: 'The wallet of DANA, by its app or page.',
      customer:
        'Redirect the customer to `deeplink_url`; DANA returns to `callback_url`. The gateway cannot look up a DANA charge by its order id, so a charge whose answer was lost waits for its notification, with an [alarm](../runbook.md#stuck-operation).',
    },
    bank_transfer: {
      title: 'Bank transfer',
      about: 'A virtual account number at BCA, BNI, BRI, CIMB or Permata.',
      customer:
        'Show the bank, `va_number` in groups of four with a button to copy, the exact amount, and the expiry time with its time zone. The customer transfers from any channel of that bank; the amount is fixed, so the customer cannot enter a wrong one. `va_number` in the request proposes a number of your own, where the gateway allows it.',
    },
    echannel: {
      title: 'Mandiri bill',
      about: 'A bill at Bank Mandiri: two codes instead of an account number.',
      customer:
        'Show both `biller_code` and `bill_key`, each with a button to copy. In the bank’s app: Pay, Multipayment, then the two codes.',
    },
    cstore: {
      title: 'Convenience store',
      about: 'Cash at the counter of Indomaret or Alfamart.',
      customer:
        'Show `payment_code`, as text and as a Code 128 barcode, with the amount and the deadline. Money paid late at the counter can arrive after the expiry: see [late money](../runbook.md#late-money).',
    },
    akulaku: {
      title: 'Akulaku',
      about: 'Pay later with Akulaku, on its own page.',
      customer:
        'Redirect the customer to `redirect_url`, where Akulaku decides about the credit. Items and customer are required, and items must add up to the amount.',
    },
    kredivo: {
      title: 'Kredivo',
      about: 'Pay later with Kredivo, on its own page.',
      customer:
        'Redirect the customer to `redirect_url`, where Kredivo decides about the credit. Items and customer are required, and items must add up to the amount.',
    },
  },
}
