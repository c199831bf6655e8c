import type { Transaction } from '../world/transaction.ts'
import { html, type Html } from './html.ts'
import { textOr, type View } from './view.ts'

/** Names as their owners write them; they are the same in every language. */
const NAMES: Record<string, string> = {
  bca: 'BCA',
  bni: 'BNI',
  bri: 'BRI',
  cimb: 'CIMB Niaga',
  permata: 'Permata',
  mandiri: 'Mandiri',
  indomaret: 'Indomaret',
  alfamart: 'Alfamart',
  gopay: 'GoPay',
  qris: 'QRIS',
  shopeepay: 'ShopeePay',
  ovo: 'OVO',
  dana: 'DANA',
  akulaku: 'Akulaku',
  kredivo: 'Kredivo',
}

export const nameOf = (channel: string): string => NAMES[channel] ?? channel

export const PAYMENT_TYPES = [
  'credit_card',
  'bank_transfer',
  'echannel',
  'cstore',
  'gopay',
  'qris',
  'shopeepay',
  'ovo',
  'dana',
  'akulaku',
  'kredivo',
] as const

/** The owner of the payer's page: bank, store or wallet. */
export function brandOf({ payment_type, channel = '' }: Transaction): string {
  const byChannel = ['bank_transfer', 'echannel', 'cstore'].includes(payment_type)
  return byChannel && channel in NAMES ? channel : payment_type
}

/** "BCA virtual account", "Mandiri bill", "Card": how the payer pays, in a few words. */
export function methodText(view: View, transaction: Transaction): string {
  const { payment_type } = transaction
  const kind = textOr(view, `type_${payment_type}`, nameOf(payment_type))
  const brand = brandOf(transaction)
  if (brand === payment_type) return kind
  return view.t('method_of', { brand: nameOf(brand), kind, lower: kind.toLowerCase() })
}

export const typeText = (view: View, payment_type: string): string =>
  textOr(view, `type_${payment_type}`, nameOf(payment_type))

/** The colour class of each status. */
const PILL_CLASSES: Record<string, string> = {
  pending: 'open',
  authorize: 'open',
  capture: 'good',
  settlement: 'good',
  deny: 'bad',
  failure: 'bad',
  cancel: 'gone',
  expire: 'gone',
  refund: 'back',
  partial_refund: 'back',
  chargeback: 'bad',
  partial_chargeback: 'bad',
  challenge: 'warn',
  waiting: 'open',
  held: 'warn',
  delivered: 'good',
  given_up: 'bad',
  lost: 'warn',
  muted: 'warn',
  no_url: 'gone',
  overdue: 'warn',
  expired: 'gone',
  paid: 'good',
  voided: 'gone',
  live: 'open',
  completed: 'good',
  canceled: 'gone',
  active: 'good',
  inactive: 'gone',
}

/** A status as it stands in the notifications; its meaning is the tooltip. */
export function pill(view: View, status: string): Html {
  const meaning = textOr(view, `status_${status}`, '')
  return html`<span class="pill ${PILL_CLASSES[status] ?? 'gone'}" title="${meaning}"
    >${status}</span
  >`
}

/** A challenged capture is not paid yet, so it must not look paid. */
export const statusPill = (view: View, { status, fraud_status }: Transaction): Html =>
  status === 'capture' && fraud_status === 'challenge'
    ? html`${pill(view, 'challenge')}`
    : pill(view, status)
