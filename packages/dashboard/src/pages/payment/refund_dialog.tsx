import type { StaffPayment } from '@gapura/sdk'
import { useState, type FormEvent } from 'react'
import { rupiah, timeText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { payeeOf } from './why.ts'

export interface RefundOrder {
  amount: string
  reason?: string
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

export function RefundDialog({ detail, error, busy, refund: pay, close }: RefundProps) {
  const speech = useSpeech()
  const { say } = speech
  const { refund, payment } = detail
  const most = refund.refundable_amount
  const [typed, setTyped] = useState(most.replace(/\.00$/, ''))
  const [reason, setReason] = useState('')
  const amount = wholeRupiah(typed, most)
  const payee = payeeOf(speech, payment)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const why = reason.trim()
    if (amount !== undefined) pay({ amount, ...(why !== '' && { reason: why }) })
  }
  return (
    <Dialog title={say('refund_title', { payee })} close={close}>
      <form onSubmit={submit}>
        <RefundTerms detail={detail} />
        <label>
          {say('refund_amount')}
          <input
            inputMode="numeric"
            value={typed}
            readOnly={!refund.partial}
            onChange={({ target }) => setTyped(target.value)}
            aria-invalid={amount === undefined}
            aria-describedby="refund-terms"
          />
        </label>
        {amount === undefined && (
          <p className="notice bad" role="alert">
            {say('refund_bad_amount', { amount: rupiah(most) })}
          </p>
        )}
        <label>
          {say('confirm_reason')}
          <input
            value={reason}
            maxLength={255}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="danger" disabled={busy || amount === undefined}>
            {say('do_refund', { amount: amount === undefined ? '–' : rupiah(amount), payee })}
          </button>
        </div>
      </form>
    </Dialog>
  )
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
