// Imports into a real database: each line once, whichever file it came in.
import { describe, expect, test } from 'vitest'
import { importStatement } from '../../src/services/statements/import_file.ts'
import {
  listStatementLines,
  readStatementImport,
} from '../../src/services/statements/read_imports.ts'
import { readLines } from '../../src/services/statements/read_apart.ts'
import { useService } from '../services/service_bench.ts'

const service = useService()
const staff = { owner_id: 'dewi', staff: true, scopes: ['staff:read', 'staff:act'] as const }
const request = { caller: staff, request_id: 'r-1', idempotency: null }

const load = async (format: string, text: string, more: object = {}) =>
  await importStatement(service.ctx, request, {
    file_name: 'a.csv',
    format,
    content_base64: Buffer.from(text).toString('base64'),
    ...more,
  })
const HEADER = 'Tanggal Transaksi,Keterangan,Cabang,Jumlah'
const line = (day: string, what: string, amount = '1,000.00 CR') =>
  `${day}/01/2026,${what},0000,"${amount}"`
const file = (...lines: string[]) => [HEADER, ...lines].join('\n')

test('the same file again changes nothing, and a file that overlaps stores the rest', async () => {
  const first = await load('bca_csv', file(line('01', 'A'), line('02', 'B'), line('02', 'B')))
  expect(first).toMatchObject({ lines_read: 3, lines_new: 3, lines_known: 0, repeated: false })
  const again = await load('bca_csv', file(line('01', 'A'), line('02', 'B'), line('02', 'B')))
  expect(again).toMatchObject({ id: first.id, repeated: true })
  const next = await load('bca_csv', file(line('02', 'B'), line('02', 'B'), line('03', 'C')))
  expect(next).toMatchObject({ lines_read: 3, lines_new: 1, lines_known: 2 })
})

test('the same file by two people at the same time is one import', async () => {
  const text = file(...Array.from({ length: 40 }, (_, index) => line('04', `AT ONCE ${index}`)))
  const both = await Promise.all([load('bca_csv', text), load('bca_csv', text)])
  expect(new Set(both.map(({ id }) => id)).size).toBe(1)
  const [{ stored } = { stored: 0 }] = await service.database.sql(
    `select count(*)::int as stored from gapura.statement_line where description like 'AT ONCE%'`,
  )
  expect(stored).toBe(40)
})

test('refused lines are kept with number, reason and text, and the sums agree', async () => {
  const made = await load('bca_csv', file(line('07', 'GOOD'), line('32', 'BAD DAY'), 'x,y'))
  expect(made).toMatchObject({ lines_read: 3, lines_new: 1, lines_refused: 2 })
  const found = await readStatementImport(service.ctx, staff, made.id)
  expect(found?.refusals.map(({ line_number }) => line_number)).toEqual([3, 4])
  expect(found?.refusals[0]?.content).toContain('BAD DAY')
  // The database refuses an import whose lines do not add up.
  const wrong = service.database.sql(
    `insert into gapura.statement_import
       (id, bytes, lines_read, lines_new, lines_known, lines_refused, side, format, file_name,
        sha256, fingerprint, imported_by)
     values (gen_random_uuid(), 1, 3, 1, 0, 1, 'bank', 'bca_csv', 'x', 'x', 'x', 'x')`,
  )
  await expect(wrong).rejects.toThrow(/statement_import_lines_add_up/)
})

describe('a mapping', () => {
  const text = 'When,Total\n2026-01-31,5'

  test('is given once and found by its name afterwards', async () => {
    await expect(load('portal_csv', text, { mapping: 'daily' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const columns = { time: 'When', amount: 'Total' }
    await load('portal_csv', text, { mapping: 'daily', columns })
    const more = await load('portal_csv', `${text}\n2026-01-30,6`, { mapping: 'daily' })
    expect(more).toMatchObject({ lines_new: 1, lines_known: 1 })
  })

  test('of a bank’s statement is refused', async () => {
    const refused = load('bca_csv', file(line('01', 'M')), { mapping: 'daily' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

test.each([
  ['a file without columns', 'bca_csv', 'hello'],
  ['a workbook that is none', 'portal_xlsx', 'hello'],
  ['no XML', 'camt053', '<a>'],
])('%s is refused whole: nothing is stored', async (_, format, text) => {
  const count = async () =>
    (await service.database.sql('select count(*)::int as n from gapura.statement_import'))[0]
  const before = await count()
  await expect(load(format, text)).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await count()).toEqual(before)
})

test('reading and importing need their scopes', async () => {
  const reader = { ...staff, scopes: ['staff:read'] as const }
  const input = { file_name: 'a', format: 'bca_csv', content_base64: '' }
  await expect(
    importStatement(service.ctx, { ...request, caller: reader }, input),
  ).rejects.toMatchObject({ code: 'forbidden' })
  const page = { page_size: 5, cursor: null }
  const found = await listStatementLines(service.ctx, reader, { side: 'bank' }, page)
  expect(found.results.every(({ side }) => side === 'bank')).toBe(true)
  const owner = { owner_id: 'ani', staff: false, scopes: [] }
  await expect(listStatementLines(service.ctx, owner, {}, page)).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a large file is read beside the other work of the process', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => line('05', `BESIDE ${at}`))
  const bytes = Buffer.from(file(...lines))
  let turns = 0
  let reading = true
  const turn = (): void => {
    turns += 1
    if (reading) setImmediate(turn)
  }
  setImmediate(turn)
  const read = await readLines({ task: 'lines', format: 'bca_csv', bytes, mapping: undefined })
  reading = false
  expect(read.lines).toHaveLength(20_000)
  expect(read.lines[7]?.amount).toBe(100_000n)
  // In place it would be one turn.
  expect(turns).toBeGreaterThan(50)
})
