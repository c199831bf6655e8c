import type { NotificationSummary } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { useFresh } from '../../live.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { meaningOf } from './meaning.ts'

const route = getRouteApi('/notifications')

export const EFFECTS = [
  'applied',
  'duplicate',
  'stale',
  'deferred',
  'unmatched',
  'mismatch',
  'failed',
] as const

export function NotificationsPage() {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/notifications', search)
  const effect = EFFECTS.find((one) => one === search.effect)
  const all = search.all !== undefined || effect !== undefined
  const { rows, more, ...list } = useList({
    key: ['notifications', search],
    list: (signal) =>
      client.staff.notifications.list(
        { page_size: 50, ...(effect && { effect }), ...(!all && { relevant: true }) },
        { signal },
      ),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <>
      <h1>{say('page_notifications')}</h1>
      <Attention />
      <h2 className="section">{say('all_notifications')}</h2>
      <div className="filters">
        <Select
          label={say('filter_effect')}
          value={effect}
          options={[
            ['', say('filter_any')],
            ...EFFECTS.map((one) => [one, word('effect', one)] as const),
          ]}
          choose={(next) =>
            void navigate({
              to: '/notifications',
              search: next === undefined ? {} : { effect: next },
            })
          }
        />
        {effect === undefined && (
          <label className="check">
            <input
              type="checkbox"
              checked={all}
              onChange={({ target }) =>
                void navigate({
                  to: '/notifications',
                  search: target.checked ? { all: 'yes' } : {},
                })
              }
            />
            {say('notifications_all')}
          </label>
        )}
      </div>
      {!all && <p className="quiet small folded">{say('notifications_folded')}</p>}
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('none')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('all_notifications')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/notifications/$id', params: { id } })}
          more={more}
        />
      )}
    </>
  )
}

/** Unmatched and mismatched notifications first: they may be payments that are not recorded. */
function Attention() {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  useFresh('attention')
  const asked = useQuery({
    queryKey: ['attention'],
    queryFn: async ({ signal }) =>
      await client.staff.notifications.list({ attention: true, page_size: 20 }, { signal }).page(),
  })
  const rows = asked.data?.results ?? []
  const columns = columnsOf(speech)
  return (
    <section className="sheet">
      <h2>{say('attention')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {rows.length === 0 ? (
        <p className="quiet">{say('attention_none')}</p>
      ) : (
        <>
          <p className="quiet small">{say('attention_lead')}</p>
          <table className="plain" aria-label={say('attention')}>
            <thead>
              <tr>
                {columns.map(({ name, only = '' }) => (
                  <th key={name} scope="col" className={only}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  {columns.map(({ name, only = '', cell }) => (
                    <td key={name} className={only}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

const columnsOf = (speech: Speech): Column<NotificationSummary>[] => [
  {
    name: speech.say('column_order'),
    cell: ({ id, order_id }) => (
      <Link to="/notifications/$id" params={{ id }}>
        {order_id ?? '–'}
      </Link>
    ),
    under: (row) => meaningOf(speech, row),
  },
  {
    name: speech.say('column_reported'),
    only: 'middle',
    size: 'short',
    cell: ({ transaction_status }) =>
      transaction_status === null ? '–' : <Pill group="status" state={transaction_status} />,
  },
  {
    name: speech.say('column_effect'),
    size: 'effect',
    cell: ({ effect }) => <Pill group="effect" state={effect} />,
  },
  {
    name: speech.say('column_means'),
    only: 'middle',
    size: 'text',
    cell: (row) => meaningOf(speech, row),
  },
  {
    name: speech.say('column_received'),
    only: 'wide',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
