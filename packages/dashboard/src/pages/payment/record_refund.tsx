import { GapuraError, type StaffPayment } from '@gapura/sdk'
import { useState } from 'react'
import { minus, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { useSession } from '../../session.tsx'
import { digitsOf, withoutEnter, wholeRupiah } from './refund_dialog.tsx'
import { payeeOf } from './why.ts'

/** Records money that was sent back outside the gateway, where the gateway cannot refund. */
export function RecordRefund({ detail }: { detail: StaffPayment }) {
  const { say } = useSpeech()
  const may = useMay()
  const [open, setOpen] = useState(false)
  const allowed = may.has('payments:refund') && may.has('staff:act')
  if (!detail.refund.outside || !allowed) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('action_record_refund')}
      </button>
      {open && <RecordDialog detail={detail} close={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({ detail, close }: { detail: StaffPayment; close: () => void }) {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const { refund, payment } = detail
  const most = refund.refundable_amount
  const [typed, setTyped] = useState(digitsOf(most))
  const [reference, setReference] = useState('')
  const [evidence, setEvidence] = useState('')
  const amount = wholeRupiah(typed, most)
  const payee = payeeOf(speech, payment)
  const shown = amount === undefined ? '–' : rupiah(amount)
  const recording = useAct({
    act: async (reason: string) => {
      const order = { amount: amount ?? '0', reason, reference, evidence }
      await client.staff.payments.recordRefund(payment.id, order).catch(heldOnly)
    },
    done: () => say('done_refund_held', { amount: shown, payee }),
    changes: ['payment', 'payments', 'refund_requests', 'pulse'],
  })
  return (
    <ReasonDialog
      title={say('record_title', { payee })}
      confirm={say('record_do', { amount: shown })}
      review={[
        [say('refunded'), shown],
        [say('refund_to'), payee],
        [say('order_id'), payment.order_id],
        [say('refund_reference'), reference],
        [say('refund_evidence'), evidence],
        [say('refund_remains'), amount && rupiah(minus(most, amount))],
      ]}
      effect={say('effect_of_record')}
      ready={amount !== undefined && isReference(reference)}
      error={recording.error}
      busy={recording.isPending}
      act={(reason) => recording.mutate(reason, { onSuccess: close })}
      close={close}
    >
      <p className="quiet">{say('record_lead')}</p>
      <label>
        {say('record_amount')}
        <input
          inputMode="numeric"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={withoutEnter}
          aria-invalid={amount === undefined}
        />
      </label>
      <Reference value={reference} change={setReference} />
      <label>
        {say('refund_evidence')}
        <textarea
          value={evidence}
          maxLength={1_000}
          rows={2}
          placeholder={say('refund_evidence_hint')}
          onChange={({ target }) => setEvidence(target.value)}
        />
      </label>
      <p className="notice bad" role="alert" hidden={amount !== undefined}>
        {amount === undefined ? say('refund_bad_amount', { amount: rupiah(most) }) : ''}
      </p>
    </ReasonDialog>
  )
}

const isReference = (text: string): boolean => text.trim().length >= 3

function Reference({ value, change }: { value: string; change: (value: string) => void }) {
  const { say } = useSpeech()
  const given = isReference(value)
  return (
    <div>
      <label>
        {say('refund_reference')}
        <input
          value={value}
          maxLength={100}
          aria-required="true"
          aria-describedby="record-reference"
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <p className="quiet small" id="record-reference" hidden={given}>
        {given ? '' : say('record_reference_missing')}
      </p>
    </div>
  )
}

/** That it needs approval is not a failure: the request was recorded. */
function heldOnly(error: unknown): void {
  if (!(error instanceof GapuraError) || error.code !== 'refund_held') throw error
}
