// Statements by upload: what a file gives, the bound of a body, and files that are hostile.
import { describe, expect, test } from 'vitest'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp()
const AS = { as: 'clerk' } as const

const HEADER = 'Tanggal Transaksi,Keterangan,Cabang,Jumlah'
const line = (day: number, what: string, amount = '1,000.00 CR') =>
  `${String(day).padStart(2, '0')}/01/2026,${what},0000,"${amount}"`

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64')
const upload = async (content: string | Uint8Array, more: Json = {}) =>
  await http.post('/staff/statements/', {
    ...AS,
    body: { file_name: 'a.csv', format: 'bca_csv', content_base64: base64(content), ...more },
  })

const importsOf = async () =>
  (await http.database.sql('select count(*)::int as n from gapura.statement_import'))[0]

describe('POST /staff/statements/', () => {
  test('stores each line once, lists what it refuses, and says that a repeat changed nothing', async () => {
    const file = [HEADER, line(1, 'UPLOADED A'), line(2, 'UPLOADED B'), line(32, 'NO DAY')].join(
      '\n',
    )
    const first = await upload(file)
    expect(first).toMatchObject({
      status: 200,
      body: { lines_read: 3, lines_new: 2, lines_refused: 1, repeated: false, imported_by: 'desk' },
    })
    const again = await upload(file)
    expect(again.body).toMatchObject({ id: first.body.id, repeated: true })
    const shown = await http.get(`/staff/statements/${first.body.id}/`, AS)
    expect(shown.body['refusals']).toMatchObject([{ line_number: 4 }])
    const lines = await http.get(`/staff/statements/lines/?import_id=${first.body.id}`, AS)
    const said = (lines.body['results'] as Json[]).map(({ description }) => String(description))
    expect(said.toSorted()).toEqual(['UPLOADED A', 'UPLOADED B'])
    const listed = await http.get('/staff/statements/?page_size=1', AS)
    expect(listed.body['results']).toMatchObject([{ id: first.body.id }])
  })

  test('takes a file that is larger than the body of any other request', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => line((at % 28) + 1, `BULK ${at}`))
    const file = [HEADER, ...rows].join('\n')
    expect(file.length).toBeGreaterThan(1_100_000)
    expect((await upload(file)).body).toMatchObject({ lines_new: 30_000, lines_refused: 0 })
  })

  test('refuses a body above its bound before it is read whole', async () => {
    const before = await importsOf()
    const reply = await upload(new Uint8Array(9 * 1_024 * 1_024))
    expect(reply).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    expect(await importsOf()).toEqual(before)
  })

  test('other routes keep the bound of 64 KiB', async () => {
    const body = { name: 'x', columns: { time: 'T', amount: 'A' }, reason: 'x'.repeat(70_000) }
    const reply = await http.post('/staff/statements/mappings/', { ...AS, body })
    expect(reply).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  test.each([
    ['no columns', 'bca_csv', 'hello', /columns/],
    ['zero bytes', 'bca_csv', 'a\0b', /text file/],
    ['no workbook', 'portal_xlsx', 'PK\u0003\u0004 hello', /workbook|damaged/],
    ['a DOCTYPE', 'camt053', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['deep XML', 'camt053', '<a>'.repeat(5_000), /nested|well-formed/],
    ['no MT940', 'mt940', ':20:X\n', /MT940/],
  ])('a file with %s is refused whole, with a reason', async (_what, format, content, reason) => {
    const before = await importsOf()
    const reply = await upload(content, { format })
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ field: 'content_base64', message: expect.stringMatching(reason) }],
      },
    })
    expect(await importsOf()).toEqual(before)
  })

  test('a workbook that unpacks to a thousand times its size is refused', async () => {
    const { deflateRawSync } = await import('node:zlib')
    const packed = deflateRawSync(Buffer.alloc(80 * 1_024 * 1_024))
    const reply = await upload(zipOf('xl/worksheets/sheet1.xml', packed, 80 * 1_024 * 1_024), {
      format: 'portal_xlsx',
    })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

describe('columns of a portal’s export', () => {
  const export_csv =
    'Report of January\nWaktu,Nomor Pesanan,Jumlah,Fee\n2026-01-31 10:00,order-9,5000,70\n'

  test('are read from a file, stored by name with an audit entry, and used by an import', async () => {
    const content_base64 = base64(export_csv)
    const look = await http.post('/staff/statements/columns/', {
      ...AS,
      body: { format: 'portal_csv', content_base64 },
    })
    expect(look.body).toEqual({
      columns: ['Waktu', 'Nomor Pesanan', 'Jumlah', 'Fee'],
      samples: [['2026-01-31 10:00', 'order-9', '5000', '70']],
      known: { fee: 'Fee' },
    })
    expect(await upload(export_csv, { format: 'portal_csv' })).toMatchObject({ status: 400 })
    const columns = { time: 'Waktu', amount: 'Jumlah', fee: 'Fee', order_id: 'Nomor Pesanan' }
    const saved = await http.post('/staff/statements/mappings/', {
      ...AS,
      body: { name: 'portal_csv', columns, reason: 'export of January' },
    })
    expect(saved.body).toMatchObject({ name: 'portal_csv', columns, updated_by: 'desk' })
    const listed = await http.get('/staff/statements/mappings/', AS)
    expect(listed.body['mappings']).toMatchObject([{ name: 'portal_csv', columns }])
    const [entry] = await http.database.sql(
      `select actor, reason, subject_id from gapura.audit_unsealed
       where action = 'statement_mapping.set'`,
    )
    expect(entry).toEqual({ actor: 'desk', reason: 'export of January', subject_id: 'portal_csv' })
    const made = await upload(export_csv, { format: 'portal_csv', mapping: 'portal_csv' })
    expect(made.body).toMatchObject({ lines_new: 1, lines_refused: 1 })
    const lines = await http.get(`/staff/statements/lines/?order_id=order-9`, AS)
    expect(lines.body['results']).toMatchObject([{ amount: '5000.00', fee: '70.00' }])
  })

  test.each([
    ['without a time', { amount: 'Jumlah' }, 'columns.time'],
    ['with a field that is unknown', { time: 'T', amount: 'A', total: 'B' }, 'columns.total'],
  ])('%s are refused', async (_what, columns, field) => {
    const reply = await http.post('/staff/statements/mappings/', {
      ...AS,
      body: { name: 'x', columns },
    })
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })
})

/** An archive with one file, as small as the format allows. */
function zipOf(name: string, packed: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(size, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(size, 24)
  central.writeUInt16LE(name.length, 28)
  const file = Buffer.concat([local, Buffer.from(name), packed])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(file.length, 16)
  return Buffer.concat([file, central, Buffer.from(name), end])
}
