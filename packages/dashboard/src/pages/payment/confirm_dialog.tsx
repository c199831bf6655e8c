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

/** Asks once more, naming the amount and the person, before anything is done. */
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
      deed={say(`do_${name}`, values)}
      ask={say('confirm_reason')}
      {...rest}
    />
  )
}
