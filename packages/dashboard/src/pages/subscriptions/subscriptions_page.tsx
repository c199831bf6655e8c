import type { SubscriptionSummary } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListPage } from '../../parts/list_page.tsx'
import type { Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
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
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/subscriptions', search)
  const status = SUBSCRIPTION_STATUSES.find((one) => one === search.status)
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <ListPage
      title={speech.say('page_subscriptions')}
      empty={speech.say('subscriptions_empty')}
      query={['subscriptions', search]}
      list={(signal) =>
        client.subscriptions.list({ page_size: 50, ...(status && { status }) }, { signal })
      }
      columns={columns}
      open={({ id }) => void navigate({ to: '/subscriptions/$id', params: { id } })}
      status={{
        group: 'subscription',
        known: SUBSCRIPTION_STATUSES,
        chosen: status,
        choose: (next) =>
          void navigate({
            to: '/subscriptions',
            search: next === undefined ? {} : { status: next },
          }),
      }}
    />
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
