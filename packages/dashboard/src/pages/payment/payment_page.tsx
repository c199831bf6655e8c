import type { StaffPayment } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { rupiah } from '../../format.ts'
import { useKeys } from '../../keyboard.ts'
import { useSpeech } from '../../language.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { useCopy } from '../../parts/copy.tsx'
import { StatusPill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { Actions } from './actions.tsx'
import { Details } from './details.tsx'
import { HeldRefunds } from './held_refunds.tsx'
import { Notes } from './notes.tsx'
import { Timeline } from './timeline.tsx'
import { whyText } from './why.ts'

const route = getRouteApi('/payments/$id')

/** An open payment is checked often, an ended one rarely. */
const MOVING_MS = 2_000
const STILL_MS = 15_000

const isMoving = ({ payment, operations, refund_requests }: StaffPayment): boolean =>
  payment.is_pending ||
  refund_requests.some(({ state }) => state === 'held') ||
  payment.transaction_status === 'initiated' ||
  operations.some(({ state }) => state === 'started' || state === 'unknown')

/** Read again only after its version changed, because the audit records each read (ADR 0024). */
function usePayment(id: string) {
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['payment', id],
    queryFn: async ({ signal }) => await client.staff.payments.get(id, { signal }),
  })
  const { data, refetch } = asked
  const pulse = useQuery({
    queryKey: ['payment_pulse', id],
    queryFn: async ({ signal }) => await client.staff.payments.pulse(id, { signal }),
    refetchInterval: data !== undefined && isMoving(data) ? MOVING_MS : STILL_MS,
  })
  const beat = pulse.data && JSON.stringify(pulse.data)
  const last = useRef(beat)
  useEffect(() => {
    if (last.current !== undefined && last.current !== beat) void refetch()
    last.current = beat
  }, [beat, refetch])
  return asked
}

export function PaymentPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const copy = useCopy()
  const asked = usePayment(id)
  useKeys({ c: () => copy(id) })
  return (
    <>
      <BackLink to="/payments">{say('back_to_payments')}</BackLink>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {/* Of one payment only: an open dialog must not outlive the payment it is about. */}
      {asked.data && <Payment key={id} detail={asked.data} />}
    </>
  )
}

function Payment({ detail }: { detail: StaffPayment }) {
  const speech = useSpeech()
  const { say } = speech
  const { payment } = detail
  return (
    <article>
      <header className="headline">
        <h1>{rupiah(payment.gross_amount)}</h1>
        <StatusPill status={payment.transaction_status} fraud={payment.fraud_status} />
        <span className="quiet order">{payment.order_id}</span>
      </header>
      <p className="why">
        <span className="sr">{say('why_title')}: </span>
        {whyText(speech, detail)}
      </p>
      <HeldRefunds detail={detail} />
      <Actions detail={detail} />
      <div className="columns">
        <div>
          <Details detail={detail} />
        </div>
        <div>
          <Notes detail={detail} />
          <Timeline detail={detail} />
        </div>
      </div>
    </article>
  )
}
