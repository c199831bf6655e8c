// MT940: a statement as tagged lines. A bank writes the text of `:86:` as it likes, so it is kept
// whole; the structure of `:61:` is the same everywhere.
import type { Money } from '../../../domain/money.ts'
import { NO_CONTENT } from '../../../domain/statement.ts'
import { isDay, parseStatementAmount } from '../../../domain/statement_values.ts'
import { referenceIn } from './bank_csv.ts'
import { decodeText } from './csv.ts'
import { FileCollector, FileProblem, type LineResult, type ParsedFile } from './parsed_file.ts'

interface Field {
  line_number: number
  tag: string
  text: string
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/s
/** Of the envelope, and known to hold no entry. */
const ENVELOPE = /^(?:\{[1-5]:.*|-\}?|\}|\{.*\})$/
const OTHER_TAGS: ReadonlySet<string> = new Set([
  '20',
  '21',
  '28',
  '28C',
  '64',
  '65',
  '13D',
  '34F',
  '90C',
  '90D',
])

/** Text, or a second line of an entry; what looks like a damaged field is a record of its own. */
const DAMAGED = /^.{0,2}\d{2}[A-Z]?:|^.{0,4}\d{6}(?:\d{4})?R?[CD][A-Z]?[\d,]+[NFS]/

/** A text goes on until the next tag; the other fields have one line, and an entry two. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue
    const line_number = index + 1
    const [, tag, rest = ''] = TAG.exec(line) ?? []
    const last = fields.at(-1)
    if (tag !== undefined) fields.push({ line_number, tag, text: rest })
    else if (ENVELOPE.test(line.trim())) fields.push({ line_number, tag: '', text: line })
    else if (last !== undefined && goesOn(last) && !DAMAGED.test(line)) last.text += `\n${line}`
    else fields.push({ line_number, tag: '?', text: line })
  }
  return fields
}

const goesOn = ({ tag, text }: Field): boolean =>
  tag === '86' || (tag === '61' && !text.includes('\n'))

interface Mt940Record extends Field {
  /** The text of an entry. */
  details: string
  /** A text after the closing balance is about the whole statement. */
  describes_all: boolean
}

interface Reading {
  account: string | null
  opening: Money | null
  closing: Money | null
  /** What the lines since the opening balance add up to. */
  sum: Money
  balanced: boolean | null
}

export function readMt940(bytes: Uint8Array): ParsedFile {
  const fields = fieldsOf(decodeText(bytes))
  if (!fields.some(({ tag }) => tag === '61' || tag === '60F' || tag === '60M')) {
    throw new FileProblem('has no field :60F: or :61:, so it is no MT940')
  }
  const collector = new FileCollector()
  const reading: Reading = { account: null, opening: null, closing: null, sum: 0n, balanced: null }
  const joined = withDetails(fields)
  for (const field of joined) takeField(field, reading, collector)
  return collector.finish(joined.length, reading)
}

/** The text of an entry is its own field; the two are one record. */
function withDetails(fields: readonly Field[]): Mt940Record[] {
  const joined: Mt940Record[] = []
  for (const field of fields) {
    const last = joined.at(-1)
    if (field.tag === '86' && last?.tag === '61' && last.details === '') last.details = field.text
    else {
      const describes_all = field.tag === '86' && /^6[245]/.test(last?.tag ?? '')
      joined.push({ ...field, details: '', describes_all })
    }
  }
  return joined
}

function takeField(field: Mt940Record, reading: Reading, collector: FileCollector): void {
  const { tag, text, line_number, details } = field
  const whole = `:${tag}:${text}${details === '' ? '' : `\n:86:${details.trim()}`}`
  if (tag === '61') {
    const result = entryOf(text, details.trim(), reading.account)
    if ('amount' in result) reading.sum += result.amount ?? 0n
    collector.take({ line_number, text: whole, raw: { statement_line: text, details } }, result)
    return
  }
  const known = takeBalance(tag, text, reading) || OTHER_TAGS.has(tag) || tag === ''
  if (known || field.describes_all) collector.skip()
  else collector.refuse(line_number, 'is a field that is not known', whole)
}

/** Whether the field was the account or a balance that could be read. */
function takeBalance(tag: string, text: string, reading: Reading): boolean {
  if (tag === '25' || tag === '25P') {
    reading.account = text.trim()
    return true
  }
  const balance = /^6[02][FM]$/.test(tag) ? balanceOf(text) : undefined
  if (balance === undefined) return false
  if (tag.startsWith('60')) {
    reading.opening = balance
    reading.sum = 0n
    return true
  }
  reading.closing = balance
  const agrees = reading.opening !== null && reading.opening + reading.sum === balance
  // Of several statements in a file all must agree.
  reading.balanced = (reading.balanced ?? true) && agrees
  return true
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d,]+)\s*$/

function balanceOf(text: string): Money | undefined {
  const [, mark, , , digits = ''] = BALANCE.exec(text) ?? []
  const amount = amountOf(digits)
  if (mark === undefined || amount === undefined) return undefined
  return mark === 'D' ? -amount : amount
}

/** The comma is always there, and always the decimal one. */
const amountOf = (digits: string): Money | undefined =>
  /^\d+,\d{0,2}$/.test(digits) ? parseStatementAmount(digits.replace(/,$/, '')) : undefined

const ENTRY = /^(\d{6})(\d{4})?(RC|RD|C|D)([A-Z])?([\d,]+)([NFS][A-Z0-9]{3})([^\n]*)(?:\n(.*))?$/s

function entryOf(text: string, details: string, account: string | null): LineResult {
  const match = ENTRY.exec(text)
  if (match === null) return { reason: 'has not the form of an entry of MT940' }
  const [, date = '', , mark = '', , digits = '', , references = '', more = ''] = match
  const day = `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`
  if (!isDay(day)) return { reason: 'the date must be a day of the calendar' }
  const amount = amountOf(digits)
  if (amount === undefined)
    return { reason: 'the amount must have a comma and at most two decimals' }
  // A reversed credit takes money away.
  const credit = mark === 'C' || mark === 'RD'
  const [own = '', bank = ''] = references.split('//', 2)
  const description = [details, more].filter((part) => part !== '').join('\n')
  const given = bank.trim() === '' ? own.trim() : bank.trim()
  return {
    ...NO_CONTENT,
    kind: 'entry',
    day,
    amount: credit ? amount : -amount,
    currency: 'IDR',
    account,
    reference: referenceIn(description, references) ?? (given === '' ? null : given),
    description: description === '' ? null : description,
  }
}
