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

/** Asks for confirmation with amount and payee. */
export function ConfirmDialog({ name, detail, ...rest }: ConfirmProps) {
  const speech = useSpeech()
  const { say } = speech
  const values = {
    amount: rupiah(detail.payment.gross_amount),
    payee: payeeOf(speech, detail.payment),
  }
  return (
    <ReasonDialog
      title={say(`confirm_${name}`, values)}
      confirm={say(`do_${name}`, values)}
      ask={say('confirm_reason')}
      {...(name === 'cancel' && { dismiss: say('keep_payment') })}
      {...rest}
    />
  )
}
