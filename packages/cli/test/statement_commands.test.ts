// Statements from the command line: a file of the bank imported twice, listed and shown.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCli, type Json } from './cli_bench.ts'

const cli = useCli()
let folder = ''
let file = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'statements-'))
  file = path.join(folder, 'january.csv')
  await writeFile(
    file,
    [
      'Tanggal Transaksi,Keterangan,Cabang,Jumlah',
      '05/01/2026,MCM DARI DOMPET ANAK BANGSA WLST1e621e894f708e,0000,"95,560.00 CR"',
      'PEND,BIAYA ADM,0000,"15,000.00 DB"',
    ].join('\n'),
  )
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

test('a file is imported once, its refused line is shown, and its lines are listed', async () => {
  const made = await cli.json('statements', 'import', file, '--format', 'bca_csv')
  expect(made).toMatchObject({ lines_read: 2, lines_new: 1, lines_refused: 1, repeated: false })
  const again = await cli.json('statements', 'import', file, '--format', 'bca_csv')
  expect(again).toMatchObject({ id: made['id'], repeated: true })
  const listed = (await cli.json('statements', 'list'))['results'] as Json[]
  expect(listed.map(({ id }) => id)).toEqual([made['id']])
  const shown = await cli.json('statements', 'show', String(made['id']))
  expect(shown['refusals']).toMatchObject([{ line_number: 3, reason: 'is not booked yet' }])
  const lines = await cli.json('statements', 'list', '--lines', '--reference', 'WLST1e621e894f708e')
  expect(lines['results']).toMatchObject([
    { amount: '95560.00', day: '2026-01-05', side: 'bank', version: 1 },
  ])
})
