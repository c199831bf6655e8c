import type { ReactNode } from 'react'

export interface PlainColumn<Row> {
  name: string
  amount?: true
  /** Left out where the screen is narrow. */
  only?: 'wide' | 'middle'
  cell: (row: Row) => ReactNode
}

interface PlainTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly PlainColumn<Row>[]
  idOf: (row: Row) => string
}

const classOf = ({ amount, only }: { amount?: true; only?: string }): string | undefined =>
  [amount && 'amount', only].filter(Boolean).join(' ') || undefined

/** A table of some rows, all of them in the page. */
export const PlainTable = <Row,>({ label, rows, columns, idOf }: PlainTableProps<Row>) => (
  <table className="plain" aria-label={label}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" className={classOf(column)}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={idOf(row)}>
          {columns.map((column) => (
            <td key={column.name} className={classOf(column)}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
