// CAMT.053: a statement as XML of ISO 20022. A batch stays one line, as the bank booked it.
import { NO_CONTENT } from '../../../domain/statement.ts'
import { parseStatementTime } from '../../../domain/statement_values.ts'
import { parseMoney, type Money } from '../../../domain/money.ts'
import { referenceIn } from './bank_csv.ts'
import { decodeText } from './csv.ts'
import { FileCollector, FileProblem, type LineResult, type ParsedFile } from './parsed_file.ts'
import { child, children, parseXml, textAt, type XmlNode } from './xml.ts'

/** What a statement may hold beside its entries; anything else may be an entry that was damaged. */
const KNOWN: ReadonlySet<string> = new Set([
  'Id',
  'StmtPgntn',
  'ElctrncSeqNb',
  'RptgSeq',
  'LglSeqNb',
  'CreDtTm',
  'FrToDt',
  'CpyDplctInd',
  'RptgSrc',
  'Acct',
  'RltdAcct',
  'Intrst',
  'Bal',
  'TxsSummry',
  'Ntry',
  'AddtlStmtInf',
  '#text',
])

export function readCamt053(bytes: Uint8Array): ParsedFile {
  const document = child(parseXml(decodeText(bytes)), 'Document')
  const statements = children(child(document, 'BkToCstmrStmt'), 'Stmt')
  if (statements.length === 0) throw new FileProblem('has no statement, so it is no CAMT.053')
  const collector = new FileCollector()
  const said = { account: null as string | null, balanced: null as boolean | null }
  let records = 0
  const strangers = [
    ...strangersIn(document, new Set(['BkToCstmrStmt'])),
    ...strangersIn(child(document, 'BkToCstmrStmt'), new Set(['GrpHdr', 'Stmt', 'SplmtryData'])),
  ]
  for (const statement of statements) {
    const account = accountOf(statement)
    said.account ??= account
    let sum = 0n
    for (const entry of children(statement, 'Ntry')) {
      records += 1
      const result = entryOf(entry, account)
      if ('amount' in result) sum += result.amount ?? 0n
      collector.take({ line_number: records, text: JSON.stringify(entry), raw: entry }, result)
    }
    strangers.push(...strangersIn(statement, KNOWN))
    const agrees = agreesWith(statement, sum)
    if (agrees !== null) said.balanced = (said.balanced ?? true) && agrees
  }
  for (const text of strangers) {
    records += 1
    collector.refuse(records, 'is a part of the file that is not known', text)
  }
  return collector.finish(records, said)
}

/** What stands where only known parts may: an entry that was damaged or moved. */
const strangersIn = (node: XmlNode, known: ReadonlySet<string>): string[] =>
  Object.keys(node)
    .filter((name) => !known.has(name) && !name.startsWith('@'))
    .flatMap((name) => children(node, name).map((one) => `${name}: ${JSON.stringify(one)}`))

function accountOf(statement: XmlNode): string | null {
  const id = child(statement, 'Acct', 'Id')
  const text = textAt(id, 'IBAN') || textAt(id, 'Othr', 'Id')
  return text === '' ? null : text
}

function agreesWith(statement: XmlNode, sum: Money): boolean | null {
  const of = (...codes: string[]): Money | undefined => {
    const balance = children(statement, 'Bal').find((one) =>
      codes.includes(textAt(one, 'Tp', 'CdOrPrtry', 'Cd')),
    )
    return balance && signedAmount(balance)
  }
  const [opening, closing] = [of('OPBD', 'PRCD'), of('CLBD')]
  return opening === undefined || closing === undefined ? null : opening + sum === closing
}

/** ISO allows five decimals; beyond two they must be zeros. */
function signedAmount(node: XmlNode): Money | undefined {
  const amount = parseMoney(textAt(node, 'Amt').replace(/(\.\d{2})0+$/, '$1'))
  const mark = textAt(node, 'CdtDbtInd')
  if (amount === undefined || amount < 0n) return undefined
  if (mark === 'CRDT') return amount
  return mark === 'DBIT' ? -amount : undefined
}

function entryOf(entry: XmlNode, account: string | null): LineResult {
  const twice = ['Amt', 'CdtDbtInd', 'BookgDt', 'ValDt'].some(
    (name) => children(entry, name).length > 1,
  )
  // Where the entries end cannot be known then, so none of them can be trusted.
  if (entry['Ntry'] !== undefined) throw new FileProblem('has an entry inside an entry')
  if (twice) return { reason: 'has an amount, a mark or a date twice' }
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
  if (status !== '' && status !== 'BOOK') return { reason: 'is not booked yet' }
  const amount = signedAmount(entry)
  if (amount === undefined) {
    return { reason: 'the amount must have at most two decimals and be CRDT or DBIT' }
  }
  const currency = currencyOf(entry)
  if (currency !== 'IDR') return { reason: 'the currency must be IDR' }
  const booked = dateText(entry, 'BookgDt') || dateText(entry, 'ValDt')
  const time = parseStatementTime(booked)
  if (time === undefined) return { reason: 'the booking date must be a day of the calendar' }
  const description = descriptionOf(entry)
  const given = textAt(entry, 'AcctSvcrRef') || textAt(entry, 'NtryRef')
  return {
    ...NO_CONTENT,
    kind: 'entry',
    day: time.day,
    occurred_at: time.occurred_at,
    amount,
    currency,
    account,
    reference: referenceIn(description, given) ?? (given === '' ? null : given),
    description: description === '' ? null : description,
  }
}

function currencyOf(entry: XmlNode): string {
  const currency = children(entry, 'Amt')[0]?.['@Ccy']
  return typeof currency === 'string' ? currency : ''
}

const dateText = (entry: XmlNode, name: string): string =>
  textAt(entry, name, 'DtTm') || textAt(entry, name, 'Dt')

const DETAILS_MAX = 100

/** What payer and bank wrote, of each part of a batch. */
function descriptionOf(entry: XmlNode): string {
  const details = children(entry, 'NtryDtls').flatMap((one) => children(one, 'TxDtls'))
  const texts = details
    .slice(0, DETAILS_MAX)
    .flatMap((one) => [
      ...children(child(one, 'RmtInf'), 'Ustrd').map((line) => textAt({ line }, 'line')),
      textAt(one, 'Refs', 'EndToEndId'),
    ])
  const whole = [textAt(entry, 'AddtlNtryInf'), ...texts]
  return whole.filter((text) => text !== '' && text !== 'NOTPROVIDED').join('\n')
}
