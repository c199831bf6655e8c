// An XLSX file with one sheet, made while it is sent: a ZIP of five XML files, of which only the
// sheet is long. Written here because the libraries for it hold the whole file in memory.
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A number is shown as one; any other cell is a text, and no text is run as a formula. */
export type Cell = string | { number: string }

/** Excel opens no more. The last row says that there are more. */
const ROWS_MAX = 1_048_575

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const SHEET = 'xl/worksheets/sheet1.xml'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const WORKBOOK_TYPE = `${TYPE}.sheet` as const

const relation = (type: string, target: string): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

const partsOf = (sheet: string): (readonly [name: string, text: string])[] => [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/${SHEET}" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  ],
  ['_rels/.rels', relation('officeDocument', 'xl/workbook.xml')],
  ['xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')],
  [
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** XML has no control characters but tab and line ends, and no lone surrogates. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- XML has no form for these characters.
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)

const cellOf = (cell: Cell): string =>
  typeof cell === 'string'
    ? `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    : `<c><v>${escaped(cell.number)}</v></c>`

const rowOf = (cells: readonly Cell[]): string => `<row>${cells.map(cellOf).join('')}</row>`

async function* sheetOf(pages: AsyncIterable<readonly (readonly Cell[])[]>) {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`
  let rows = 0
  for await (const page of pages) {
    const shown = page.slice(0, ROWS_MAX - rows)
    rows += shown.length
    yield shown.map(rowOf).join('')
    if (shown.length < page.length) {
      yield rowOf(['There are more rows than a spreadsheet holds: narrow the filters.'])
      break
    }
  }
  yield '</sheetData></worksheet>'
}

interface Entry {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

/** The fixed part of a header: signature, then fields of two or four bytes. */
function header(signature: number, fields: readonly (readonly [bytes: 2 | 4, value: number])[]) {
  const bytes = Buffer.alloc(4 + fields.reduce((sum, [length]) => sum + length, 0))
  bytes.writeUInt32LE(signature)
  let at = 4
  for (const [length, value] of fields) {
    bytes.writeUIntLE(value, at, length)
    at += length
  }
  return bytes
}

/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x08_08
const DEFLATED = 8
const ANY_DAY = 0x00_21

const common = ({ crc, packed, size, name }: Entry) =>
  [
    [2, 20],
    [2, FLAGS],
    [2, DEFLATED],
    [2, 0],
    [2, ANY_DAY],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
    [2, 0],
  ] as const

/** The rows as a workbook with one sheet of this name, a page at a time. */
export async function* workbookOf(
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
  sheet: string,
): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = []
  let offset = 0
  const parts = [
    ...partsOf(sheet).map(([name, text]) => [name, [text]] as const),
    [SHEET, sheetOf(pages)] as const,
  ]
  for (const [name, texts] of parts) {
    const entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset }
    const start = header(0x04_03_4b_50, common(entry))
    yield Buffer.concat([start, entry.name])
    for await (const text of texts) {
      const content = Buffer.from(text)
      entry.crc = crc32(content, entry.crc)
      entry.size += content.length
      const packed = deflateRawSync(content, { finishFlush: constants.Z_SYNC_FLUSH })
      entry.packed += packed.length
      yield packed
    }
    const end = deflateRawSync(Buffer.alloc(0))
    entry.packed += end.length
    yield Buffer.concat([
      end,
      header(0x08_07_4b_50, [
        [4, entry.crc],
        [4, entry.packed],
        [4, entry.size],
      ]),
    ])
    offset += start.length + entry.name.length + entry.packed + 16
    entries.push(entry)
  }
  yield directoryOf(entries, offset)
}

function directoryOf(entries: readonly Entry[], offset: number): Buffer {
  const listed = entries.map((entry) =>
    Buffer.concat([
      header(0x02_01_4b_50, [
        [2, 20],
        ...common(entry),
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, entry.offset],
      ]),
      entry.name,
    ]),
  )
  const size = listed.reduce((sum, { length }) => sum + length, 0)
  const end = header(0x06_05_4b_50, [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, size],
    [4, offset],
    [2, 0],
  ])
  return Buffer.concat([...listed, end])
}
