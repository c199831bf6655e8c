// Files of banks and of the portal as lines, against what the writer of each file meant.
import { describe, expect, test } from 'vitest'
import { FORMATS, sampleOf, workbook, zip } from '../../../../campaigns/imports/samples.ts'
import { parseStatementAmount, parseStatementTime } from '../../src/domain/statement_values.ts'
import { readBca, readMandiri } from '../../src/services/statements/files/bank_csv.ts'
import { readCamt053 } from '../../src/services/statements/files/camt053.ts'
import { readMt940 } from '../../src/services/statements/files/mt940.ts'
import type { ParsedFile } from '../../src/services/statements/files/parsed_file.ts'
import { readPortalCsv, readPortalXlsx } from '../../src/services/statements/files/portal.ts'

const READERS: Record<string, (bytes: Uint8Array) => ParsedFile> = {
  portal_csv: readPortalCsv,
  portal_xlsx: readPortalXlsx,
  bca_csv: readBca,
  mandiri_csv: readMandiri,
  mt940: readMt940,
  camt053: readCamt053,
}
const read = (format: string, text: string | Buffer): ParsedFile =>
  (READERS[format] ?? readBca)(Buffer.from(text))

describe('amounts', () => {
  test.each([
    ['799,700.00 CR', 79_970_000n],
    ['1.234.567,89', 123_456_789n],
    ['1,234,567.89', 123_456_789n],
    ['1234567', 123_456_700n],
    ['1.234', 123_400n],
    ['1,23', 123n],
    ['.00', 0n],
    ['0,5', 50n],
    ['-5000', -500_000n],
    ['(5,000)', -500_000n],
    ['15.000,00 DB', -1_500_000n],
    ['Rp 44.000', 4_400_000n],
    ['IDR 44000.5', 4_400_050n],
    ['9999999999999.99', 999_999_999_999_999n],
  ])('%s is %s hundredths', (text, amount) => {
    expect(parseStatementAmount(text)).toBe(amount)
  })

  test.each([
    '',
    ',',
    '1.2.3',
    '1,23,456',
    '1.234,567',
    '12.345.67',
    '1e5',
    '-5 DB',
    '5 XX',
    '--5',
  ])('%j is refused rather than guessed', (text) => {
    expect(parseStatementAmount(text)).toBeUndefined()
  })

  test('more than thirteen digits, and a sign on both sides, are refused', () => {
    expect(parseStatementAmount('10000000000000')).toBeUndefined()
    expect(parseStatementAmount('(5-')).toBeUndefined()
  })
})

describe('dates', () => {
  test.each([
    ['31/01/2026', '2026-01-31', null],
    ["'05/01/26", '2026-01-05', null],
    ['2026-01-31 14:05:09', '2026-01-31', '2026-01-31T07:05:09.000Z'],
    ['31 Jan 2026, 14:05', '2026-01-31', '2026-01-31T07:05:00.000Z'],
    ['31 Agustus 2026', '2026-08-31', null],
    ['Jan 31, 2026 02:05 PM', '2026-01-31', '2026-01-31T07:05:00.000Z'],
    ['2026-01-31T23:30:00Z', '2026-02-01', '2026-01-31T23:30:00.000Z'],
  ])('%s is a day in Jakarta', (text, day, at) => {
    expect(parseStatementTime(text)).toEqual({
      day,
      occurred_at: at === null ? null : new Date(at),
    })
  })

  test('the order of day and month is the mapping’s', () => {
    expect(parseStatementTime('02/03/2026', 'mdy')?.day).toBe('2026-02-03')
    expect(parseStatementTime('02/03/2026')?.day).toBe('2026-03-02')
  })

  test.each(['30/02/2026', '13/13/2026', '31/01', '1999-01-01', '2026-01-31 25:00', 'soon', ''])(
    '%j is refused',
    (text) => {
      expect(parseStatementTime(text)).toBeUndefined()
    },
  )
})

describe.each(FORMATS)('%s', (format) => {
  test('every line has the amount that was meant, and the balances agree', () => {
    let state = 1
    const draw = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
    const { text, pack, amounts } = sampleOf(format, 'T', { lines: 60, draw })
    const { accepted, refused, summary } = read(format, pack(text))
    expect(refused).toEqual([])
    const found = accepted.map(({ content }) => {
      const mark = JSON.stringify([content.order_id, content.description, content.reference])
      return [/TX\d+E/.exec(mark)?.[0], content.amount]
    })
    expect(new Map(found as [string, bigint][])).toEqual(amounts)
    if (['bca_csv', 'mt940'].includes(format)) expect(summary.balanced).toBe(true)
  })

  test('a text that is something else is refused whole', () => {
    expect(() => read(format, 'Dear Sir or Madam')).toThrow(/has no|must|is damaged/)
    expect(() => read(format, '')).toThrow(/has no|must|is damaged/)
  })
})

