import type { InvoiceSummary } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListPage } from '../../parts/list_page.tsx'
import type { Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { useSession } from '../../session.tsx'
import { CreateInvoice } from './create_invoice.tsx'

const route = getRouteApi('/invoices')

export const INVOICE_STATUSES = [
  'pending',
  'overdue',
  'paid',
  'expired',
  'voided',
  'draft',
  'initiated',
  'failure',
] as const

export function InvoicesPage() {
  const speech = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/invoices', search)
  const status = INVOICE_STATUSES.find((one) => one === search.status)
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <ListPage
      title={speech.say('page_invoices')}
      empty={speech.say('invoices_empty')}
      query={['invoices', search]}
      list={(signal) =>
        client.invoices.list({ page_size: 50, ...(status && { status }) }, { signal })
      }
      columns={columns}
      open={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
      status={{
        group: 'invoice',
        known: INVOICE_STATUSES,
        chosen: status,
        choose: (next) =>
          void navigate({ to: '/invoices', search: next === undefined ? {} : { status: next } }),
      }}
    >
      <CreateInvoice />
    </ListPage>
  )
}

const columnsOf = ({ say, language }: Speech): Column<InvoiceSummary>[] => [
  {
    name: say('invoice_number'),
    cell: ({ id, invoice_number }) => (
      <Link className="whole-id" to="/invoices/$id" params={{ id }}>
        {invoice_number}
      </Link>
    ),
    under: ({ customer_name }) => customer_name,
  },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ total_amount }) => rupiah(total_amount),
    under: ({ status, is_overdue }) => (
      <Pill group="invoice" state={is_overdue ? 'overdue' : status} />
    ),
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ status, is_overdue }) => (
      <Pill group="invoice" state={is_overdue ? 'overdue' : status} />
    ),
  },
  { name: say('column_customer'), only: 'middle', cell: ({ customer_name }) => customer_name },
  {
    name: say('due_date'),
    size: 'short',
    only: 'middle',
    cell: ({ due_date }) => dayText(language, due_date),
  },
  {
    name: say('column_created'),
    only: 'wide',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
