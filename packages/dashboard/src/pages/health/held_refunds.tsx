import type { RefundRequest } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { Moment } from '../../parts/moment.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

/** Refunds that need approval; the decision is made on the page of the payment. */
export function HeldRefunds() {
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('refund_requests')
  const asked = useQuery({
    queryKey: ['refund_requests'],
    queryFn: async ({ signal }) =>
      await client.staff.refundRequests.list({ state: 'held', page_size: 50 }, { signal }).page(),
  })
  const requests = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <h2>{say('held_refunds')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && requests.length === 0 && <p className="quiet">{say('held_none')}</p>}
      <ul className="plain-list">
        {requests.map((request) => (
          <HeldItem key={request.id} request={request} />
        ))}
      </ul>
    </section>
  )
}

function HeldItem({ request }: { request: RefundRequest }) {
  const { say } = useSpeech()
  const { amount, requested_by: name, reason, created_at, expires_at, payment_id } = request
  return (
    <li>
      <p>
        <strong>{rupiah(amount)}</strong> {say('held_by', { name })}{' '}
        <Link to="/payments/$id" params={{ id: payment_id }}>
          {say('held_open')}
        </Link>
      </p>
      {reason !== '' && <p>{reason}</p>}
      <p className="quiet small">
        <Moment at={created_at} away /> · {say('held_until')} <Moment at={expires_at} away />
      </p>
    </li>
  )
}
