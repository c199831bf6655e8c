import type { StaffPayment } from '@gapura/sdk'
import { rupiah, timeText } from '../../format.ts'
import type { Speech } from '../../language.ts'

/** One sentence on why a payment is in its state, and how we know. */
export function whyText(
  { language, word }: Speech,
  { payment, why }: Pick<StaffPayment, 'payment' | 'why'>,
): string {
  const values: Record<string, string> = {
    amount: rupiah(payment.gross_amount),
    refunded: rupiah(payment.refund_amount),
    expiry: payment.expiry_time === null ? '–' : timeText(language, payment.expiry_time),
    message: payment.status_message ?? '–',
    time: why.occurred_at === null ? '–' : timeText(language, why.occurred_at),
    source: why.source === null ? '' : word('source', why.source),
  }
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  const known = why.source === null ? '' : ` ${fill(word('why', 'by'))}`
  return `${fill(word('why', why.code))}${known}`
}

/** The payer, by name or e-mail. */
export const payeeOf = (
  { say }: Pick<Speech, 'say'>,
  { customer_first_name, customer_last_name, customer_email }: StaffPayment['payment'],
): string =>
  [customer_first_name, customer_last_name].filter(Boolean).join(' ') ||
  (customer_email ?? say('someone'))
