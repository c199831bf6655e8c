import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rupiah } from '../format.ts'
import { useSpeech } from '../language.ts'
import { useFresh } from '../live.ts'
import { useSession } from '../session.tsx'
import { Moment } from './moment.tsx'
import { StatusPill } from './pill.tsx'
import { Trouble } from './states.tsx'

interface PaymentsOfProps {
  title: string
  filter: { invoice_id: string } | { subscription_id: string } | { checkout_id: string }
}

const SHOWN = 50

/** The payments that came through something else, newest first. */
export function PaymentsOf({ title, filter }: PaymentsOfProps) {
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('payments_of')
  const asked = useQuery({
    queryKey: ['payments_of', filter],
    queryFn: async ({ signal }) =>
      await client.staff.payments.list({ ...filter, page_size: SHOWN }, { signal }).page(),
  })
  const rows = asked.data?.results ?? []
  return (
    <section className="sheet">
      <h2>{title}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && rows.length === 0 && <p className="quiet">{say('no_payments')}</p>}
      {rows.length > 0 && (
        <table className="plain" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{say('column_order')}</th>
              <th scope="col" className="amount">
                {say('column_amount')}
              </th>
              <th scope="col">{say('column_status')}</th>
              <th scope="col" className="middle">
                {say('column_created')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <Link to="/payments/$id" params={{ id: row.id }}>
                    {row.order_id}
                  </Link>
                </td>
                <td className="amount">{rupiah(row.gross_amount)}</td>
                <td>
                  <StatusPill status={row.transaction_status} fraud={row.fraud_status} />
                </td>
                <td className="middle">
                  <Moment at={row.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
