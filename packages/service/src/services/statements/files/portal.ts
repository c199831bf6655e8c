// Exports of the gateway's portal. The user who exports chooses the columns, so a mapping says
// which column is which field; positions mean nothing, and new columns are no trouble.
import { NO_CONTENT, type StatementKind } from '../../../domain/statement.ts'
import {
  parseStatementAmount,
  parseStatementTime,
  type DateOrder,
} from '../../../domain/statement_values.ts'
import { decodeText, faultOf, isBlank, isValue, readCsv, type CsvRecord } from './csv.ts'
import { FileCollector, FileProblem, type LineResult, type ParsedFile } from './parsed_file.ts'
import { readXlsx, serialTime } from './xlsx.ts'

/** The fields of a line that a column can give. */
export const MAPPED_FIELDS = [
  'time',
  'amount',
  'fee',
  'type',
  'status',
  'channel',
  'order_id',
  'transaction_id',
  'reference',
  'description',
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]

/** The name of the column of each field; a field without one is empty. */
export type ColumnMapping = Partial<Record<MappedField, string>> & { date_order?: DateOrder }

/** Names that the portal's documentation uses, for files that come without a mapping. */
const USUAL_NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  time: [
    'date & time',
    'date and time',
    'transaction time',
    'transaction date',
    'requested date',
    'date',
  ],
  amount: ['amount', 'amount (gross)', 'gross amount', 'transaction amount'],
  fee: ['fee', 'total fee', 'mdr'],
  type: ['transaction type', 'type', 'payment method or transaction type'],
  status: ['status', 'transaction status'],
  channel: ['channel', 'payment method', 'payment type'],
  order_id: ['order id', 'order_id'],
  transaction_id: ['transaction id', 'transaction_id'],
  reference: ['withdrawal id', 'reference no.', 'reference no', 'reference number', 'reference id'],
  description: ['description', 'notes'],
}

const folded = (text: string): string => text.trim().toLowerCase()

/** The columns of a header, or undefined if it lacks time or amount. */
function columnsOf(
  names: readonly string[],
  mapping: ColumnMapping | undefined,
): Map<MappedField, number> | undefined {
  if (names.some(isValue)) return undefined
  const found = new Map<MappedField, number>()
  const present = names.map(folded)
  for (const field of MAPPED_FIELDS) {
    const given = mapping?.[field]
    const known = mapping === undefined ? USUAL_NAMES[field] : given === undefined ? [] : [given]
    const index = known.map((name) => present.indexOf(folded(name))).find((at) => at >= 0)
    if (index !== undefined) found.set(field, index)
    // A column that the mapping names and the file lacks would leave the field silently empty.
    else if (given !== undefined) return undefined
  }
  return found.has('time') && found.has('amount') ? found : undefined
}

const HEADER_SEARCH_MAX = 30

function readRecords(
  records: readonly CsvRecord[],
  mapping: ColumnMapping | undefined,
  is_sheet = false,
): ParsedFile {
  const header = records
    .slice(0, HEADER_SEARCH_MAX)
    .findIndex(({ fields }) => columnsOf(fields, mapping) !== undefined)
  const names = records[header]?.fields ?? []
  const columns = columnsOf(names, mapping)
  if (columns === undefined) {
    throw new FileProblem(
      'has no line with the names of the mapped columns, time and amount among them',
    )
  }
  const collector = new FileCollector()
  for (const [index, record] of records.entries()) {
    const { line_number, text, fields } = record
    // A cell of a sheet names its column itself, and empty ones may be left out.
    const fault = faultOf(record, index < header, is_sheet ? fields : names)
    if (index === header || isBlank(record)) collector.skip()
    else if (fault !== undefined) collector.refuse(line_number, fault, text)
    else {
      const result = lineOf(fields, columns, mapping?.date_order)
      collector.take({ line_number, text, raw: rawOf(names, fields) }, result)
    }
  }
  return collector.finish(records.length)
}

/** By name; a name that occurs twice, or none, gets its position. */
function rawOf(names: readonly string[], fields: readonly string[]): Record<string, string> {
  const raw: [string, string][] = fields.map((value, index) => {
    const name = names[index]?.trim() ?? ''
    const unique = name !== '' && names.indexOf(names[index] ?? '') === index
    return [unique && name !== '__proto__' ? name : `column ${index + 1}`, value]
  })
  return Object.fromEntries(raw)
}

