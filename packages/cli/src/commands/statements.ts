// Statements of the gateway and the bank: files are imported here, and what was read is listed.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { FILE_FORMATS, type GapuraStaff } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { record, table } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Imported = Awaited<ReturnType<GapuraStaff['importStatement']>>
type Columns = NonNullable<Parameters<GapuraStaff['importStatement']>[1]['columns']>
type Shown = Awaited<ReturnType<GapuraStaff['getStatementImport']>>

const FORMATS = FILE_FORMATS.join(', ')

const importText = (made: Omit<Imported, 'repeated'>): string =>
  record([
    ['import', made.id],
    ['file', made.file_name],
    ['format', made.format],
    ['lines read', String(made.lines_read)],
    ['new', String(made.lines_new)],
    ['known before', String(made.lines_known)],
    ['refused', String(made.lines_refused)],
    ['imported', timeOf(made.created_at)],
    ['by', made.imported_by],
  ])

function formatOf(call: Call): Imported['format'] {
  const given = call.required('format')
  const format = FILE_FORMATS.find((one) => one === given)
  if (format === undefined) throw new UsageError(`no such format; there is ${FORMATS}`)
  return format
}

/** `--column amount=Gross` for each field. */
function columnsOf(call: Call): Columns | undefined {
  const given = call.texts('column')
  if (given.length === 0) return undefined
  const pairs = given.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError('give --column as field=name of the column')
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  const { date_order, ...columns } = Object.fromEntries(pairs)
  if (date_order === undefined) return columns
  if (date_order !== 'dmy' && date_order !== 'mdy') {
    throw new UsageError('date_order must be dmy or mdy')
  }
  return { ...columns, date_order }
}

const importFile: Command = {
  name: 'statements import',
  summary: 'Import a statement of the bank or an export of the gateway’s portal.',
  details: `The same file again changes nothing, and lines that another file had are stored once. Lines that cannot be read are listed and never left out. The formats are ${FORMATS}. For an export of the portal name the columns once with --column and --mapping; the fields are time, amount, fee, type, status, channel, order_id, transaction_id, reference, description, and date_order (dmy or mdy).`,
  arguments: [{ name: 'file', summary: 'the file, at most 8 MiB' }],
  flags: {
    format: { value: 'format', summary: 'what the file is', required: true },
    mapping: { value: 'name', summary: 'the columns that were stored under this name' },
    column: {
      value: 'field=name',
      summary: 'a column of the file; may be repeated',
      multiple: true,
    },
    as: AS_FLAG,
  },
  examples: [
    'gapura statements import january.csv --format bca_csv',
    'gapura statements import export.csv --format portal_csv --mapping daily --column time="Date & Time" --column amount=Amount',
  ],
  run: async (call) => {
    const file = call.argument('file')
    const format = formatOf(call)
    const columns = columnsOf(call)
    const mapping = call.text('mapping')
    const content = await readFile(file).catch(() => {
      throw new UsageError(`the file ${file} cannot be read`)
    })
    const input = {
      file_name: path.basename(file),
      format,
      content_base64: content.toString('base64'),
      ...(mapping !== undefined && { mapping }),
      ...(columns !== undefined && { columns }),
    }
    const made = await withGapura(
      call,
      async ({ staff }) => await staff.importStatement(staffOf(call), input),
    )
    call.output.result(made, () => importText(made))
    if (made.repeated) call.output.note('This file was imported before; nothing was changed.')
    if (made.lines_refused > 0) {
      call.output.note(`Refused lines with reasons: gapura statements show ${made.id}`)
    }
  },
}

const list: Command = {
  name: 'statements list',
  summary: 'List the imported files, newest first; with --lines what they and the gateway say.',
  flags: {
    lines: { summary: 'the lines instead of the files' },
    side: { value: 'side', summary: 'only lines of the gateway or the bank' },
    day: { value: 'day', summary: 'only lines of this day in Jakarta: 2026-01-31' },
    'order-id': { value: 'id', summary: 'only lines about this order' },
    reference: { value: 'text', summary: 'only lines of this reference' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura statements list', 'gapura statements list --lines --day 2026-01-31'],
  run: async (call) => {
    if (call.on('lines')) await listLines(call)
    else await listFiles(call)
  },
}

async function listFiles(call: Call): Promise<void> {
  const query = queryOf(call, {})
  const page = await withGapura(
    call,
    async ({ staff }) => await staff.listStatementImports(LOOKING, query),
  )
  type Row = (typeof page.results)[number]
  const columns = [
    { title: 'ID', of: (row: Row) => row.id },
    { title: 'FILE', of: (row: Row) => row.file_name },
    { title: 'FORMAT', of: (row: Row) => row.format },
    { title: 'NEW', of: (row: Row) => String(row.lines_new) },
    { title: 'KNOWN', of: (row: Row) => String(row.lines_known) },
    { title: 'REFUSED', of: (row: Row) => String(row.lines_refused) },
    { title: 'IMPORTED', of: (row: Row) => timeOf(row.created_at) },
  ]
  printPage(call, page, columns, 'No imported files.')
}

async function listLines(call: Call): Promise<void> {
  const names = { side: 'side', day: 'day', 'order-id': 'order_id', reference: 'reference' }
  const query = queryOf(call, names)
  const page = await withGapura(
    call,
    async ({ staff }) => await staff.listStatementLines(LOOKING, query),
  )
  type Row = (typeof page.results)[number]
  const columns = [
    { title: 'DAY', of: (row: Row) => row.day ?? '-' },
    { title: 'SOURCE', of: (row: Row) => row.source },
    { title: 'KIND', of: (row: Row) => row.kind },
    { title: 'AMOUNT', of: (row: Row) => row.amount ?? '-' },
    { title: 'FEE', of: (row: Row) => row.fee ?? '-' },
    { title: 'STATUS', of: (row: Row) => row.status ?? '-' },
    { title: 'ORDER', of: (row: Row) => row.order_id ?? '-' },
    { title: 'REFERENCE', of: (row: Row) => row.reference ?? '-' },
    { title: 'VERSION', of: (row: Row) => String(row.version) },
  ]
  printPage(call, page, columns, 'No lines.')
}

const REFUSED = [
  { title: 'LINE', of: (row: Shown['refusals'][number]) => String(row.line_number) },
  { title: 'REASON', of: (row: Shown['refusals'][number]) => row.reason },
  { title: 'CONTENT', of: (row: Shown['refusals'][number]) => row.content.slice(0, 80) },
]

const show: Command = {
  name: 'statements show',
  summary: 'Show an imported file with the lines that were refused and why.',
  arguments: [{ name: 'import', summary: 'its id, as statements list shows it' }],
  flags: {},
  examples: ['gapura statements show <id>'],
  run: async (call) => {
    const id = call.argument('import')
    const found = await withGapura(
      call,
      async ({ staff }) => await staff.getStatementImport(LOOKING, id),
    )
    const refused = found.refusals.length === 0 ? '' : `\n\n${table(found.refusals, REFUSED)}`
    call.output.result(found, () => `${importText(found)}${refused}`)
  },
}

export const STATEMENT_COMMANDS: readonly Command[] = [importFile, list, show]
