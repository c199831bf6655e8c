import type { RefundRequest, StaffPayment } from '@gapura/sdk'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { ActButton } from '../../parts/act_button.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { Facts } from '../../parts/facts.tsx'
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
  const own = request.requested_by === me.owner_id
  const values = { amount: rupiah(request.amount), payee: payeeOf(speech, detail.payment) }
  return (
    <section className="sheet held">
      <h2>{say('held_title', values)}</h2>
      <Facts
        facts={[
          [say('held_asked_by'), own ? say('held_you') : request.requested_by],
          [say('refund_reason'), request.reason],
          [say('held_asked'), <Moment key="asked" at={request.created_at} away />],
          [say('held_until'), <Moment key="until" at={request.expires_at} away />],
        ]}
      />
      <div className="actions">
        <ActButton act={() => setOpen('approve')} why={own ? say('held_own') : null}>
          {say('held_approve')}
        </ActButton>
        <ActButton act={() => setOpen('decline')} why={null}>
          {say(own ? 'held_take_back' : 'held_decline')}
        </ActButton>
      </div>
      {open && (
        <Decision
          name={open}
          request={request}
          values={values}
          own={own}
          close={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

type DecisionName = 'approve' | 'decline'

interface DecisionProps {
  name: DecisionName
  request: RefundRequest
  values: { amount: string; payee: string }
  own: boolean
  close: () => void
}

/** Asks for confirmation with amount and payee. */
function Decision({ name, request, values, own, close }: DecisionProps) {
  const { say } = useSpeech()
  const { client } = useSession()
  const { id, requested_by } = request
  const deciding = useAct({
    act: async (reason: string) => {
      if (name === 'decline') await client.staff.refundRequests.decline(id, { reason })
      else await client.staff.refundRequests.approve(id, reason === '' ? {} : { reason })
    },
    done: () => say(name === 'approve' ? 'done_refund' : 'held_declined', values),
    changes: ['payment', 'payments', 'refund_requests', 'pulse'],
  })
  const text = name === 'decline' && own ? 'take_back' : name
  return (
    <ReasonDialog
      title={say(`held_ask_${text}`, { ...values, name: requested_by })}
      confirm={say(`held_do_${text}`, values)}
      ask={say('confirm_reason')}
      required={name === 'decline'}
      error={deciding.error}
      busy={deciding.isPending}
      act={(reason) => deciding.mutate(reason, { onSuccess: close })}
      close={close}
    >
      {request.reason !== '' && <p className="note-text">{request.reason}</p>}
    </ReasonDialog>
  )
}
