// Comma-separated values. By hand, because the libraries stop at a quote that is not closed, or read
// the rest of the file as one field: here such a line is refused, and reading goes on after it.
import { parseStatementAmount, parseStatementTime } from '../../../domain/statement_values.ts'
import { FileProblem } from './parsed_file.ts'

export interface CsvRecord {
  /** Of its first line, from 1. */
  line_number: number
  fields: readonly string[]
  text: string
  /** Why its fields cannot be separated. */
  broken?: string
}

const DELIMITERS = [',', ';', '\t'] as const
/** A description may span some lines; a field that spans more has lost its closing quote. */
const QUOTED_LINES_MAX = 20
const FIELDS_MAX = 500
/** A line that begins like this is a record of its own, not the rest of a description. */
const DATED = /^["']{0,2}\d{1,4}[-/.]\d{1,2}\b/

/** The text of a file in UTF-8, UTF-16 or, if it is neither, Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Every line of the text is part of exactly one record. */
export function readCsv(text: string): CsvRecord[] {
  if (text.includes('\0')) throw new FileProblem('must be a text file, without zero bytes')
  const lines = text.split(/\r\n|\n|\r/)
  // A line break at the end begins no further line.
  if (lines.at(-1) === '') lines.pop()
  const delimiter = delimiterOf(lines)
  const records: CsvRecord[] = []
  for (let index = 0; index < lines.length;) {
    const record = recordAt(lines, index, delimiter)
    records.push(record)
    index += record.lines
  }
  return records
}

/** The one that divides the lines into the most fields. */
function delimiterOf(lines: readonly string[]): string {
  const sample = lines
    .slice(0, 50)
    .join('\n')
    .replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((one) => sample.split(one).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

interface ReadRecord extends CsvRecord {
  lines: number
}

function recordAt(lines: readonly string[], index: number, delimiter: string): ReadRecord {
  const [first = ''] = lines.slice(index, index + 1)
  const line_number = index + 1
  let text = first
  for (let count = 1; count <= QUOTED_LINES_MAX; count += 1) {
    const fields = fieldsOf(text, delimiter)
    if (typeof fields === 'object') {
      const broken = fields.length > FIELDS_MAX ? { broken: 'has too many fields' } : {}
      return { line_number, fields, text, lines: count, ...broken }
    }
    const next = lines[index + count]
    if (fields === 'damaged' || next === undefined || DATED.test(next)) break
    text += `\n${next}`
  }
  const broken = 'has a quote that is not closed, or text beside a quoted field'
  return { line_number, fields: [], text: first, lines: 1, broken }
}

/** `open`: a quoted field goes on in the next line. */
function fieldsOf(text: string, delimiter: string): string[] | 'open' | 'damaged' {
  const fields: string[] = []
  let at = 0
  for (;;) {
    const quoted = text.charAt(at) === '"'
    const found = quoted ? quotedField(text, at) : plainField(text, at, delimiter)
    if (typeof found === 'string') return found
    fields.push(found.value)
    if (found.end >= text.length) return fields
    if (text.charAt(found.end) !== delimiter) return 'damaged'
    at = found.end + 1
  }
}

function plainField(text: string, at: number, delimiter: string): { value: string; end: number } {
  const end = text.indexOf(delimiter, at)
  const value = end < 0 ? text.slice(at) : text.slice(at, end)
  return { value, end: end < 0 ? text.length : end }
}

function quotedField(text: string, at: number): { value: string; end: number } | 'open' {
  let end = at + 1
  for (;;) {
    const quote = text.indexOf('"', end)
    if (quote < 0) return 'open'
    if (text.charAt(quote + 1) !== '"') {
      return { value: text.slice(at + 1, quote).replaceAll('""', '"'), end: quote + 1 }
    }
    end = quote + 2
  }
}

export const isBlank = ({ fields, broken }: CsvRecord): boolean =>
  broken === undefined && fields.every((field) => field.trim() === '')

/**
 * A date, an amount, or a number as of an order or a year, which no column's name has: a line with
 * one holds data, even if it holds the names of columns too.
 */
export const isValue = (text: string): boolean =>
  /\d{4}/.test(text) ||
  parseStatementAmount(text) !== undefined ||
  parseStatementTime(text) !== undefined

/**
 * Why a line cannot be read by the names of the columns. With other fields than names, a value may
 * stand under the name of its neighbour, a credit under debit.
 */
export function faultOf(
  { broken, fields }: CsvRecord,
  is_before: boolean,
  names: readonly string[],
): string | undefined {
  if (broken !== undefined) return broken
  if (is_before) return 'stands before the columns'
  const filled = (all: readonly string[]): number =>
    all.findLastIndex((field) => field.trim() !== '') + 1
  if (filled(fields) <= names.length && fields.length >= filled(names)) return undefined
  return `has ${fields.length} fields, and the columns are ${names.length}`
}
