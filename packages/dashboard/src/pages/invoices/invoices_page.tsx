import type { InvoiceSummary } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

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
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/invoices', search)
  const status = INVOICE_STATUSES.find((one) => one === search.status)
  const { rows, more, ...list } = useList({
    key: ['invoices', search],
    list: (signal) =>
      client.invoices.list({ page_size: 50, ...(status && { status }) }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <>
      <h1>{say('page_invoices')}</h1>
      <div className="filters">
        <Select
          label={say('filter_status')}
          value={status}
          options={[
            ['', say('filter_any')],
            ...INVOICE_STATUSES.map((one) => [one, word('invoice', one)] as const),
          ]}
          choose={(next) =>
            void navigate({ to: '/invoices', search: next === undefined ? {} : { status: next } })
          }
        />
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('invoices_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('page_invoices')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
          more={more}
        />
      )}
    </>
  )
}

const columnsOf = ({ say, language }: Speech): Column<InvoiceSummary>[] => [
  {
    name: say('invoice_number'),
    cell: ({ id, invoice_number }) => (
      <Link to="/invoices/$id" params={{ id }}>
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
