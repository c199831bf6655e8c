import type { StaffPayment } from '@gapura/sdk'
import { useState, type KeyboardEvent } from 'react'
import { minus, rupiah, timeText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { payeeOf } from './why.ts'

export interface RefundOrder {
  amount: string
  reason: string
}

interface RefundProps {
  detail: StaffPayment
  error: unknown
  busy: boolean
  refund: (order: RefundOrder) => void
  close: () => void
}

/** The amount typed, as the interface takes it, or nothing: dots are thousands here. */
export function wholeRupiah(typed: string, most: string): string | undefined {
  const digits = typed.replaceAll(/[.\s]|Rp/g, '')
  if (!/^[1-9]\d{0,12}$/.test(digits)) return undefined
  return BigInt(digits) * 100n <= BigInt(most.replace('.', '')) ? `${digits}.00` : undefined
}

/** An amount as staff type it: `150.000`. */
export const digitsOf = (amount: string): string => rupiah(amount).replace(/^Rp\s/, '')

/** The reason first; the amount is never sent by Enter, and the second step names it. */
export function RefundDialog({ detail, refund: pay, ...rest }: RefundProps) {
  const speech = useSpeech()
  const { say } = speech
  const { refund, payment } = detail
  const most = refund.refundable_amount
  const [typed, setTyped] = useState(digitsOf(most))
  const amount = wholeRupiah(typed, most)
  const payee = payeeOf(speech, payment)
  const shown = amount === undefined ? '–' : rupiah(amount)
  return (
    <ReasonDialog
      title={say('refund_title', { payee })}
      confirm={say('do_refund', { amount: shown, payee })}
      review={[
        [say('refund_now'), shown],
        [say('refund_to'), payee],
        [say('order_id'), payment.order_id],
        [say('amount_refunded_before'), rupiah(payment.refund_amount)],
        [say('refund_remains'), amount && rupiah(minus(most, amount))],
      ]}
      effect={say('effect_of_refund')}
      ready={amount !== undefined}
      act={(reason) => amount !== undefined && pay({ amount, reason })}
      {...rest}
    >
      <label>
        {say('refund_amount')}
        <input
          inputMode="numeric"
          value={typed}
          readOnly={!refund.partial}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={withoutEnter}
          aria-invalid={amount === undefined}
          aria-describedby="refund-terms"
        />
      </label>
      <RefundTerms detail={detail} />
      <p className="notice bad" role="alert" hidden={amount !== undefined}>
        {amount === undefined ? say('refund_bad_amount', { amount: rupiah(most) }) : ''}
      </p>
    </ReasonDialog>
  )
}

export const withoutEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault()
}

/** How much, in which pieces, until when. */
function RefundTerms({ detail: { refund } }: { detail: StaffPayment }) {
  const { say, language } = useSpeech()
  const { window_ends_at: ends, partial, refundable_amount } = refund
  const over = ends !== null && new Date(ends).getTime() < Date.now()
  return (
    <p className="quiet" id="refund-terms">
      {say('refund_left', { amount: rupiah(refundable_amount) })}{' '}
      {!partial && say('refund_whole_only')}{' '}
      {ends !== null &&
        say(over ? 'refund_window_over' : 'refund_window', { time: timeText(language, ends) })}
    </p>
  )
}
