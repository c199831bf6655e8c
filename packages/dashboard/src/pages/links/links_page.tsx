import type { CheckoutSummary } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useFiltersKept } from '../../parts/back_link.tsx'
import { ListPage } from '../../parts/list_page.tsx'
import type { Column } from '../../parts/list_table.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { useSession } from '../../session.tsx'
import { CreateLinkDialog, type LinkInput } from './create_link_dialog.tsx'

const route = getRouteApi('/links')

const STATUSES = ['open', 'completed', 'expired', 'cancelled', 'initiated', 'failure'] as const

/** Every checkout: those that staff sent as a link, and those of the shops. */
export function LinksPage() {
  const speech = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  useFiltersKept('/links', search)
  const status = STATUSES.find((one) => one === search.status)
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <ListPage
      title={speech.say('page_links')}
      empty={speech.say('links_empty')}
      query={['links', search]}
      list={(signal) =>
        client.checkouts.list({ page_size: 50, ...(status && { status }) }, { signal })
      }
      columns={columns}
      open={({ id }) => void navigate({ to: '/links/$id', params: { id } })}
      status={{
        group: 'checkout',
        known: STATUSES,
        chosen: status,
        choose: (next) =>
          void navigate({ to: '/links', search: next === undefined ? {} : { status: next } }),
      }}
    >
      <Create />
    </ListPage>
  )
}

/** The button and its form; a new link opens. */
function Create() {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const creating = useAct({
    act: async ({ owner_id, ...input }: LinkInput) =>
      owner_id === undefined
        ? await client.checkouts.create(input)
        : await client.staff.checkouts.create({ owner_id, ...input }),
    done: () => say('link_created'),
    changes: ['links'],
  })
  if (!may.has('payments:write')) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('link_create')}
      </button>
      {open && (
        <CreateLinkDialog
          error={creating.error}
          busy={creating.isPending}
          create={(input) =>
            creating.mutate(input, {
              onSuccess: ({ id }) => void navigate({ to: '/links/$id', params: { id } }),
            })
          }
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}

const columnsOf = ({ say }: Speech): Column<CheckoutSummary>[] => [
  {
    name: say('column_order'),
    size: 'id',
    cell: ({ id, order_id }) => (
      <Link className="whole-id" to="/links/$id" params={{ id }} title={order_id}>
        {order_id}
      </Link>
    ),
    under: ({ description }) => description,
  },
  {
    name: say('link_description'),
    only: 'middle',
    cell: ({ description }) => <span className="two-lines">{description}</span>,
  },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ amount }) => rupiah(amount),
    under: ({ status }) => <Pill group="checkout" state={status} />,
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'outcome',
    cell: ({ status }) => <Pill group="checkout" state={status} />,
  },
  {
    name: say('link_ends'),
    only: 'wide',
    size: 'time',
    cell: ({ expires_at }) => <Moment at={expires_at} />,
  },
  {
    name: say('column_created'),
    only: 'middle',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
