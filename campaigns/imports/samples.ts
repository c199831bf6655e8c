// Whole files of every format that can be imported, written by code of their own. Each line has a
// mark that occurs nowhere else, so that it can be looked for after the import.
import { crc32, deflateRawSync } from 'node:zlib'

export interface Sample {
  /** The text that is mutated; of a workbook its sheet. */
  text: string
  pack: (text: string) => Buffer
  /** What was meant: hundredths of rupiah, by mark. */
  amounts: ReadonlyMap<string, bigint>
}

interface Row {
  mark: string
  /** Hundredths; negative takes money away. */
  amount: bigint
  day: number
}

const two = (value: number | bigint): string => String(value).padStart(2, '0')
const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
const plain = (amount: bigint): string =>
  `${absolute(amount) / 100n}.${two(absolute(amount) % 100n)}`
const grouped = (amount: bigint): string => plain(amount).replace(/\B(?=(?:\d{3})+(?!\d)\.)/g, ',')
const sumOf = (rows: readonly Row[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n)

const WRITERS: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  portal_csv: (rows) =>
    [
      'Date & Time,Order ID,Transaction Type,Channel,Status,Amount,Fee',
      ...rows.map(
        ({ mark, amount, day }) =>
          `2026-01-${two(day)} 10:00:00,${mark},Payment,qris,Settlement,"${amount < 0n ? '-' : ''}${grouped(amount)}","1,000.00"`,
      ),
    ].join('\n'),
  portal_xlsx: (rows) =>
    [
      '<?xml version="1.0"?>',
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>',
      row(1, ['Date & Time', 'Order ID', 'Amount', 'Fee'].map(text)),
      ...rows.map(({ mark, amount, day }, index) =>
        row(index + 2, [
          `<v>${46_023 + day}.5</v>`,
          text(mark),
          `<v>${amount < 0n ? '-' : ''}${plain(amount)}</v>`,
          '<v>1000</v>',
        ]),
      ),
      '</sheetData></worksheet>',
    ].join('\n'),
  bca_csv: (rows) =>
    [
      "No. Rekening,=,'1234567890",
      'Nama,=,TOKO TEH',
      'Periode,=,01/01/2026 - 31/01/2026',
      'Tanggal,Keterangan,Cabang,Jumlah,,Saldo',
      ...rows.map(
        ({ mark, amount, day }) =>
          `'${two(day)}/01,"TRSF E-BANKING ${mark}",'0000,"${grouped(amount)}",${amount < 0n ? 'DB' : 'CR'},"1,000.00"`,
      ),
      'Saldo Awal,=,0.00',
      `Saldo Akhir,=,"${grouped(sumOf(rows))}"`,
    ].join('\r\n'),
  mandiri_csv: (rows) =>
    [
      'Account No,Date,Val. Date,Transaction Code,Description,Description,Reference No.,Debit,Credit',
      ...rows.map(
        ({ mark, amount, day }) =>
          `0700000000001,${two(day)}/01/26,${two(day)}/01/26,2101,MCM InhouseTrf DARI DOMPET ANAK BANGSA,${mark},,"${amount < 0n ? grouped(amount) : '.00'}","${amount < 0n ? '.00' : grouped(amount)}"`,
      ),
    ].join('\n'),
  mt940: (rows) =>
    [
      '{1:F01BMRIIDJAXXXX0000000000}{2:I940BMRIIDJAXXXXN}{4:',
      ':20:STMT2601',
      ':25:0700000000001',
      ':28C:1/1',
      ':60F:C260101IDR0,00',
      ...rows.flatMap(({ mark, amount, day }) => [
        `:61:2601${two(day)}01${two(day)}${amount < 0n ? 'D' : 'C'}${plain(amount).replace('.', ',')}NTRFNONREF//${mark}`,
        `:86:TRANSFER FROM DOMPET ANAK BANGSA`,
      ]),
      `:62F:C260131IDR${plain(sumOf(rows)).replace('.', ',')}`,
      '-}',
    ].join('\r\n'),
  camt053: (rows) =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
      '<GrpHdr><MsgId>1</MsgId></GrpHdr>',
      '<Stmt><Id>1</Id><Acct><Id><Othr><Id>0700000000001</Id></Othr></Id></Acct>',
      '<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="IDR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>',
      ...rows.flatMap(({ mark, amount, day }) => [
        '<Ntry>',
        `<Amt Ccy="IDR">${plain(amount)}</Amt>`,
        `<CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`,
        '<Sts><Cd>BOOK</Cd></Sts>',
        `<BookgDt><Dt>2026-01-${two(day)}</Dt></BookgDt>`,
        `<AcctSvcrRef>${mark}</AcctSvcrRef>`,
        '</Ntry>',
      ]),
      '</Stmt></BkToCstmrStmt></Document>',
    ].join('\n'),
}

const row = (number: number, cells: readonly string[]): string =>
  `<row r="${number}">${cells
    .map((cell, index) => {
      const type = cell.startsWith('<is>') ? ' t="inlineStr"' : ''
      return `<c r="${String.fromCharCode(65 + index)}${number}"${type}>${cell}</c>`
    })
    .join('')}</row>`

const text = (value: string): string => `<is><t>${value.replaceAll('&', '&amp;')}</t></is>`

export const FORMATS = Object.keys(WRITERS)

/** A file of this format with so many lines. */
export function sampleOf(
  format: string,
  prefix: string,
  { lines, draw }: { lines: number; draw: () => number },
): Sample {
  const rows = Array.from({ length: lines }, (_, index) => {
    const amount = BigInt(Math.floor(draw() * 99_999_999) + 1)
    return {
      mark: `${prefix}X${index}E`,
      amount: draw() < 0.2 && index > 0 ? -1n * (amount / 1_000n + 1n) : amount,
      day: (index % 28) + 1,
    }
  })
  return {
    text: WRITERS[format]?.(rows) ?? '',
    pack: format === 'portal_xlsx' ? workbook : (value) => Buffer.from(value),
    amounts: new Map(rows.map(({ mark, amount }) => [mark, amount])),
  }
}

/** A zip archive with one sheet. */
export const workbook = (sheet: string): Buffer => zip([['xl/worksheets/sheet1.xml', sheet]])

export function zip(files: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, given] of files) {
    const content = Buffer.from(given)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    entries.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), version, fields, tail, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end])
}
