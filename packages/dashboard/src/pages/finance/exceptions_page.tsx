import type { ReconciliationExceptionRow } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/exceptions')

const KINDS = ['payment', 'refund', 'chargeback', 'payout', 'bank', 'balance', 'other'] as const
const SHOWN = ['overdue', 'all'] as const

/** What differs between our payments, the gateway and the bank. */
export function ExceptionsPage() {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  const kind = KINDS.find((one) => one === search.kind)
  const shown = SHOWN.find((one) => one === search.show)
  const { rows, more, ...asked } = useList({
    key: ['exceptions', search],
    list: (signal) =>
      client.staff.reconciliation.listExceptions(
        {
          page_size: 50,
          ...(kind && { kind }),
          ...(search.payment_id && { payment_id: search.payment_id }),
          ...(shown === 'overdue' && { overdue: true }),
          ...(shown === 'all' && { closed: true }),
        },
        { signal },
      ),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  const show = (next: { kind?: string | undefined; show?: string | undefined }): void =>
    void navigate({
      to: '/finance/exceptions',
      search: { ...(next.kind && { kind: next.kind }), ...(next.show && { show: next.show }) },
    })
  return (
    <FinanceFrame title={say('finance_exceptions')}>
      <p className="quiet">{say('exceptions_lead')}</p>
      <div className="filters">
        <Select
          label={say('exception_about')}
          value={kind}
          options={[
            ['', say('filter_any')],
            ...KINDS.map((one) => [one, word('about', one)] as const),
          ]}
          choose={(next) => show({ kind: next, show: shown })}
        />
        <Select
          label={say('exception_show')}
          value={shown}
          options={[
            ['', say('exception_open')],
            ...SHOWN.map((one) => [one, word('exception', one)] as const),
          ]}
          choose={(next) => show({ kind, show: next })}
        />
      </div>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{say('exceptions_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('finance_exceptions')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/finance/exceptions/$id', params: { id } })}
          more={more}
        />
      )}
    </FinanceFrame>
  )
}

const columnsOf = ({ say, word, language }: Speech): Column<ReconciliationExceptionRow>[] => [
  {
    name: say('exception_cause'),
    cell: ({ id, cause, kind }) => (
      <Link className="phrase" to="/finance/exceptions/$id" params={{ id }}>
        {cause === null ? word('about', kind) : word('cause', cause)}
      </Link>
    ),
    under: ({ order_id, reference }) => order_id ?? reference,
  },
  {
    name: say('exception_subject'),
    only: 'middle',
    size: 'short',
    cell: ({ order_id, reference }) => order_id ?? reference,
  },
  {
    name: say('exception_ours'),
    amount: true,
    only: 'wide',
    cell: ({ ours }) => (ours === null ? '–' : rupiah(ours)),
  },
  {
    name: say('exception_theirs'),
    amount: true,
    only: 'wide',
    cell: ({ theirs }) => (theirs === null ? '–' : rupiah(theirs)),
  },
  {
    name: say('exception_effect'),
    amount: true,
    cell: ({ effect }) => rupiah(effect),
    under: ({ state }) => <Pill group="match" state={state} />,
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ state }) => <Pill group="match" state={state} />,
  },
  {
    name: say('exception_due'),
    only: 'middle',
    size: 'day',
    cell: ({ due_on }) => due_on && dayText(language, due_on),
  },
]
