// Files of rows, as CSV or as a workbook, page by page while they are sent. The audit gets two
// entries: the request, before the first row is sent, and at the end how many rows were sent.
import type { Caller } from '../../domain/caller.ts'
import { jakartaStamp } from '../../domain/time.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import { recordAudit, type AuditedAction } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { Streamed } from '../requests.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { workbookOf, WORKBOOK_TYPE, type Cell } from './workbook.ts'

export interface ExportedRow {
  /** Of its object, for the audit. */
  id: string
  cells: readonly string[]
}

export interface ExportedRows {
  /** Of the file and its sheet: `payments`. */
  name: string
  /** What is exported: the audit has `<kind>.export` and `<kind>.exported`. */
  subject_kind: 'payment' | 'ledger'
  /** What was asked for. */
  detail: object
  columns: readonly string[]
  /** The columns that are numbers in a workbook. */
  amounts: ReadonlySet<string>
  pages: () => AsyncIterable<readonly ExportedRow[]>
}

type Cells = readonly (readonly string[])[]

interface Format<Chunk extends string | Uint8Array> {
  content_type: string
  ending: string
  /** The file of the lines, of which the first page is the names of the columns. */
  chunks: (pages: AsyncIterable<Cells>) => AsyncIterable<Chunk>
}

export const exportedCsv = async (
  ctx: Context,
  caller: Caller,
  rows: ExportedRows,
): Promise<Streamed> =>
  await exported(ctx, caller, rows, {
    content_type: 'text/csv; charset=utf-8',
    ending: 'csv',
    chunks: csvOf,
  })

/** The same as a workbook, with amounts as numbers. */
export const exportedWorkbook = async (
  ctx: Context,
  caller: Caller,
  rows: ExportedRows,
): Promise<Streamed<Uint8Array>> =>
  await exported(ctx, caller, rows, {
    content_type: WORKBOOK_TYPE,
    ending: 'xlsx',
    chunks: (pages) => workbookOf(typedCells(pages, rows), rows.name),
  })

async function exported<Chunk extends string | Uint8Array>(
  ctx: Context,
  caller: Caller,
  rows: ExportedRows,
  { content_type, ending, chunks }: Format<Chunk>,
): Promise<Streamed<Chunk>> {
  const { name, subject_kind } = rows
  const export_id = newId()
  const request_id = ctx.telemetry?.marks?.()['request_id']
  const entry = (action: AuditedAction['action'], detail: object): AuditedAction => ({
    action,
    subject_kind,
    subject_id: '-',
    detail: { export_id, ...detail },
    // The rows are made outside of the request's own trace step.
    ...(request_id !== undefined && { request_id }),
  })
  const now = await withTransaction(ctx.db, async (tx) => {
    await recordAudit(tx, ctx, caller, entry(`${subject_kind}.export`, rows.detail))
    return await readClock(tx)
  })
  const stamp = jakartaStamp(now).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const pages = countedPages(rows, async (sent) => {
    const done = entry(`${subject_kind}.exported`, sent)
    await withTransaction(ctx.db, async (tx) => await recordAudit(tx, ctx, caller, done))
  })
  return {
    kind: 'stream',
    content_type,
    filename: `${name}-${stamp}.${ending}`,
    chunks: chunks(pages),
  }
}

/** What was sent, for the audit. */
interface Sent {
  rows: number
  /** Of the first rows. */
  ids: readonly string[]
  /** Whether the list was sent to its end, without a failure and without the client leaving. */
  complete: boolean
}

/** How many ids the audit stores of an export; a larger one is described by filters and count. */
const IDS_MAX = 100

/** Counts a row before it is sent, so that the audit never counts too few. */
async function* countedPages(
  { columns, pages }: ExportedRows,
  note: (sent: Sent) => Promise<void>,
): AsyncGenerator<Cells> {
  const sent = { rows: 0, ids: [] as string[], complete: false }
  try {
    yield [columns]
    for await (const page of pages()) {
      sent.rows += page.length
      sent.ids.push(...page.slice(0, IDS_MAX - sent.ids.length).map(({ id }) => id))
      yield page.map(({ cells }) => cells)
    }
    sent.complete = true
  } finally {
    // Without its audit entry a file must not look complete: the failure closes the connection.
    await note(sent)
  }
}

async function* csvOf(pages: AsyncIterable<Cells>): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK
  for await (const page of pages) {
    yield mark + page.map(csvLine).join('')
    mark = ''
  }
}

async function* typedCells(
  pages: AsyncIterable<Cells>,
  { columns, amounts }: ExportedRows,
): AsyncGenerator<Cell[][]> {
  let names = true
  for await (const page of pages) {
    yield page.map((cells, line) =>
      cells.map((text, at) => {
        const amount = amounts.has(columns[at] ?? '') && !(names && line === 0)
        return amount && text !== '' ? { number: text } : text
      }),
    )
    names = false
  }
}
