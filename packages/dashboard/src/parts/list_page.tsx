import type { Pages } from '@gapura/sdk'
import type { ReactNode } from 'react'
import { useSpeech } from '../language.ts'
import { useList } from '../lists.ts'
import { ListTable, type Column } from './list_table.tsx'
import { Select } from './select.tsx'
import { Loading, Trouble } from './states.tsx'

interface ListPageProps<Row, Status extends string> {
  title: string
  empty: string
  /** What it lists, and with which filters. */
  query: readonly [name: string, ...filters: unknown[]]
  list: (signal: AbortSignal) => Pages<Row>
  columns: readonly Column<Row>[]
  open: (row: Row) => void
  /** The filter by status, whose words are those of a group of texts. */
  status: {
    label?: string
    group: string
    known: readonly Status[]
    chosen: Status | undefined
    choose: (status: string | undefined) => void
  }
  /** Beside the filter, such as a button that creates a row. */
  children?: ReactNode
}

/** A page with a list that is filtered by status. */
export function ListPage<Row extends { id: string }, Status extends string>({
  title,
  empty,
  query,
  list,
  columns,
  open,
  status,
  children,
}: ListPageProps<Row, Status>) {
  const { say, word } = useSpeech()
  const { rows, more, ...asked } = useList({ key: query, list })
  return (
    <>
      <h1>{title}</h1>
      <div className="filters">
        <Select
          label={status.label ?? say('filter_status')}
          value={status.chosen}
          options={[
            ['', say('filter_any')],
            ...status.known.map((one) => [one, word(status.group, one)] as const),
          ]}
          choose={status.choose}
        />
        {children}
      </div>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{empty}</p>}
      {rows.length > 0 && (
        <ListTable
          label={title}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          open={open}
          more={more}
        />
      )}
    </>
  )
}
