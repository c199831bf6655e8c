import type { StaffRefund } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListPage } from '../../parts/list_page.tsx'
import type { Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { useSession } from '../../session.tsx'

const route = getRouteApi('/refunds')

const STATUSES = ['succeeded', 'pending', 'failed'] as const
const SOURCES = ['service', 'gateway', 'outside'] as const

/** The refunds of all payments, those paid outside the gateway among them. */
export function RefundsPage() {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/refunds', search)
  const status = STATUSES.find((one) => one === search.status)
  const source = SOURCES.find((one) => one === search.source)
  const columns = useMemo(() => columnsOf(speech), [speech])
  const show = (next: { status?: string | undefined; source?: string | undefined }): void =>
    void navigate({
      to: '/refunds',
      search: {
        ...(next.status && { status: next.status }),
        ...(next.source && { source: next.source }),
      },
    })
  return (
    <ListPage
      title={say('page_refunds')}
      empty={say('refunds_empty')}
      query={['refunds', search]}
      list={(signal) =>
        client.staff.refunds.list(
          { page_size: 50, ...(status && { status }), ...(source && { source }) },
          { signal },
        )
      }
      columns={columns}
      open={({ payment_id: id }) => void navigate({ to: '/payments/$id', params: { id } })}
      status={{
        group: 'refund',
        known: STATUSES,
        chosen: status,
        choose: (next) => show({ status: next, source }),
      }}
    >
      <Select
        label={say('refund_source')}
        value={source}
        options={[
          ['', say('filter_any')],
          ...SOURCES.map((one) => [one, word('source', one)] as const),
        ]}
        choose={(next) => show({ status, source: next })}
      />
    </ListPage>
  )
}

const columnsOf = ({ say, word }: Speech): Column<StaffRefund>[] => [
  {
    name: say('column_order'),
    cell: ({ payment_id: id, order_id }) => (
      <Link to="/payments/$id" params={{ id }} title={order_id}>
        {order_id}
      </Link>
    ),
    under: ({ source, reference }) => `${word('source', source)} ${reference ?? ''}`,
  },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ amount }) => rupiah(amount),
    under: ({ status }) => <Pill group="refund" state={status} />,
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ status }) => <Pill group="refund" state={status} />,
  },
  {
    name: say('refund_source'),
    only: 'middle',
    cell: ({ source, reference }) =>
      reference === null ? word('source', source) : `${word('source', source)}: ${reference}`,
  },
  {
    name: say('refund_reason'),
    only: 'wide',
    cell: ({ reason }) => <span className="two-lines">{reason}</span>,
  },
  {
    name: say('refund_by'),
    only: 'wide',
    cell: ({ requested_by, approved_by }) => [requested_by, approved_by].filter(Boolean).join(', '),
  },
  {
    name: say('column_created'),
    only: 'middle',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
