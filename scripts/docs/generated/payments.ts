// A page for each payment type, in each language: its row of the code's table in words, and a real
// charge.
import type { PaymentType } from 'gapura'
import { formatMoney } from '../../../packages/service/src/domain/money.ts'
import { PAYMENT_TYPE } from '../../../packages/service/src/domain/payment_type.ts'
import { list, made, table } from './made.ts'
import type { PaymentTexts } from './payment_texts.ts'
import { ENGLISH } from './payment_texts_en.ts'
import { INDONESIAN } from './payment_texts_id.ts'
import type { Answer } from './replies.ts'

/** Every language the pages are written in. */
export const LANGUAGES: readonly PaymentTexts[] = [ENGLISH, INDONESIAN]

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** 86400 → "1 day". The largest unit that divides it. */
function duration(texts: PaymentTexts, seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[3]
  return texts.duration(seconds / size, unit)
}

const rupiah = (money: bigint): string =>
  `Rp ${formatMoney(money)
    .replace(/\.00$/, '')
    .replace(/\B(?=(\d{3})+$)/g, '.')}`

function limitsOf(texts: PaymentTexts, type: PaymentType): string {
  const limitText = ({ min, max }: { min: bigint; max: bigint | null }): string =>
    max === null ? texts.amountFrom(rupiah(min)) : texts.amountBetween(rupiah(min), rupiah(max))
  const { limit: usual, variants } = PAYMENT_TYPE[type]
  const special = Object.entries(variants).flatMap(([name, { limit }]) =>
    limit === undefined ? [] : [`${name} ${limitText(limit)}`],
  )
  return [limitText(usual), ...special].join('; ')
}

function expiryText(texts: PaymentTexts, type: PaymentType): string {
  const { default_s, custom } = PAYMENT_TYPE[type].expiry
  const bounds = custom && {
    min: duration(texts, custom.min_s),
    max: duration(texts, custom.max_s),
  }
  return texts.expiry(duration(texts, default_s), bounds)
}

function refundText(texts: PaymentTexts, type: PaymentType): string {
  const { refund, variants } = PAYMENT_TYPE[type]
  if (refund === null) return texts.notRefundable
  const special = Object.entries(variants).flatMap(([name, { refund_window_days }]) =>
    refund_window_days === undefined ? [] : [`${name}: ${refund_window_days}`],
  )
  const others = special.length > 0 ? ` (${special.join(', ')})` : ''
  const { partial, window_days: days } = refund
  const window = texts.refundable({ partial, days, others })
  const direct = typeof refund.direct === 'string' ? refund.direct : 'some_acquirers'
  return `${window} ${texts.direct[direct]} ${texts.types[type].refund ?? ''}`.trim()
}

const checksText = (texts: PaymentTexts, type: PaymentType): string => {
  const { after_s, then_every_s } = PAYMENT_TYPE[type].checks
  const times = after_s.map((seconds) => duration(texts, seconds)).join(', ')
  return texts.checks(times, duration(texts, then_every_s))
}

const json = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** Title, mark, and the link to the same page in the other language. */
const opening = ({ other }: PaymentTexts, title: string, page: string): string =>
  `${made(title)}\n[${other.label}](${other.folder}/${page}.md)\n`

function rowsOf(texts: PaymentTexts, type: PaymentType): string[][] {
  const { required, optional, banks, stores } = PAYMENT_TYPE[type]
  const { rows } = texts
  return [
    [rows.required, list(required)],
    [rows.optional, list(optional)],
    ...(banks.length > 0 ? [['`bank`', list(banks)]] : []),
    ...(stores.length > 0 ? [['`store`', list(stores)]] : []),
    [rows.amount, limitsOf(texts, type)],
    [rows.checks, checksText(texts, type)],
  ]
}

export function paymentPage(
  texts: PaymentTexts,
  type: PaymentType,
  { request, reply }: Answer,
): string {
  const { headings, types } = texts
  const { title, about, customer } = types[type]
  return `${opening(texts, title, type)}
${about}

${table(['', ''], rowsOf(texts, type))}

## ${headings.request}

${texts.request}

${json(request)}

## ${headings.reply}

${texts.reply}

${json(reply)}

## ${headings.customer}

${customer}

## ${headings.expiry}

${expiryText(texts, type)}

## ${headings.refunds}

${refundText(texts, type)}
`
}

export function paymentsIndex(texts: PaymentTexts, order: readonly PaymentType[]): string {
  const { title: heading, intro, head, refunds, inputs } = texts.index
  const rows = order.map((type) => {
    const { expiry, refund } = PAYMENT_TYPE[type]
    const { title, about } = texts.types[type]
    const back = refund === null ? refunds.none : refund.partial ? refunds.partial : refunds.full
    return [`[${title}](${type}.md)`, `\`${type}\``, about, duration(texts, expiry.default_s), back]
  })
  return `${opening(texts, heading, 'index')}
${intro}

${table(['', '`payment_type`', '', head.expires, head.refund], rows)}

${inputs}
`
}
