// The first sheet of a workbook as records of text. Numbers are taken digit by digit: a workbook
// writes binary fractions out, and fifteen digits are what its program itself guarantees.
import type { CsvRecord } from './csv.ts'
import { FileProblem } from './parsed_file.ts'
import { child, children, parseXml, textAt, type XmlNode } from './xml.ts'
import { ZipArchive } from './zip.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const STRINGS = 'xl/sharedStrings.xml'
const WORKBOOK = 'xl/workbook.xml'
const COLUMNS_MAX = 500

/** Every row of the sheet is one record; rows that a file leaves out are empty. */
export function readXlsx(bytes: Uint8Array): CsvRecord[] {
  const archive = new ZipArchive(bytes)
  const sheet = archive.text(sheetName(archive))
  if (sheet === undefined) throw new FileProblem('has no sheet')
  const strings = stringsOf(archive.text(STRINGS))
  const rows = children(child(parseXml(sheet), 'worksheet', 'sheetData'), 'row')
  return rows.map((row, index) => recordOf(row, index + 1, strings))
}

/** The first by its position; the file of a workbook with one sheet always has the same name. */
function sheetName(archive: ZipArchive): string {
  if (archive.has(SHEET)) return SHEET
  const workbook = archive.text(WORKBOOK)
  if (workbook === undefined) throw new FileProblem('is no workbook')
  throw new FileProblem('has its first sheet under another name; save it again as XLSX')
}

function stringsOf(text: string | undefined): string[] {
  if (text === undefined) return []
  return children(child(parseXml(text), 'sst'), 'si').map(stringOf)
}

/** A text in one piece, or in runs of different looks. */
const stringOf = (node: XmlNode): string => {
  const runs = children(node, 'r').map((run) => textAt(run, 't'))
  return runs.length > 0 ? runs.join('') : textAt(node, 't')
}

/** More than a sheet can have. */
const ROWS_MAX = 1_048_576

function recordOf(row: XmlNode, ordinal: number, strings: readonly string[]): CsvRecord {
  const given = Number(row['@r'])
  const line_number = Number.isInteger(given) && given > 0 && given <= ROWS_MAX ? given : ordinal
  const fields: string[] = []
  let broken: string | undefined
  for (const [index, cell] of children(row, 'c').entries()) {
    const column = columnOf(cell['@r'], index)
    const text = cellText(cell, strings)
    if (column >= COLUMNS_MAX) broken = 'has too many columns'
    else if (text === undefined) broken = 'has a cell that cannot be read'
    else fields[column] = text
  }
  const whole = Array.from({ length: fields.length }, (_, at) => fields[at] ?? '')
  if (broken === undefined) return { line_number, fields: whole, text: whole.join(',') }
  return { line_number, fields: whole, text: JSON.stringify(row), broken }
}

/** `AB12` is column 27, from 0. */
function columnOf(name: unknown, otherwise: number): number {
  const letters = typeof name === 'string' ? /^([A-Z]{1,3})\d+$/.exec(name)?.[1] : undefined
  if (letters === undefined) return otherwise
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Of a formula the text, a truth value or a date as it stands. */
const AS_IT_STANDS: ReadonlySet<unknown> = new Set(['str', 'b', 'd'])

/** Undefined for what is none of the known kinds: an empty text would hide its content. */
function cellText(cell: XmlNode, strings: readonly string[]): string | undefined {
  const type = cell['@t']
  if (type === 'inlineStr') return stringOf(child(cell, 'is'))
  if (cell['is'] !== undefined) return undefined
  const value = textAt(cell, 'v')
  if (type === 's') return strings[/^\d+$/.test(value) ? Number(value) : -1]
  if (AS_IT_STANDS.has(type)) return value
  if (type !== undefined && type !== 'n') return undefined
  return value === '' ? '' : numberText(value)
}

const NUMBER = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/
const DIGITS_MAX = 15

/** The number as a decimal text of at most fifteen digits, by its digits alone. */
function numberText(text: string): string | undefined {
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  // How many of the digits are decimals; negative: zeros follow.
  let decimals = fraction.length - Number(exponent)
  if (digits === '') return '0'
  let kept = digits
  if (digits.length > DIGITS_MAX) {
    const cut = digits.length - DIGITS_MAX
    const up = digits.charAt(DIGITS_MAX) >= '5' ? 1n : 0n
    kept = String(BigInt(digits.slice(0, DIGITS_MAX)) + up)
    decimals -= cut
  }
  const number = placed(kept, decimals)
  return number === undefined ? undefined : sign + number
}

const PLACES_MAX = 40

function placed(digits: string, decimals: number): string | undefined {
  if (Math.abs(decimals) > PLACES_MAX) return undefined
  if (decimals <= 0) return digits + '0'.repeat(-decimals)
  const padded = digits.padStart(decimals + 1, '0')
  const fraction = padded.slice(-decimals).replace(/0+$/, '')
  return `${padded.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

const DAY_MS = 86_400_000
/** The day 0 of a workbook. */
const EPOCH = Date.UTC(1899, 11, 30)

/** Days since 1899, as workbooks keep times: `46053.5` is noon of 31 January 2026, as a text. */
export function serialTime(text: string): string | undefined {
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return undefined
  const at = new Date(EPOCH + Math.round((Number(text) * DAY_MS) / 1_000) * 1_000)
  return at.toISOString().slice(0, 19)
}
