import type { StaffPayment } from '@gapura/sdk'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import type { ActionName } from './action_name.ts'
import { payeeOf } from './why.ts'

interface ConfirmProps {
  name: ActionName
  detail: StaffPayment
  error: unknown
  busy: boolean
  act: (reason: string) => void
  close: () => void
}

/** Asks for the reason, then for confirmation with amount, payee and effect. */
export function ConfirmDialog({ name, detail: { payment }, ...rest }: ConfirmProps) {
  const speech = useSpeech()
  const { say, word } = speech
  const amount = rupiah(payment.gross_amount)
  const payee = payeeOf(speech, payment)
  return (
    <ReasonDialog
      title={say(`confirm_${name}`, { amount, payee })}
      confirm={say(`do_${name}`, { amount })}
      review={[
        [say('amount_gross'), amount],
        [say('payer'), payee],
        [say('order_id'), payment.order_id],
        [say('column_status'), word('status', payment.transaction_status)],
      ]}
      effect={say(`effect_of_${name}`, { amount })}
      {...(name === 'cancel' && { dismiss: say('keep_payment') })}
      {...rest}
    />
  )
}
