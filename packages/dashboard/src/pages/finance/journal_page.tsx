import type { LedgerEntry, LedgerPosting } from '@gapura/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { DayField } from '../../parts/day_field.tsx'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { accountName } from './account_name.ts'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/journal')

interface JournalRow extends LedgerPosting {
  entry: LedgerEntry
}

/** What was booked about a payment, or on a day, of all accounts or of one. */
export function JournalPage() {
  const speech = useSpeech()
  const { say } = speech
  const navigate = useNavigate()
  const search = route.useSearch()
  const { account, payment_id } = search
  return (
    <FinanceFrame title={say('finance_journal')}>
      <div className="filters">
        {payment_id === undefined && (
          <DayField
            label={say('ledger_booked_on')}
            day={search.day}
            choose={(day) =>
              void navigate({
                to: '/finance/journal',
                search: { ...(account && { account }), ...(day && { day }) },
              })
            }
          />
        )}
        {account !== undefined && (
          <Link to="/finance/account" search={{ account }}>
            {accountName(speech, account)}
          </Link>
        )}
        {payment_id !== undefined && (
          <Link to="/payments/$id" params={{ id: payment_id }}>
            {say('journal_to_payment')}
          </Link>
        )}
      </div>
      <Journal search={search} />
    </FinanceFrame>
  )
}

interface JournalSearch {
  account?: string
  day?: string
  payment_id?: string
}

function Journal({ search }: { search: JournalSearch }) {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const { rows, more, ...asked } = useList({
    key: ['ledger', 'journal', search],
    list: (signal) => client.staff.ledger.listJournal({ ...search, page_size: 50 }, { signal }),
  })
  const postings = useMemo(
    () => rows.flatMap((entry) => entry.postings.map((posting) => ({ ...posting, entry }))),
    [rows],
  )
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{say('journal_empty')}</p>}
      {postings.length > 0 && (
        <ListTable
          label={say('finance_journal')}
          rows={postings}
          columns={columns}
          idOf={({ entry, version, kind, line }) =>
            [entry.id, entry.created_at, version, kind, line].join(' ')
          }
          open={({ entry: { payment_id: id } }) =>
            id !== null && void navigate({ to: '/payments/$id', params: { id } })
          }
          more={more}
        />
      )}
    </>
  )
}

const columnsOf = (speech: Speech): Column<JournalRow>[] => {
  const { say, word, language } = speech
  return [
    {
      name: say('journal_what'),
      cell: ({ kind, entry: { payment_id: id } }) =>
        id === null ? (
          word('journal', kind)
        ) : (
          <Link to="/payments/$id" params={{ id }}>
            {word('journal', kind)}
          </Link>
        ),
      under: ({ source, destination }) =>
        `${accountName(speech, source)} → ${accountName(speech, destination)}`,
    },
    {
      name: say('journal_from'),
      only: 'middle',
      cell: ({ source }) => accountName(speech, source),
    },
    {
      name: say('journal_to'),
      only: 'middle',
      cell: ({ destination }) => accountName(speech, destination),
    },
    { name: say('column_amount'), amount: true, cell: ({ amount }) => rupiah(amount) },
    {
      name: say('ledger_booked_on'),
      only: 'middle',
      size: 'day',
      cell: ({ booked_on }) => dayText(language, booked_on),
    },
    {
      name: say('journal_happened'),
      only: 'wide',
      size: 'time',
      cell: ({ occurred_at }) => <Moment at={occurred_at} />,
    },
  ]
}