const KINDS: readonly (readonly [RegExp, StatementKind])[] = [
  [/charge ?back/i, 'chargeback'],
  [/refund|reversal|void/i, 'refund'],
  [/withdraw|payout/i, 'withdrawal'],
  [/disburse/i, 'disbursement'],
  [/top.?up/i, 'top_up'],
]

function lineOf(
  fields: readonly string[],
  columns: Map<MappedField, number>,
  order: DateOrder | undefined,
): LineResult {
  const of = (field: MappedField): string | null => {
    const text = fields[columns.get(field) ?? -1]?.trim() ?? ''
    return text === '' ? null : text
  }
  const written = of('time') ?? ''
  const time = parseStatementTime(serialTime(written) ?? written, order)
  if (time === undefined) return { reason: 'the time must be a date, such as 31/01/2026 14:05' }
  const amount = parseStatementAmount(of('amount') ?? '')
  if (amount === undefined) return { reason: 'the amount must be rupiah with at most two decimals' }
  const fee_text = of('fee')
  const fee = fee_text === null || fee_text === '-' ? null : parseStatementAmount(fee_text)
  if (fee === undefined) return { reason: 'the fee must be rupiah with at most two decimals' }
  const type = of('type')
  const known = KINDS.find(([pattern]) => pattern.test(type ?? ''))?.[1]
  const reference = of('reference')
  return {
    ...NO_CONTENT,
    kind: known ?? ((of('order_id') ?? of('transaction_id')) ? 'payment' : 'other'),
    day: time.day,
    occurred_at: time.occurred_at,
    amount,
    fee,
    currency: 'IDR',
    status: of('status'),
    channel: of('channel'),
    order_id: of('order_id'),
    transaction_id: of('transaction_id'),
    reference,
    description: of('description') ?? type,
  }
}

export const readPortalCsv = (bytes: Uint8Array, mapping?: ColumnMapping): ParsedFile =>
  readRecords(readCsv(decodeText(bytes)), mapping)

export const readPortalXlsx = (bytes: Uint8Array, mapping?: ColumnMapping): ParsedFile =>
  readRecords(readXlsx(bytes), mapping, true)

/** What a file has, for a user who says which column is which. */
export interface PortalColumns {
  columns: string[]
  /** The first lines below them. */
  samples: string[][]
  /** The fields whose columns are known by name. */
  known: Partial<Record<MappedField, string>>
}

const SAMPLES = 3
const NAME_LENGTH_MAX = 200

/** The line with the names: known ones, or the first that has at least two and no value. */
function headerOf(records: readonly CsvRecord[]): CsvRecord | undefined {
  const first = records.slice(0, HEADER_SEARCH_MAX).filter(({ broken }) => broken === undefined)
  const names = ({ fields }: CsvRecord): number =>
    fields.filter((name) => name.trim() !== '').length
  return (
    first.find(({ fields }) => columnsOf(fields, undefined) !== undefined) ??
    first.find((record) => names(record) > 1 && !record.fields.some(isValue))
  )
}

function lookAt(records: readonly CsvRecord[]): PortalColumns {
  const header = headerOf(records)
  if (header === undefined) throw new FileProblem('has no line with the names of its columns')
  const names = header.fields.map((name) => name.trim())
  const given = names.filter((name) => name !== '' && name.length <= NAME_LENGTH_MAX)
  const known = MAPPED_FIELDS.flatMap((field) => {
    const found = USUAL_NAMES[field]
      .map((usual) => given.find((name) => folded(name) === usual))
      .find((name) => name !== undefined)
    return found === undefined ? [] : [[field, found] as const]
  })
  const below = records
    .slice(records.indexOf(header) + 1)
    .filter((record) => record.broken === undefined && !isBlank(record))
  const columns = [...new Set(given)]
  const at = columns.map((name) => names.indexOf(name))
  return {
    columns,
    samples: below
      .slice(0, SAMPLES)
      .map(({ fields }) => at.map((index) => (fields[index] ?? '').slice(0, NAME_LENGTH_MAX))),
    known: Object.fromEntries(known),
  }
}

export const columnsOfCsv = (bytes: Uint8Array): PortalColumns => lookAt(readCsv(decodeText(bytes)))
export const columnsOfXlsx = (bytes: Uint8Array): PortalColumns => lookAt(readXlsx(bytes))