test('the payout of the gateway is found by its reference at Mandiri', () => {
  const file = [
    'Account No,Date,Val. Date,Transaction Code,Description,Description,Reference No.,Debit,Credit',
    '0700000000001,09/01/26,09/01/26,2101,MCM InhouseTrf DARI DOMPET ANAK BANGSA,G075070944 2201       WLST1e621e894f708e,,".00","95,560.00"',
    '0700000000001,09/01/26,09/01/26,2101,Biaya,,,"1.00","2.00"',
  ].join('\n')
  const { accepted, refused } = read('mandiri_csv', file)
  expect(accepted[0]?.content).toMatchObject({
    day: '2026-01-09',
    amount: 9_556_000n,
    account: '0700000000001',
    reference: 'WLST1e621e894f708e',
  })
  expect(refused).toMatchObject([{ line_number: 3, reason: expect.stringMatching(/one of/) }])
})

describe('lines that cannot be read', () => {
  test.each([
    [
      'one name less',
      'Account No,Date,Val. Datesaction Code,Description,Reference No.,Debit,Credit',
    ],
    [
      'one name more',
      'Accoun,t No,Date,Val. Date,Transaction Code,Description,Reference No.,Debit,Credit',
    ],
  ])('of Mandiri, under %s: no amount is taken from a neighbour', (_, names) => {
    const file = `${names}\n07,09/01/26,09/01/26,2101,TRF,R1,"786.80",".00"`
    expect(read('mandiri_csv', file)).toMatchObject({
      accepted: [],
      refused: [{ line_number: 2, reason: expect.stringMatching(/fields, and the columns are/) }],
    })
  })

  test('of the portal, under one name more: no fee is taken for an amount', () => {
    const file = 'Date & Time,Or,der ID,Amount,Fee\n2026-01-05 10:00:00,A-1,"5,000","1,000"'
    expect(read('portal_csv', file)).toMatchObject({
      accepted: [],
      refused: [{ reason: 'has 4 fields, and the columns are 5' }],
    })
  })

  test('of BCA: names and a line in one are no names', () => {
    const file = `Tanggal,Keterangan,Cabang,Jumlah,,Sald'01/01,"TRSF",'0000,"491,308.01",CR,"1,000.00"`
    expect(() => read('bca_csv', file)).toThrow('no line with the names')
  })

  test('of BCA: not booked, without a year, without a mark, with an open quote; the others are stored', () => {
    const file = [
      'Tanggal,Keterangan,Cabang,Jumlah,,Saldo',
      'PEND,A,0,"1.00",CR,"1.00"',
      '05/01,B,0,"1.00",CR,"1.00"',
      '05/01/2026,C,0,"1.00",,"1.00"',
      '05/01/2026,"D,0,"1.00",CR,"1.00"',
      '05/01/2026,E,0,"1.00",CR,"1.00"',
    ].join('\n')
    const { accepted, refused } = read('bca_csv', file)
    expect(accepted.map(({ line_number }) => line_number)).toEqual([6])
    expect(refused.map(({ line_number }) => line_number)).toEqual([2, 3, 4, 5])
  })

  test('of MT940: a damaged entry, an unknown field, and reversals with their sign', () => {
    const file = [
      ':25:1',
      ':60F:C260101IDR100,00',
      ':61:260105RC10,00NTRFX//A',
      ':61:260105RD5,00NTRFX//B',
      ':61:260230C1,00NTRFX//C',
      ';61:260105C1,00NTRFX//D',
      ':99Z:what',
      ':62F:C260131IDR95,00',
    ].join('\n')
    const { accepted, refused, summary } = read('mt940', file)
    expect(accepted.map(({ content }) => content.amount)).toEqual([-1_000n, 500n])
    expect(refused.map(({ line_number }) => line_number)).toEqual([5, 6, 7])
    expect(summary).toMatchObject({ balanced: true, opening_balance: '100.00' })
  })

  test('of CAMT.053: pending, another currency, three decimals, an amount twice, an unknown part', () => {
    const entry = (inner: string) => `<Ntry>${inner}</Ntry>`
    const good =
      '<Amt Ccy="IDR">5.00000</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt></BookgDt>'
    const file = `<Document><BkToCstmrStmt><Stmt>${[
      entry(good),
      entry(`${good}<Sts>PDNG</Sts>`),
      entry(good.replace('IDR', 'USD')),
      entry(good.replace('5.00000', '5.001')),
      entry(`${good}<Amt Ccy="IDR">1.00</Amt>`),
    ].join('')}<Ntrz/></Stmt></BkToCstmrStmt></Document>`
    const { accepted, refused } = read('camt053', file)
    expect(accepted.map(({ content }) => content.amount)).toEqual([500n])
    expect(refused).toHaveLength(5)
    const nested = `<Document><BkToCstmrStmt><Stmt>${entry(entry(good))}</Stmt></BkToCstmrStmt></Document>`
    expect(() => read('camt053', nested)).toThrow(/inside an entry/)
  })
})

