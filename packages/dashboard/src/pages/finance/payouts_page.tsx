import type { PayoutRow } from '@gapura/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'

/** The gateway's payouts, and what the bank received of each. */
export function PayoutsPage() {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const { rows, more, ...asked } = useList({
    key: ['payouts'],
    list: (signal) => client.staff.reconciliation.listPayouts({ page_size: 50 }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <FinanceFrame title={say('finance_payouts')}>
      <p className="quiet block">{say('payouts_lead')}</p>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{say('payouts_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('finance_payouts')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) => void navigate({ to: '/finance/payouts/$id', params: { id } })}
          more={more}
        />
      )}
    </FinanceFrame>
  )
}

const columnsOf = ({ say, language, word }: Speech): Column<PayoutRow>[] => [
  {
    name: say('payout_reference'),
    cell: ({ id, reference, day }) => (
      <Link to="/finance/payouts/$id" params={{ id }}>
        {reference ?? dayText(language, day)}
      </Link>
    ),
    under: ({ day }) => dayText(language, day),
  },
  {
    name: say('statement_day'),
    only: 'middle',
    size: 'day',
    cell: ({ day }) => dayText(language, day),
  },
  {
    name: say('payout_stated'),
    amount: true,
    cell: ({ stated }) => (stated === null ? '–' : rupiah(stated)),
    under: ({ state }) => <Pill group="match" state={state} />,
  },
  {
    name: say('payout_received'),
    amount: true,
    only: 'middle',
    cell: ({ received }) => (received === null ? '–' : rupiah(received)),
  },
  {
    name: say('column_status'),
    only: 'middle',
    size: 'short',
    cell: ({ state }) => <Pill group="match" state={state} />,
  },
  {
    name: say('exception_cause'),
    only: 'wide',
    cell: ({ cause }) => (cause === null ? '–' : word('cause', cause)),
  },
]
