import type { StatementImportDetail, StatementLine } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { dayText, numberText, rupiah } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable, type PlainColumn } from '../../parts/plain_table.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'
import { reasonText } from './reason_text.ts'

const route = getRouteApi('/finance/statements/$id')

/** An imported file: what it says of itself, what could not be read, and its lines. */
export function StatementPage() {
  const { id } = route.useParams()
  const { repeated } = route.useSearch()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['statement', id],
    queryFn: async ({ signal }) => await client.staff.statements.get(id, { signal }),
  })
  return (
    <FinanceFrame title={asked.data?.file_name ?? say('finance_statement')}>
      {repeated !== undefined && (
        <p className="notice" role="status">
          {say('statement_repeated')}
        </p>
      )}
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && (
        <>
          <Summary statement={asked.data} />
          <Refused statement={asked.data} />
          <Lines id={id} />
        </>
      )}
    </FinanceFrame>
  )
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function Summary({ statement }: { statement: StatementImportDetail }) {
  const { say, word, language } = useSpeech()
  const { summary, lines_read, lines_new, lines_known, lines_refused } = statement
  const opening = textOf(summary['opening_balance'])
  const closing = textOf(summary['closing_balance'])
  const { balanced } = summary
  return (
    <section className="sheet block">
      <h2>{say('statement_summary')}</h2>
      <Facts
        facts={[
          [say('statement_format'), word('format', statement.format)],
          [say('statement_side'), word('side', statement.side)],
          [say('statement_account'), textOf(summary['account'])],
          [say('statement_opening'), opening && rupiah(opening)],
          [say('statement_closing'), closing && rupiah(closing)],
          [
            say('statement_balanced'),
            typeof balanced === 'boolean' &&
              say(balanced ? 'statement_agrees' : 'statement_differs'),
          ],
          [say('statement_read'), numberText(language, lines_read)],
          [say('statement_new'), numberText(language, lines_new)],
          [say('statement_known'), numberText(language, lines_known)],
          [say('statement_refused'), numberText(language, lines_refused)],
          [say('statement_by'), statement.imported_by],
          [say('statement_at'), <Moment key="at" at={statement.created_at} />],
        ]}
      />
    </section>
  )
}

function Refused({ statement: { refusals, lines_refused } }: { statement: StatementImportDetail }) {
  const { say, language } = useSpeech()
  if (lines_refused === 0) return null
  return (
    <section className="sheet block">
      <h2>{say('statement_refused_lines')}</h2>
      <p className="quiet">{say('statement_refused_lead')}</p>
      <PlainTable
        label={say('statement_refused_lines')}
        rows={refusals}
        idOf={({ line_number }) => String(line_number)}
        columns={[
          {
            name: say('statement_line'),
            amount: true,
            cell: ({ line_number }) => numberText(language, line_number),
          },
          {
            name: say('column_reason'),
            cell: ({ reason }) => reasonText(language, reason),
          },
          {
            name: say('statement_content'),
            only: 'middle',
            cell: ({ content }) => <code>{content.slice(0, 200)}</code>,
          },
        ]}
      />
      {refusals.length < lines_refused && (
        <p className="quiet foot">{say('statement_more_refused', { count: refusals.length })}</p>
      )}
    </section>
  )
}

function Lines({ id }: { id: string }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const { rows, more, ...asked } = useList({
    key: ['statement_lines', id],
    list: (signal) =>
      client.staff.statements.listLines({ import_id: id, page_size: 100 }, { signal }),
  })
  return (
    <section className="sheet block">
      <h2>{say('statement_lines')}</h2>
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="quiet">{say('statement_no_lines')}</p>}
      {rows.length > 0 && <LineTable rows={rows} />}
      {more !== undefined && (
        <p className="foot">
          <button type="button" disabled={asked.isFetching} onClick={more}>
            {say('more_lines')}
          </button>
        </p>
      )}
    </section>
  )
}

function LineTable({ rows }: { rows: readonly StatementLine[] }) {
  const speech = useSpeech()
  // A bank states no fee and no order: a column that no line fills is left out.
  const filled = lineColumns(speech).filter(
    ({ of }) => of === undefined || rows.some((row) => row[of] !== null),
  )
  return (
    <PlainTable
      label={speech.say('statement_lines')}
      rows={rows}
      idOf={({ id }) => id}
      columns={filled}
    />
  )
}

type LineColumn = PlainColumn<StatementLine> & { of?: 'fee' | 'order_id' | 'reference' }

const lineColumns = ({ say, word, language }: Speech): LineColumn[] => [
  {
    name: say('statement_line'),
    amount: true,
    only: 'wide',
    cell: ({ line_number: number }) => number !== null && numberText(language, number),
  },
  { name: say('statement_day'), cell: ({ day }) => day && dayText(language, day) },
  { name: say('statement_kind'), only: 'middle', cell: ({ kind }) => word('line', kind) },
  {
    name: say('column_amount'),
    amount: true,
    cell: ({ amount }) => amount !== null && rupiah(amount),
  },
  {
    of: 'fee',
    name: say('statement_fee'),
    amount: true,
    only: 'wide',
    cell: ({ fee }) => fee !== null && rupiah(fee),
  },
  {
    of: 'order_id',
    name: say('column_order'),
    only: 'middle',
    cell: ({ order_id }) =>
      order_id && (
        <Link to="/payments" search={{ order_id }}>
          {order_id}
        </Link>
      ),
  },
  {
    of: 'reference',
    name: say('statement_reference'),
    only: 'wide',
    cell: ({ reference }) => reference,
  },
  {
    name: say('statement_description'),
    cell: ({ description }) => <span className="address">{description}</span>,
  },
]
