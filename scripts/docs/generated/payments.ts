// A page for each payment type: its row of the code's table in words, and a real charge.
import { formatMoney, type PaymentType } from 'gapura'
import { PAYMENT_TYPE } from '../../../packages/service/src/domain/payment_type.ts'
import { list, made, table } from './made.ts'
import { PAYMENT_TEXTS } from './payment_texts.ts'
import type { Answer } from './replies.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** 86400 → "1 day". The largest unit that divides it. */
function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[3]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const rupiah = (money: bigint): string =>
  `Rp ${formatMoney(money)
    .replace(/\.00$/, '')
    .replace(/\B(?=(\d{3})+$)/g, '.')}`

const limitText = ({ min, max }: { min: bigint; max: bigint | null }): string =>
  max === null ? `from ${rupiah(min)}` : `${rupiah(min)} to ${rupiah(max)}`

function limitsOf(type: PaymentType): string {
  const { limit: usual, variants } = PAYMENT_TYPE[type]
  const special = Object.entries(variants).flatMap(([name, { limit }]) =>
    limit === undefined ? [] : [`${name} ${limitText(limit)}`],
  )
  return [limitText(usual), ...special].join('; ')
}

function expiryText(type: PaymentType): string {
  const { default_s, custom } = PAYMENT_TYPE[type].expiry
  const own =
    custom === null
      ? 'The gateway fixes it; `custom_expiry` is refused.'
      : `\`custom_expiry\` sets another, ${duration(custom.min_s)} to ${duration(custom.max_s)}: \`{"expiry_duration": 2, "unit": "hour"}\`.`
  return `After ${duration(default_s)}. ${own} The payment becomes \`expire\` when the gateway reports it, never by our own clock: \`is_expired\` in a reply only says that the expiry time has passed.`
}

const DIRECT = {
  yes: '`direct: true` refunds through the acquirer at once.',
  no: '`direct: true` is not offered.',
  unknown: 'The gateway’s documentation does not say whether `direct: true` is offered.',
  some_acquirers: '`direct: true` refunds through the acquirer at once, where it offers that.',
} as const

function refundText(type: PaymentType): string {
  const { refund, variants } = PAYMENT_TYPE[type]
  if (refund === null) {
    return 'Not through the gateway: the request is answered 400 [method_not_refundable](../errors.md#method_not_refundable). Refund the customer by bank transfer and note it on the order.'
  }
  const parts = refund.partial ? 'In full or in parts' : 'Only in full'
  const special = Object.entries(variants).flatMap(([name, { refund_window_days }]) =>
    refund_window_days === undefined ? [] : [`${name}: ${refund_window_days}`],
  )
  const direct = typeof refund.direct === 'string' ? refund.direct : 'some_acquirers'
  const others = special.length > 0 ? ` (${special.join(', ')})` : ''
  return `${parts}, once it is \`settlement\`, for ${refund.window_days} days${others} by the gateway’s documentation; the gateway decides. ${DIRECT[direct]} ${PAYMENT_TEXTS[type].refund ?? ''}`.trim()
}

const checksText = (type: PaymentType): string => {
  const { after_s, then_every_s } = PAYMENT_TYPE[type].checks
  return `${after_s.map(duration).join(', ')} after the charge, then every ${duration(then_every_s)}`
}

const json = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

export function paymentPage(type: PaymentType, { request, reply }: Answer): string {
  const { required, optional, banks, stores } = PAYMENT_TYPE[type]
  const { title, about, customer } = PAYMENT_TEXTS[type]
  const rows = [
    ['Required beside `payment_type` and `gross_amount`', list(required)],
    ['Also takes', list(optional)],
    ...(banks.length > 0 ? [['`bank`', list(banks)]] : []),
    ...(stores.length > 0 ? [['`store`', list(stores)]] : []),
    ['Amount', limitsOf(type)],
    ['Status checks if no notification arrives', checksText(type)],
  ]
  return `${made(title)}
${about}

${table(['', ''], rows)}

## Request

\`POST /charge/\` with an \`Idempotency-Key\` of your own for the order:

${json(request)}

## Reply

201, from a real charge at the simulator; fields that are null or empty are left out here:

${json(reply)}

## What the customer sees

${customer}

## Expiry

${expiryText(type)}

## Refunds

${refundText(type)}
`
}

export function paymentsIndex(order: readonly PaymentType[]): string {
  const rows = order.map((type) => {
    const { expiry, refund } = PAYMENT_TYPE[type]
    const { title, about } = PAYMENT_TEXTS[type]
    const back = refund === null ? 'no' : refund.partial ? 'full or in parts' : 'in full'
    return [`[${title}](${type}.md)`, `\`${type}\``, about, duration(expiry.default_s), back]
  })
  return `${made('Payment types')}
Every type uses the same request, \`POST /charge/\`, and has the same states and signals. They differ in what the payer sees, how long it may take, and whether the gateway can refund them.

${table(['', '`payment_type`', '', 'Expires after', 'Refund'], rows)}

Inputs that every type takes: \`order_id\` (generated if you give none), \`gross_amount\` in whole rupiah, \`customer_details\`, \`item_details\` (they must add up to the amount), \`metadata\`, \`custom_fields\`. A field that a type does not take is answered 400, so a misspelt field is not ignored. All inputs are in [openapi.json](../openapi.json).
`
}
