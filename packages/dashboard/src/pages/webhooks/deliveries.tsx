import type { WebhookDelivery, WebhookEndpoint } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { jakartaClock, jakartaTime, numberText, secondText } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ConfirmDialog } from '../../parts/reason_dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { TimeField } from '../../parts/time_field.tsx'
import { useSession } from '../../session.tsx'
import { useLook, useSending } from './sending.ts'

const route = getRouteApi('/webhooks/$id')

const OUTCOMES = ['failed', 'delivered'] as const

interface DeliveriesProps {
  endpoint: WebhookEndpoint
  /** Whether the staff member may send events again. */
  may: boolean
}

/** The log: every attempt at this endpoint, newest first. */
export function Deliveries({ endpoint: { id, state }, may }: DeliveriesProps) {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const look = useLook()
  const search = route.useSearch()
  const outcome = OUTCOMES.find((one) => one === search.outcome)
  const query = { endpoint_id: id, page_size: 50, ...(outcome && { outcome }) }
  const { rows, more, ...list } = useList({
    key: ['deliveries', id, outcome],
    list: (signal) => client.webhookDeliveries.list(query, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  const show = (next: string | undefined): void =>
    void navigate({
      to: '/webhooks/$id',
      params: { id },
      search: next === undefined ? {} : { outcome: next },
    })
  return (
    <section aria-labelledby="deliveries">
      <h2 className="section" id="deliveries">
        {say('deliveries')}
      </h2>
      <div className="filters">
        <Select
          label={say('delivery_outcome')}
          value={outcome}
          options={[
            ['', say('filter_any')],
            ...OUTCOMES.map((one) => [one, word('delivery', one)] as const),
          ]}
          choose={show}
        />
        <button type="button" onClick={look}>
          {say('deliveries_refresh')}
        </button>
        {may && state === 'enabled' && <ResendFailed id={id} />}
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('deliveries_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('deliveries')}
          rows={rows}
          columns={columns}
          idOf={(row) => row.id}
          open={(row) =>
            void navigate({
              to: '/webhooks/$id/deliveries/$delivery',
              params: { id, delivery: row.id },
            })
          }
          more={more}
        />
      )}
    </section>
  )
}

const DAY_MS = 86_400_000

function ResendFailed({ id }: { id: string }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  const [since, setSince] = useState('')
  const sending = useSending({
    act: async (time: string) =>
      await client.webhookEndpoints.resend(id, {
        from: jakartaTime(time),
        outcome: 'failed',
      }),
    done: ({ queued }) => say('delivery_queued', { count: queued }),
  })
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setSince(jakartaClock(Date.now() - DAY_MS))
          setOpen(true)
        }}
      >
        {say('resend')}
      </button>
      {open && (
        <ConfirmDialog
          title={say('resend_title')}
          confirm={say('resend_do')}
          error={sending.error}
          busy={sending.isPending}
          act={() => sending.mutate(since, { onSuccess: () => setOpen(false) })}
          close={() => setOpen(false)}
        >
          <TimeField label={say('resend_since')} time={since} choose={setSince} required />
        </ConfirmDialog>
      )}
    </>
  )
}

const columnsOf = ({ say, word, language }: Speech): Column<WebhookDelivery>[] => [
  {
    name: say('delivery_time'),
    size: 'second',
    cell: ({ id, endpoint_id, created_at }) => (
      <Link to="/webhooks/$id/deliveries/$delivery" params={{ id: endpoint_id, delivery: id }}>
        <time dateTime={created_at}>{secondText(language, created_at)}</time>
      </Link>
    ),
  },
  { name: say('event_type'), cell: ({ type }) => type },
  {
    name: say('delivery_outcome'),
    size: 'outcome',
    cell: ({ outcome }) => <Pill group="delivery" state={outcome} />,
  },
  { name: say('delivery_attempt'), only: 'wide', size: 'number', cell: ({ attempt }) => attempt },
  {
    name: say('delivery_status'),
    only: 'middle',
    size: 'number',
    cell: ({ response_status }) => response_status ?? '–',
  },
  {
    name: say('delivery_ms'),
    only: 'wide',
    size: 'number',
    cell: ({ duration_ms }) => numberText(language, duration_ms),
  },
  {
    name: say('delivery_error'),
    only: 'wide',
    size: 'short',
    cell: ({ error_class }) => (error_class === null ? '' : word('fault', error_class)),
  },
]
