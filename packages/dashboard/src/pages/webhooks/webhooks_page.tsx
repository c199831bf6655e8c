import type { WebhookEndpoint, WebhookEndpointInput } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useSpeech, type Speech } from '../../language.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { ListPage } from '../../parts/list_page.tsx'
import type { Column } from '../../parts/list_table.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { useSession } from '../../session.tsx'
import { CreateDialog } from './create_dialog.tsx'
import { SecretDialog } from './secret_dialog.tsx'

const route = getRouteApi('/webhooks')

const STATES = ['enabled', 'paused', 'disabled'] as const

export function WebhooksPage() {
  const speech = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/webhooks', search)
  const state = STATES.find((one) => one === search.state)
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <ListPage
      title={speech.say('page_webhooks')}
      empty={speech.say('webhooks_empty')}
      query={['webhooks', search]}
      list={(signal) =>
        client.webhookEndpoints.list({ page_size: 50, ...(state && { state }) }, { signal })
      }
      columns={columns}
      open={({ id }) => void navigate({ to: '/webhooks/$id', params: { id } })}
      status={{
        label: speech.say('webhook_state'),
        group: 'endpoint',
        known: STATES,
        chosen: state,
        choose: (next) =>
          void navigate({ to: '/webhooks', search: next === undefined ? {} : { state: next } }),
      }}
    >
      <Create />
    </ListPage>
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
      <Link className="phrase address" to="/webhooks/$id" params={{ id }} title={url}>
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
