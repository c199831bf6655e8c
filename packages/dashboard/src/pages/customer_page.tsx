import type { Customer } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rupiah, secondText } from '../format.ts'
import { useSpeech } from '../language.ts'
import { BackLink } from '../parts/back_link.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pill, StatusPill } from '../parts/pill.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

const route = getRouteApi('/customer')

export interface CustomerSearch {
  email?: string
  phone?: string
}

/** Everything of one customer, by e-mail address or phone number. */
export function CustomerPage() {
  const key = route.useSearch()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['customer', key],
    queryFn: async ({ signal }) => await client.staff.customer.get(key, { signal }),
    enabled: key.email !== undefined || key.phone !== undefined,
  })
  return (
    <>
      <BackLink to="/payments">{say('back_to_payments')}</BackLink>
      <h1>{key.email ?? key.phone ?? say('customer')}</h1>
      {asked.isLoading && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Objects customer={asked.data} />}
    </>
  )
}

interface ObjectRow {
  id: string
  link: ReactNode
  amount: string
  pill: ReactNode
  created_at: string | null
}

function Objects({ customer }: { customer: Customer }) {
  const { say, language } = useSpeech()
  const name = customer.payments.find(({ customer_name }) => customer_name !== null)?.customer_name
  return (
    <>
      {name !== undefined && <p className="customer-name">{name}</p>}
      <p className="quiet block">
        {say('search_fresh', { time: secondText(language, customer.fresh_at) })}{' '}
        {customer.more && say('customer_more')}
      </p>
      {groupsOf(customer).map(({ title, rows }) => (
        <Group key={title} title={say(title)} rows={rows} />
      ))}
    </>
  )
}

const groupsOf = ({ payments, invoices, subscriptions, checkouts }: Customer) =>
  [
    {
      title: 'page_payments',
      rows: payments.map((row) => ({
        ...row,
        link: (
          <Link to="/payments/$id" params={{ id: row.id }}>
            {row.order_id}
          </Link>
        ),
        amount: row.gross_amount,
        pill: <StatusPill status={row.transaction_status} fraud={row.fraud_status} />,
      })),
    },
    {
      title: 'page_invoices',
      rows: invoices.map((row) => ({
        ...row,
        link: (
          <Link to="/invoices/$id" params={{ id: row.id }}>
            {row.invoice_number}
          </Link>
        ),
        amount: row.total_amount,
        pill: <Pill group="invoice" state={row.is_overdue ? 'overdue' : row.status} />,
      })),
    },
    {
      title: 'page_subscriptions',
      rows: subscriptions.map((row) => ({
        ...row,
        link: (
          <Link to="/subscriptions/$id" params={{ id: row.id }}>
            {row.name}
          </Link>
        ),
        pill: <Pill group="subscription" state={row.status} />,
      })),
    },
    {
      title: 'page_links',
      rows: checkouts.map((row) => ({
        ...row,
        link: (
          <Link to="/links/$id" params={{ id: row.id }}>
            {row.order_id}
          </Link>
        ),
        pill: <Pill group="checkout" state={row.status} />,
      })),
    },
  ] as const

function Group({ title, rows }: { title: string; rows: readonly ObjectRow[] }) {
  const { say } = useSpeech()
  return (
    <section className="sheet block">
      <h2>
        {title} ({rows.length})
      </h2>
      {rows.length === 0 && <p className="quiet">{say('no_payments')}</p>}
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
            {rows.map(({ id, link, amount, pill, created_at }) => (
              <tr key={id}>
                <td>{link}</td>
                <td className="amount">{rupiah(amount)}</td>
                <td>{pill}</td>
                <td className="middle">
                  <Moment at={created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
