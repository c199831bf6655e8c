import type { StaffIdentity } from '@gapura/sdk'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { numberText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { StatusPill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import {
  hrefOf,
  isHere,
  MissingCells,
  pagesOfCells,
  PaymentLink,
  showsAll,
  type Row,
} from './cells.tsx'
import { FilterBar } from './filter_bar.tsx'
import { queryOf } from './payment_search.ts'
import { Totals } from './totals.tsx'

const route = getRouteApi('/payments')

const PAGE_SIZE = 50

export function PaymentsPage() {
  const speech = useSpeech()
  const { say, language } = speech
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/payments', search)
  const { client, me } = useSession()
  const all = showsAll(me, search)
  const { rows, more, unreachable, ...list } = useList<Row>({
    key: ['payments', search],
    list: (signal) =>
      all
        ? pagesOfCells({ client, search, page_size: PAGE_SIZE }, signal)
        : client.staff.payments.list({ ...queryOf(search), page_size: PAGE_SIZE }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech, me, all), [speech, me, all])
  const open = (row: Row): void => {
    const href = hrefOf(me, row)
    if (isHere(me, row)) void navigate({ to: '/payments/$id', params: { id: row.id } })
    else if (href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  }
  return (
    <>
      <h1>{say('page_payments')}</h1>
      <FilterBar search={search} />
      {all ? <p className="totals quiet">{say('cells_totals')}</p> : <Totals search={search} />}
      <MissingCells cells={unreachable} again={() => void list.refetch()} />
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('list_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('page_payments')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={open}
          more={more}
        />
      )}
      <p className="quiet small foot" aria-live="off">
        {say('list_shown', { count: numberText(language, rows.length) })}
        {list.isSuccess &&
          more === undefined &&
          unreachable.length === 0 &&
          ` · ${say('list_end')}`}
        <span className="keys"> · {say('keys_hint')}</span>
      </p>
    </>
  )
}

/** The customer's name, or e-mail. */
const customerOf = ({ customer_name, customer_email, customer_phone }: Row) =>
  customer_name ?? customer_email ?? customer_phone ?? '–'

const columnsOf = ({ say, word }: Speech, me: StaffIdentity, all: boolean): Column<Row>[] => [
  {
    name: say('column_order'),
    cell: (row) => (
      <PaymentLink row={row} me={me}>
        {row.order_id}
      </PaymentLink>
    ),
    under: (row) =>
      [...(all ? [row.cell] : []), customerOf(row), word('type', row.payment_type)].join(' · '),
  },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ gross_amount }) => rupiah(gross_amount),
    under: ({ transaction_status, fraud_status }) => (
      <StatusPill status={transaction_status} fraud={fraud_status} />
    ),
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ transaction_status, fraud_status }) => (
      <StatusPill status={transaction_status} fraud={fraud_status} />
    ),
  },
  {
    name: say('column_method'),
    only: 'middle',
    cell: ({ payment_type, bank, store }) => (
      <>
        {word('type', payment_type)}{' '}
        <span className="quiet">{(bank ?? store ?? '').toUpperCase()}</span>
      </>
    ),
  },
  { name: say('column_customer'), only: 'middle', cell: customerOf },
  ...(all
    ? [{ name: say('column_cell'), only: 'middle' as const, cell: ({ cell }: Row) => cell }]
    : []),
  { name: say('column_owner'), only: 'wide', cell: ({ owner_id }) => owner_id },
  {
    name: say('column_created'),
    only: 'wide',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
