// A month saved by pg_dump before it is dropped comes back whole (docs/scale.md).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { binary } from '../../../../campaigns/bench/postgres_cluster.ts'
import { verifyDatabase } from '../../src/main/verify.ts'
import { dropPartition, listPartitions } from '../../src/store/maintenance/partitions.ts'
import { directUrl } from './own_database.ts'
import { DATABASE_URL, useDatabase } from './test_database.ts'

const here = useDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'gapura-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TABLES = {
  gateway_event: `insert into gapura.gateway_event (id, object_id, occurred_at, xid, sequence,
      owner_id, object_kind, type, source, object)
    select gen_random_uuid(), gen_random_uuid(), timestamptz '2026-01-31 23:59:59.999Z',
      pg_current_xact_id(), 1, 'owner', 'payment', 'payment_settled', 'notification',
      jsonb_build_object('n', n, 'name', E'a\\tquote '' and a line\\nbreak')
    from generate_series(1, 1000) as n`,
  gateway_notification: `insert into gapura.gateway_notification (id, received_at, raw_payload,
      order_id, effect)
    select gen_random_uuid(), timestamptz '2026-01-01 00:00Z', jsonb_build_object('n', n),
      'o-' || n, 'duplicate'
    from generate_series(1, 1000) as n`,
} as const

const run = (program: string, options: readonly string[]): string =>
  execFileSync(binary(program), [...options], { encoding: 'utf8' })

const contentOf = async (table: string): Promise<unknown> =>
  await here.do(
    async (tx) =>
      await tx.query(
        `select count(*)::int as rows, md5(string_agg(one::text, '|' order by one::text)) as content
         from gapura.${table} as one
         where tableoid <> 'gapura.${table}_default'::regclass`,
      ),
  )

test.each(Object.entries(TABLES))('%s: saved, dropped, restored', async (table, insert) => {
  const name = `${table}_2026_01`
  const makeMonth = async (): Promise<unknown> =>
    await here.do(
      async (tx) =>
        await tx.query(`select gapura.ensure_month_partition($1, '2026-01-01')`, [table]),
    )
  await makeMonth()
  await here.do(async (tx) => await tx.query(insert))
  const before = await contentOf(table)
  expect(before).toMatchObject([{ rows: 1_000 }])
  const file = path.join(folder, name)
  const url = directUrl(DATABASE_URL)
  run('pg_dump', [
    url,
    '--format=custom',
    '--data-only',
    `--table=gapura.${name}`,
    `--file=${file}`,
  ])

  const partitioned = table as keyof typeof TABLES
  expect(await here.do(async (tx) => await dropPartition(tx, partitioned, { name }))).toBe(true)
  expect(await contentOf(table)).toMatchObject([{ rows: 0 }])

  await makeMonth()
  run('pg_restore', [`--dbname=${url}`, '--exit-on-error', '--single-transaction', file])
  expect(await contentOf(table)).toEqual(before)
  const partitions = await here.do(async (tx) => await listPartitions(tx, partitioned))
  expect(partitions.map((one) => one.name)).toContain(name)
  // The keys are back as well: no row can be restored twice.
  const again = here.do(
    async (tx) => await tx.query(`insert into gapura.${table} select * from gapura.${name}`),
  )
  await expect(again).rejects.toThrow(/duplicate key/)
})

test('restored months break no invariant', async () => {
  const { broken } = await verifyDatabase(DATABASE_URL)
  expect(broken).toEqual([])
})
