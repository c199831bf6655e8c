import type { WebhookEndpoint, WebhookEndpointInput } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { CreateDialog } from './create_dialog.tsx'
import { SecretDialog } from './secret_dialog.tsx'

const route = getRouteApi('/webhooks')

const STATES = ['enabled', 'paused', 'disabled'] as const

export function WebhooksPage() {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/webhooks', search)
  const state = STATES.find((one) => one === search.state)
  const { rows, more, ...list } = useList({
    key: ['webhooks', search],
    list: (signal) =>
      client.webhookEndpoints.list({ page_size: 50, ...(state && { state }) }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <>
      <h1>{say('page_webhooks')}</h1>
      <div className="filters">
        <Select
          label={say('webhook_state')}
          value={state}
          options={[
            ['', say('filter_any')],
            ...STATES.map((one) => [one, word('endpoint', one)] as const),
          ]}
          choose={(next) =>
            void navigate({ to: '/webhooks', search: next === undefined ? {} : { state: next } })
          }
        />
        <Create />
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="empty">{say('webhooks_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('page_webhooks')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/webhooks/$id', params: { id } })}
          more={more}
        />
      )}
    </>
  )
}

/** The button, the form, and the secret after it; nothing without the scope. */
function Create() {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [open, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | undefined>()
  const creating = useAct({
    act: async (input: WebhookEndpointInput) => await client.webhookEndpoints.create(input),
    done: () => say('webhook_created'),
    changes: ['webhooks'],
  })
  if (!may.has('webhooks:write')) return null
  const created = (made: { secret: string }): void => {
    setOpen(false)
    setSecret(made.secret)
    // The mutation would keep the secret for as long as the page is open.
    creating.reset()
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('webhook_create')}
      </button>
      {open && (
        <CreateDialog
          mayAllOwners={may.has('staff:act')}
          error={creating.error}
          busy={creating.isPending}
          create={(input) => creating.mutate(input, { onSuccess: created })}
          close={() => setOpen(false)}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

const columnsOf = ({ say }: Speech): Column<WebhookEndpoint>[] => [
  {
    name: say('webhook_url'),
    cell: ({ id, url }) => (
      <Link to="/webhooks/$id" params={{ id }} title={url}>
        {url}
      </Link>
    ),
  },
  {
    name: say('webhook_types'),
    only: 'wide',
    cell: ({ types }) => types?.join(', ') ?? say('webhook_all_types'),
  },
  {
    name: say('webhook_state'),
    size: 'short',
    cell: ({ state }) => <Pill group="endpoint" state={state} />,
  },
  {
    name: say('column_owner'),
    only: 'middle',
    size: 'short',
    cell: ({ owner_id }) => owner_id ?? say('webhook_all_owners'),
  },
  {
    name: say('webhook_failing'),
    only: 'middle',
    size: 'time',
    cell: ({ failing_since }) => <Moment at={failing_since} />,
  },
]
