import type { SubscriptionSummary } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const route = getRouteApi('/subscriptions')

export const SUBSCRIPTION_STATUSES = [
  'active',
  'inactive',
  'disabled',
  'cancelled',
  'initiated',
  'failure',
] as const

export function SubscriptionsPage() {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/subscriptions', search)
  const status = SUBSCRIPTION_STATUSES.find((one) => one === search.status)
  const { rows, more, ...list } = useList({
    key: ['subscriptions', search],
    list: (signal) =>
      client.subscriptions.list({ page_size: 50, ...(status && { status }) }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <>
      <h1>{say('page_subscriptions')}</h1>
      <div className="filters">
        <Select
          label={say('filter_status')}
          value={status}
          options={[
            ['', say('filter_any')],
            ...SUBSCRIPTION_STATUSES.map((one) => [one, word('subscription', one)] as const),
          ]}
          choose={(next) =>
            void navigate({
              to: '/subscriptions',
              search: next === undefined ? {} : { status: next },
            })
          }
        />
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('subscriptions_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('page_subscriptions')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/subscriptions/$id', params: { id } })}
          more={more}
        />
      )}
    </>
  )
}

const columnsOf = ({ say, word }: Speech): Column<SubscriptionSummary>[] => [
  {
    name: say('name'),
    cell: ({ id, name }) => (
      <Link to="/subscriptions/$id" params={{ id }}>
        {name}
      </Link>
    ),
    under: ({ current_interval: done, max_interval: max }) =>
      say('cycles_done', { done, max: max ?? '∞' }),
  },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ amount }) => rupiah(amount),
    under: ({ status }) => <Pill group="subscription" state={status} />,
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ status }) => <Pill group="subscription" state={status} />,
  },
  {
    name: say('every'),
    only: 'middle',
    cell: ({ interval, interval_unit }) =>
      `${interval} ${word('unit', interval === 1 ? interval_unit : `${interval_unit}s`)}`,
  },
  {
    name: say('cycles'),
    only: 'middle',
    cell: ({ current_interval: done, max_interval: max }) =>
      say('cycles_done', { done, max: max ?? '∞' }),
  },
  {
    name: say('next_cycle'),
    only: 'wide',
    size: 'time',
    cell: ({ next_execution_at }) => <Moment at={next_execution_at} />,
  },
]
