import type { RefundRequest, StaffPayment } from '@gapura/sdk'
import { useState } from 'react'
import { minus, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { ActButton } from '../../parts/act_button.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { useSession } from '../../session.tsx'
import { payeeOf } from './why.ts'

/** Refunds of this payment that need approval: who requested them, and the decision. */
export const HeldRefunds = ({ detail }: { detail: StaffPayment }) =>
  detail.refund_requests
    .filter(({ state }) => state === 'held')
    .map((request) => <HeldRefund key={request.id} detail={detail} request={request} />)

interface HeldProps {
  detail: StaffPayment
  request: RefundRequest
}

function HeldRefund({ detail, request }: HeldProps) {
  const speech = useSpeech()
  const { say } = speech
  const { me } = useSession()
  const [open, setOpen] = useState<DecisionName | undefined>()
  const may = useMay()
  const own = request.requested_by === me.owner_id
  const decides = may.has('payments:refund') && may.has('staff:act')
  const values = { amount: rupiah(request.amount), payee: payeeOf(speech, detail.payment) }
  return (
    <section className="sheet held">
      <h2>{say(request.outside ? 'held_outside_title' : 'held_title', values)}</h2>
      <Facts
        facts={[
          [say('held_asked_by'), own ? say('held_you') : request.requested_by],
          [say('refund_reason'), request.reason],
          [say('refund_reference'), request.reference],
          [say('refund_evidence'), request.evidence],
          [say('held_asked'), <Moment key="asked" at={request.created_at} away />],
          [say('held_until'), <Moment key="until" at={request.expires_at} away />],
        ]}
      />
      {decides && (
        <div className="actions">
          <ActButton act={() => setOpen('approve')} why={own ? say('held_own') : null}>
            {say('held_approve')}
          </ActButton>
          <ActButton act={() => setOpen('decline')} why={null}>
            {say(own ? 'held_take_back' : 'held_decline')}
          </ActButton>
        </div>
      )}
      {open && (
        <Decision
          name={open}
          request={request}
          left={detail.refund.refundable_amount}
          values={values}
          own={own}
          close={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

type DecisionName = 'approve' | 'decline'

function effectOf(name: DecisionName, { outside }: RefundRequest) {
  if (name === 'decline') return 'effect_of_decline'
  return outside ? 'held_outside_effect' : 'effect_of_refund'
}

interface DecisionProps {
  name: DecisionName
  request: RefundRequest
  values: { amount: string; payee: string }
  /** What is refundable before the decision; a held refund reserves nothing. */
  left: string
  own: boolean
  close: () => void
}

/** Asks for the reason, then for confirmation with amount, payee and what remains. */
function Decision({ name, request, values, left, own, close }: DecisionProps) {
  const { say } = useSpeech()
  const { client } = useSession()
  const { id, requested_by } = request
  const deciding = useAct({
    act: async (reason: string) => {
      if (name === 'decline') await client.staff.refundRequests.decline(id, { reason })
      else await client.staff.refundRequests.approve(id, { reason })
    },
    done: () => say(name === 'approve' ? 'done_refund' : 'held_declined', values),
    changes: ['payment', 'payments', 'refund_requests', 'pulse'],
  })
  const text = name === 'decline' && own ? 'take_back' : name
  return (
    <ReasonDialog
      title={say(`held_ask_${text}`, { ...values, name: requested_by })}
      confirm={say(`held_do_${text}`, values)}
      review={[
        [say('refund_now'), values.amount],
        [say('refund_to'), values.payee],
        [say('held_asked_by'), own ? say('held_you') : requested_by],
        [say('refund_reference'), request.reference],
        [say('held_reason'), request.reason],
        [say('refund_remains'), name === 'approve' && rupiah(minus(left, request.amount))],
      ]}
      effect={say(effectOf(name, request), values)}
      error={deciding.error}
      busy={deciding.isPending}
      act={(reason) => deciding.mutate(reason, { onSuccess: close })}
      close={close}
    >
      {request.reason !== '' && (
        <p className="note-text">
          <span className="quiet small">{say('held_reason')}: </span>
          {request.reason}
        </p>
      )}
    </ReasonDialog>
  )
}
