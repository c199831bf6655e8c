// The export as a workbook, read by another program's rules: the ZIP format and the sheet's XML.
import { inflateRawSync, crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { workbookOf, type Cell } from '../../src/services/staff/workbook.ts'

/** The files of a ZIP by its directory, each checked against its sum. */
function filesOf(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let n = 0; n < bytes.readUInt16LE(end + 10); n += 1) {
    const [crc, packed] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)]
    const [length, offset] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)]
    const start = offset + 30 + bytes.readUInt16LE(offset + 26)
    const content = inflateRawSync(bytes.subarray(start, start + packed))
    expect([content.length, crc32(content)]).toEqual([bytes.readUInt32LE(at + 24), crc])
    files[bytes.subarray(at + 46, at + 46 + length).toString()] = content.toString()
    at += 46 + length
  }
  return files
}

test('has every row, amounts as numbers, and texts that no spreadsheet runs', async () => {
  async function* pages(): AsyncGenerator<Cell[][]> {
    yield [['order_id', 'gross_amount']]
    await Promise.resolve()
    yield [['=1+1 <&> \u0001', { number: '150000.00' }]]
    yield [['Teh Mélati', { number: '1.00' }]]
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of workbookOf(pages(), 'payments')) chunks.push(chunk)
  const files = filesOf(Buffer.concat(chunks))
  expect(Object.keys(files)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  const sheet = files['xl/worksheets/sheet1.xml'] ?? ''
  expect(sheet.match(/<row>/g)).toHaveLength(3)
  expect(sheet).toContain('<t xml:space="preserve">=1+1 &lt;&amp;&gt; </t>')
  expect(sheet).toContain('<c><v>150000.00</v></c>')
  expect(sheet).toContain('Teh Mélati')
})