describe('the portal’s columns', () => {
  const file = 'When;Total;Ref\n31/01/2026 10:00;44.000,50;a\n01/31/2026;1;b'
  const mapping = { time: 'when', amount: 'TOTAL', order_id: 'Ref' }

  test('are found by the names of the mapping, whatever their place or case', () => {
    const { accepted, refused } = readPortalCsv(Buffer.from(file), mapping)
    expect(accepted[0]?.content).toMatchObject({
      amount: 4_400_050n,
      order_id: 'a',
      kind: 'payment',
    })
    expect(accepted[0]?.raw).toEqual({ When: '31/01/2026 10:00', Total: '44.000,50', Ref: 'a' })
    expect(refused.map(({ line_number }) => line_number)).toEqual([3])
  })

  test('a line that runs into the names is no heading, even if none of its values can be read', () => {
    const merged = 'Date,Amount,Order ID#1 Jan,4x4,order-8783\n31/01/2026,1,b'
    expect(() => readPortalCsv(Buffer.from(merged))).toThrow(/names of the mapped columns/)
  })

  test('a column that the mapping names and the file lacks refuses the file', () => {
    const more = { ...mapping, fee: 'Fee' }
    expect(() => readPortalCsv(Buffer.from(file), more)).toThrow(/names of the mapped columns/)
  })
})

describe('workbooks', () => {
  test('that number two lines alike, or beyond any sheet: each refusal has a number of its own', () => {
    const row = (number: string, value: string): string =>
      `<row r="${number}"><c t="inlineStr"><is><t>${value}</t></is></c><c t="inlineStr"><is><t>${value}</t></is></c></row>`
    const head =
      '<row><c t="inlineStr"><is><t>Date</t></is></c><c t="inlineStr"><is><t>Amount</t></is></c></row>'
    const sheet = [row('3', 'x'), row('3', 'y'), row('1', 'z'), row('9007199254740991', 'w')].join(
      '',
    )
    const packed = workbook(`<worksheet><sheetData>${head}${sheet}</sheetData></worksheet>`)
    const numbers = read('portal_xlsx', packed).refused.map(({ line_number }) => line_number)
    expect(numbers).toEqual([3, 4, 5, 6])
  })

  const cells = (value: string) =>
    `<worksheet><sheetData><row><c t="inlineStr"><is><t>Date</t></is></c><c t="inlineStr"><is><t>Amount</t></is></c></row><row><c><v>46053</v></c><c><v>${value}</v></c></row></sheetData></worksheet>`

  test.each([
    ['43170.849999999999', 4_317_085n],
    ['1.2345E5', 12_345_000n],
    ['-0.1', -10n],
  ])('the number %s is read by its digits', (value, amount) => {
    const [line] = read('portal_xlsx', workbook(cells(value))).accepted
    expect(line?.content).toMatchObject({ amount, day: '2026-01-31' })
  })

  test('a bomb, a lie about the size, a password and another archive are refused', () => {
    const bomb = zip([['xl/worksheets/sheet1.xml', Buffer.alloc(80 * 1_024 * 1_024, 0x20)]])
    expect(() => read('portal_xlsx', bomb)).toThrow(/64 MiB/)
    const lie = Buffer.from(workbook(cells('1')))
    const at = lie.lastIndexOf('PK\x01\x02') + 24
    lie.writeUInt32LE(5, at)
    expect(() => read('portal_xlsx', lie)).toThrow(/damaged/)
    const locked = Buffer.from(workbook(cells('1')))
    locked[locked.lastIndexOf('PK\x01\x02') + 8] = 1
    expect(() => read('portal_xlsx', locked)).toThrow(/password/)
    expect(() => read('portal_xlsx', zip([['a.txt', 'x']]))).toThrow(/workbook/)
  })

  test('XML with entities of its own, or nested without end, is refused', () => {
    const laughs = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'
    expect(() => read('camt053', laughs)).toThrow(/DOCTYPE/)
    expect(() => read('camt053', '<a>'.repeat(100_000))).toThrow(/deeply/)
  })
})
