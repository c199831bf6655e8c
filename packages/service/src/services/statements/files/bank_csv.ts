// Statements that BCA and Mandiri give as CSV. Columns are found by their names.
import type { Money } from '../../../domain/money.ts'
import { NO_CONTENT } from '../../../domain/statement.ts'
import {
  parseStatementAmount,
  parseStatementTime,
  signOfMark,
} from '../../../domain/statement_values.ts'
import { decodeText, faultOf, isBlank, isValue, readCsv, type CsvRecord } from './csv.ts'
import { FileCollector, FileProblem, type LineResult, type ParsedFile } from './parsed_file.ts'

/** What the bank shows of a payout of the gateway. */
const PAYOUT_REFERENCE = /WLST\w+/

export const referenceIn = (...texts: (string | null)[]): string | null => {
  for (const text of texts) {
    const found = PAYOUT_REFERENCE.exec(text ?? '')?.[0]
    if (found !== undefined) return found
  }
  return null
}

const clean = (text: string | undefined): string => (text ?? '').trim().replace(/^'/, '')
const folded = (text: string): string => clean(text).toLowerCase()

interface Said {
  account: string | null
  year: string | null
  opening: Money | null
  closing: Money | null
}

type Columns = Readonly<Record<string, number>>

interface Bank {
  /** Whether these are the names of its columns. */
  columnsOf: (names: readonly string[]) => Columns | undefined
  lineOf: (fields: readonly string[], columns: Columns, said: Said) => LineResult
}

/** Reads a bank's export: what stands before the names of the columns and after the last line is known. */
function readBank(bytes: Uint8Array, bank: Bank): ParsedFile {
  const records = readCsv(decodeText(bytes))
  const said: Said = { account: null, year: null, opening: null, closing: null }
  const collector = new FileCollector()
  const header = records.findIndex(
    ({ fields }) =>
      !fields.map(clean).some(isValue) && bank.columnsOf(fields.map(folded)) !== undefined,
  )
  const names = records[header]?.fields ?? []
  const columns = bank.columnsOf(names.map(folded))
  if (columns === undefined) throw new FileProblem('has no line with the names of the columns')
  for (const [index, record] of records.entries()) {
    const { line_number, text, fields } = record
    const fault = faultOf(record, index < header, names)
    if (index === header || isBlank(record) || isNote(record, said)) collector.skip()
    else if (fault !== undefined) collector.refuse(line_number, fault, text)
    else collector.take({ line_number, text, raw: { fields } }, bank.lineOf(fields, columns, said))
  }
  return collector.finish(records.length, said)
}

const NOTES =
  /^(no\.? ?rekening|account no\.?|nama|name|mata uang|currency|periode|period|kode mata uang|informasi rekening.*|saldo awal|starting balance|kredit|mutasi kredit|credit|debet|mutasi debet|debet|debit|saldo akhir|ending balance)$/

/** `Saldo Awal,=,1000.00` and its like: a name, a sign of equality or a colon, and a value. */
function isNote({ fields, broken }: CsvRecord, said: Said): boolean {
  if (broken !== undefined) return false
  const [name = '', sign = '', ...values] = fields.map(clean)
  const joined = /^([^:=]+)[:=](.*)$/s.exec(name)
  const [title, value] =
    joined === null
      ? [name, values.filter((one) => one !== '').join(',')]
      : [joined[1]?.trim() ?? '', joined[2]?.trim() ?? '']
  if (!NOTES.test(title.toLowerCase())) return false
  if (joined === null && sign !== '=' && sign !== ':') return false
  note(title.toLowerCase(), value, said)
  return true
}

function note(title: string, value: string, said: Said): void {
  if (title.includes('rekening') || title.startsWith('account')) said.account ??= clean(value)
  if (title.startsWith('period')) said.year = /\b(20\d{2})\b/.exec(value)?.[1] ?? said.year
  if (title === 'saldo awal' || title === 'starting balance') {
    said.opening = parseStatementAmount(value) ?? null
  }
  if (title === 'saldo akhir' || title === 'ending balance') {
    said.closing = parseStatementAmount(value) ?? null
  }
}

const indexOf = (names: readonly string[], ...known: string[]): number =>
  names.findIndex((name) => known.includes(name))

const BCA: Bank = {
  columnsOf: (names) => {
    const date = indexOf(names, 'tanggal', 'tanggal transaksi', 'date', 'transaction date')
    const description = indexOf(names, 'keterangan', 'description')
    const amount = indexOf(names, 'jumlah', 'amount')
    if (date < 0 || description < 0 || amount < 0) return undefined
    return { date, description, amount, balance: indexOf(names, 'saldo', 'balance') }
  },
  lineOf: (fields, { date = 0, description = 0, amount = 0, balance = -1 }, said) => {
    const when = dateOf(clean(fields[date]), said.year)
    if ('reason' in when) return when
    // The mark stands in the amount or in a column without a name behind it.
    const beside = clean(fields[amount + 1])
    const mark = balance === amount + 1 || signOfMark(beside) === undefined ? '' : ` ${beside}`
    const value = signed(`${clean(fields[amount])}${mark}`)
    if (value === undefined) return { reason: 'the amount must be digits with CR or DB' }
    const text = clean(fields[description])
    const left = balance < 0 ? '' : clean(fields[balance])
    const after = left === '' ? null : parseStatementAmount(left)
    if (after === undefined) return { reason: 'the balance must be an amount' }
    return { ...entry(when.day, value, text), account: said.account, balance: after }
  },
}

/** Of BCA an amount without a mark has no sign that could be guessed. */
const signed = (text: string): Money | undefined =>
  /(?:CR|DB|K|D|KREDIT|DEBET)$/i.test(text) || text.startsWith('-')
    ? parseStatementAmount(text)
    : undefined

function dateOf(text: string, year: string | null): { day: string } | { reason: string } {
  if (/^pend/i.test(text)) return { reason: 'is not booked yet' }
  const short = /^\d{1,2}\/\d{1,2}$/.test(text)
  if (short && year === null)
    return { reason: 'the date has no year, and the file names no period' }
  const time = parseStatementTime(short ? `${text}/${year}` : text)
  return time === undefined ? { reason: 'the date must be as 31/01/2026' } : { day: time.day }
}

const entry = (day: string, amount: Money, description: string) => ({
  ...NO_CONTENT,
  kind: 'entry' as const,
  day,
  amount,
  currency: 'IDR',
  description,
  reference: referenceIn(description),
})

const MANDIRI: Bank = {
  columnsOf: (names) => {
    const account = indexOf(names, 'account no', 'account no.', 'accountno')
    const date = indexOf(names, 'date', 'post date', 'tanggal')
    const debit = indexOf(names, 'debit', 'debet')
    const credit = indexOf(names, 'credit', 'kredit')
    const description = indexOf(names, 'description', 'keterangan')
    if (date < 0 || debit < 0 || credit < 0 || description < 0) return undefined
    const second = names.indexOf(names[description] ?? '', description + 1)
    const reference = indexOf(names, 'reference no.', 'reference no', 'no. referensi')
    return { account, date, debit, credit, description, second, reference }
  },
  lineOf: (fields, columns) => {
    const of = (name: string): string => clean(fields[columns[name] ?? -1])
    const when = dateOf(of('date'), null)
    if ('reason' in when) return when
    const [debit, credit] = [of('debit'), of('credit')].map((text) =>
      text === '' ? 0n : parseStatementAmount(text),
    )
    if (debit === undefined || credit === undefined || debit < 0n || credit < 0n) {
      return { reason: 'debit and credit must be amounts' }
    }
    if ((debit === 0n) === (credit === 0n)) {
      return { reason: 'one of debit and credit must be more than zero' }
    }
    const text = [of('description'), of('second')].filter((part) => part !== '').join(' ')
    const given = of('reference')
    const line = entry(when.day, credit - debit, text)
    return {
      ...line,
      account: of('account') === '' ? null : of('account'),
      reference: referenceIn(given, text) ?? (given === '' ? null : given),
    }
  },
}

export const readBca = (bytes: Uint8Array): ParsedFile => readBank(bytes, BCA)
export const readMandiri = (bytes: Uint8Array): ParsedFile => readBank(bytes, MANDIRI)
