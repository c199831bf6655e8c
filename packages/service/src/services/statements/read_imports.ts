import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import { STATEMENT_SIDES, STATEMENT_SOURCES, type StatementLine } from '../../domain/statement.ts'
import { isDay } from '../../domain/statement_values.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import {
  findImport,
  listImports,
  listRefusals,
  type StatementImport,
  type StatementRefusal,
} from '../../store/statements/imports.ts'
import { listLines, type LineFilters } from '../../store/statements/lines.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'

const maybe = Type.Optional
const closed = { additionalProperties: false }

export const IMPORT_QUERY = Type.Object({ ...PAGE_QUERY }, closed)
export const parseImportQuery = listQueryParser(IMPORT_QUERY, () => ({ filters: {} }))

const text = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

export const LINE_QUERY = Type.Object(
  {
    side: maybe(Type.Enum([...STATEMENT_SIDES], { description: 'Whose statement.' })),
    source: maybe(Type.Enum([...STATEMENT_SOURCES], { description: 'Where it was read.' })),
    day: maybe(text('Only lines of this day in Jakarta, as 2026-01-31.')),
    order_id: maybe(text('Only lines about this order.')),
    reference: maybe(text('Only lines with this reference.')),
    import_id: maybe(Type.String({ format: 'uuid', description: 'Only lines of this file.' })),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseLineQuery = listQueryParser(
  LINE_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({
    filters,
    faults:
      filters.day === undefined || isDay(filters.day)
        ? []
        : [{ field: 'day', message: 'must be a day as 2026-01-31' }],
  }),
)

/** A page of imported files, the newest first. For staff. */
export async function listStatementImports(
  ctx: Context,
  caller: Caller,
  _filters: object,
  page: PageRequest,
): Promise<Page<StatementImport>> {
  requireStaff(caller, 'staff:read')
  return await withReadTransaction(ctx.db, async (tx) => await listImports(tx, page))
}

/** An imported file with the lines that were refused. For staff. */
export async function readStatementImport(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<(StatementImport & { refusals: StatementRefusal[] }) | undefined> {
  requireStaff(caller, 'staff:read')
  return await withReadTransaction(ctx.db, async (tx) => {
    const found = await findImport(tx, id)
    return found && { ...found, refusals: await listRefusals(tx, id) }
  })
}

const shown = (amount: Money | null): string | null =>
  amount === null ? null : formatMoney(amount)

const representation = (line: StatementLine) => ({
  ...line,
  amount: shown(line.amount),
  fee: shown(line.fee),
  balance: shown(line.balance),
})

/** A page of lines, the newest first; of one that changed, every version. For staff. */
export async function listStatementLines(
  ctx: Context,
  caller: Caller,
  filters: LineFilters,
  page: PageRequest,
): Promise<Page<ReturnType<typeof representation>>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listLines(tx, filters, page))
  return { ...found, results: found.results.map(representation) }
}
