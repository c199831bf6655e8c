import { describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import { verifyAudit } from '../../src/services/audit/verify_audit.ts'
import type { Context } from '../../src/services/context.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { withTransaction } from '../../src/store/connection/transaction.ts'
import { appendAudit } from '../../src/store/audit/entries.ts'
import { useDatabase } from '../store/test_database.ts'
import { entryOf, fillChain, seal, write } from './chain_bench.ts'

const here = useDatabase()
const count = async (table: string) =>
  Number((await here.sql(`select count(*) from gapura.${table}`))[0]?.['count'])
const broken = async () =>
  (await checkInvariants(here.db)).filter(({ violations }) => violations > 0)

describe('the sealer', () => {
  test('many sealers beside writers seal every row once, in one chain', async () => {
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let n = 0; n < 40; n++) await write(here.db, entryOf(writer * 100 + n))
    })
    const sealers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 30; round++) await seal(here.db)
    })
    await Promise.all([...writers, ...sealers])
    await seal(here.db)
    const verdict = await verifyAudit(here.db)
    expect(verdict).toMatchObject({ sealed: 240, unsealed: [], faults: [] })
    expect(await broken()).toEqual([])
  })

  test('skips an entry that was rolled back, and seals one that commits late afterwards', async () => {
    const before = await count('audit_sealed')
    await expect(
      withTransaction(here.db, async (tx) => {
        await appendAudit(tx, [entryOf(1)])
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    const written = Promise.withResolvers<void>()
    const going_on = Promise.withResolvers<void>()
    const late = withTransaction(here.db, async (tx) => {
      await appendAudit(tx, [entryOf(2)])
      written.resolve()
      await going_on.promise
    })
    await written.promise
    // Begun later and committed first: it is sealed first, and the other is not skipped.
    await write(here.db, entryOf(3))
    await seal(here.db)
    going_on.resolve()
    await late
    expect(await count('audit_unsealed')).toBe(1)
    await seal(here.db)
    expect(await count('audit_unsealed')).toBe(0)
    expect(await count('audit_sealed')).toBe(before + 2)
    expect((await verifyAudit(here.db)).faults).toEqual([])
  })
})

describe('the tables', () => {
  test.each([
    "update gapura.audit_unsealed set actor = 'x'",
    'delete from gapura.audit_unsealed',
    'truncate gapura.audit_unsealed',
    "update gapura.audit_sealed set actor = 'x'",
    'delete from gapura.audit_sealed where seq = 5',
    'truncate gapura.audit_sealed',
  ])('refuse: %s', async (sql) => {
    await write(here.db, entryOf(1))
    await expect(here.sql(sql)).rejects.toThrow('append-only')
  })
})

describe('a retention', () => {
  const ctx = (): Pick<Context, 'db' | 'log'> => ({
    db: here.db,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const maintain = async (audit_months: number) =>
    await runMaintenance(ctx() as Context, { audit_months })

  test('drops rows behind an anchor that the chain records, and the rest still verifies', async () => {
    await seal(here.db)
    const { head } = await verifyAudit(here.db)
    // A year is kept whatever the setting says.
    expect((await maintain(1)).audit_dropped).toBe(0)
    await here.do(async (tx) => await moveClock(tx, 400 * 86_400_000))
    await fillChain(here.db, 20)
    expect((await maintain(1)).audit_dropped).toBe(head.seq)
    await seal(here.db)
    const verdict = await verifyAudit(here.db, { expected: [head] })
    expect(verdict).toMatchObject({ anchor: head, sealed: 21, unsealed: [], faults: [] })
    expect(await broken()).toEqual([])
    await here.do(async (tx) => await moveClock(tx, 400 * 86_400_000))
    await fillChain(here.db, 5)
    expect((await maintain(1)).audit_dropped).toBe(21)
    await seal(here.db)
    expect(await verifyAudit(here.db)).toMatchObject({ sealed: 6, faults: [] })
    expect(await broken()).toEqual([])
    await expect(here.sql('delete from gapura.audit_anchor')).rejects.toThrow('append-only')
  })
})
