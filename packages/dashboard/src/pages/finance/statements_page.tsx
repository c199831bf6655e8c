import type { StatementImport } from '@gapura/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { numberText } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useList } from '../../lists.ts'
import { ListTable, type Column } from '../../parts/list_table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'
import { ImportStatement } from './import_statement.tsx'

/** The imported statements, newest first. */
export function StatementsPage() {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const navigate = useNavigate()
  const { rows, more, ...asked } = useList({
    key: ['statements'],
    list: (signal) => client.staff.statements.list({ page_size: 50 }, { signal }),
  })
  const columns = useMemo(() => columnsOf(speech), [speech])
  return (
    <FinanceFrame title={say('finance_statements')}>
      <p className="quiet">{say('statements_lead')}</p>
      <div className="filters">
        <ImportStatement />
        <Link to="/finance/mappings" search={{}}>
          {say('mapping_edit')}
        </Link>
      </div>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{say('statements_empty')}</p>}
      {rows.length > 0 && (
        <ListTable
          label={say('finance_statements')}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={({ id }) =>
            void navigate({ to: '/finance/statements/$id', params: { id }, search: {} })
          }
          more={more}
        />
      )}
    </FinanceFrame>
  )
}

const columnsOf = ({ say, word, language }: Speech): Column<StatementImport>[] => [
  {
    name: say('file'),
    cell: ({ id, file_name }) => (
      <Link to="/finance/statements/$id" params={{ id }} search={{}} title={file_name}>
        {file_name}
      </Link>
    ),
    under: ({ format }) => word('format', format),
  },
  { name: say('statement_format'), only: 'middle', cell: ({ format }) => word('format', format) },
  {
    name: say('statement_new'),
    amount: true,
    cell: ({ lines_new }) => numberText(language, lines_new),
    under: ({ lines_refused }) =>
      `${say('statement_refused')}: ${numberText(language, lines_refused)}`,
  },
  {
    name: say('statement_known'),
    amount: true,
    only: 'middle',
    cell: ({ lines_known }) => numberText(language, lines_known),
  },
  {
    name: say('statement_refused'),
    amount: true,
    only: 'middle',
    cell: ({ lines_refused }) => numberText(language, lines_refused),
  },
  { name: say('statement_by'), only: 'wide', cell: ({ imported_by }) => imported_by },
  {
    name: say('statement_at'),
    only: 'middle',
    size: 'time',
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]
