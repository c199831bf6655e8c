// The list over all cells (ADR 0039): its pages, the cell of a row, and what did not answer.
import type { CellPaymentSummary, Client, StaffIdentity, StaffPaymentSummary } from '@gapura/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSpeech } from '../../language.ts'
import type { ListedPage } from '../../lists.ts'
import { queryOf, type PaymentSearch } from './payment_search.ts'

/** A row of one cell has no `cell`. */
export type Row = StaffPaymentSummary & Partial<Pick<CellPaymentSummary, 'cell'>>

/** Whether the payments of all cells are listed: it is chosen, and the service can. */
export const showsAll = ({ cells }: StaffIdentity, search: PaymentSearch): boolean =>
  cells !== undefined && search.cells === 'all'

interface Asking {
  client: Client
  search: PaymentSearch
  page_size: number
}

/** The pages of all cells. One without rows ends the list: what is missing is asked for by a person. */
export const pagesOfCells = ({ client, search, page_size }: Asking, signal: AbortSignal) => ({
  page: async (cursor?: string): Promise<ListedPage<Row>> => {
    const query = { ...queryOf(search), page_size, ...(cursor !== undefined && { cursor }) }
    const { results, next_cursor, unreachable } = await client.staff.cells.listPayments(query, {
      signal,
    })
    const nextCursor = results.length === 0 ? undefined : (next_cursor ?? undefined)
    return { results, nextCursor, previousCursor: undefined, unreachable }
  },
})

export const isHere = ({ cells }: StaffIdentity, { cell }: Row): boolean =>
  cell === undefined || cell === cells?.here

/** The payment on the dashboard of its cell, which asks for a sign-in of its own. */
export function hrefOf({ cells }: StaffIdentity, { id, cell }: Row): string | undefined {
  const url = cells?.others.find(({ name }) => name === cell)?.dashboard_url
  return url === undefined || url === null ? undefined : `${url}#/payments/${id}`
}

interface PaymentLinkProps {
  row: Row
  me: StaffIdentity
  children: ReactNode
}

/** Another cell's payment opens beside this list. */
export function PaymentLink({ row, me, children }: PaymentLinkProps) {
  if (isHere(me, row)) {
    return (
      <Link to="/payments/$id" params={{ id: row.id }}>
        {children}
      </Link>
    )
  }
  const href = hrefOf(me, row)
  if (href === undefined) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

export function MissingCells({ cells, again }: { cells: readonly string[]; again: () => void }) {
  const { say } = useSpeech()
  if (cells.length === 0) return null
  return (
    <div className="notice" role="status">
      <p>{say('cells_missing', { cells: cells.join(', ') })}</p>
      <button type="button" onClick={again}>
        {say('try_again')}
      </button>
    </div>
  )
}
