import { describe, expect, test } from 'vitest'
import { claimEnvironment, moveClock, readClock } from '../../src/store/connection/settings.ts'
import { beatWorker, forgetWorker, listStaleWorkers } from '../../src/store/maintenance/jobs.ts'
import { addPayment, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const YEAR_MS = 365 * 86_400_000

describe('gapura.now()', () => {
  test('is the server’s clock, in whole milliseconds', async () => {
    const [row] = await here.sql(
      'select gapura.now() as now, clock_timestamp() as real, extract(microseconds from gapura.now())::integer % 1000 as rest',
    )
    const { now, real, rest } = row as { now: Date; real: Date; rest: number }
    expect(real.getTime() - now.getTime()).toBeLessThan(1_000)
    expect(rest).toBe(0)
  })

  test('advances within a transaction, so that a wait for a lock is counted', async () => {
    await here.do(async (tx) => {
      const before = await readClock(tx)
      await tx.query('select pg_sleep(0.02)')
      expect((await readClock(tx)).getTime()).toBeGreaterThanOrEqual(before.getTime() + 20)
    })
  })

  test('can be moved, and every default moves with it', async () => {
    const before = await here.do(readClock)
    await here.do(async (tx) => await moveClock(tx, YEAR_MS))
    const { created_at } = await here.do(async (tx) => await addPayment(tx))
    expect(created_at.getTime()).toBeGreaterThanOrEqual(before.getTime() + YEAR_MS)
    await here.do(async (tx) => await moveClock(tx, -YEAR_MS))
    expect((await here.do(readClock)).getTime()).toBeLessThan(before.getTime() + 60_000)
  })
})

describe('a worker', () => {
  const stale = async () => await here.do(async (tx) => await listStaleWorkers(tx, 20_000))

  test('with a heartbeat is alive; one that stopped is stale by the database’s clock', async () => {
    const beat = async (id: string) =>
      await here.do(async (tx) => await beatWorker(tx, { id, description: 'test' }))
    await beat('a')
    await beat('b')
    await here.do(async (tx) => await moveClock(tx, 21_000))
    await beat('a')
    const [dead, ...others] = await stale()
    expect([dead?.id, others]).toEqual(['b', []])
    await beat('b')
    // It woke between the look and its removal.
    expect(await here.do(async (tx) => await forgetWorker(tx, there(dead)))).toBe(false)
    await here.do(async (tx) => await moveClock(tx, 21_000))
    for (const worker of await stale()) {
      expect(await here.do(async (tx) => await forgetWorker(tx, worker))).toBe(true)
    }
    expect(await stale()).toEqual([])
    await here.do(async (tx) => await moveClock(tx, -42_000))
  })
})

// Last: the database keeps it.
describe('the environment', () => {
  test('is claimed once and by all starts; the other one is refused', async () => {
    await here.do(async (tx) => await moveClock(tx, 1_000))
    const production = here.do(async (tx) => await claimEnvironment(tx, 'production'))
    await expect(production).rejects.toThrow('setting_production_clock')
    await here.do(async (tx) => await claimEnvironment(tx, 'sandbox'))
    await here.do(async (tx) => await claimEnvironment(tx, 'sandbox'))
    await expect(
      here.do(async (tx) => await claimEnvironment(tx, 'production')),
    ).rejects.toMatchObject({ code: 'environment_mismatch' })
  })

  test('production refuses a moved clock', async () => {
    await here.sql("update gapura.setting set environment = 'production', clock_offset = '0'")
    await expect(here.do(async (tx) => await moveClock(tx, 1))).rejects.toThrow(
      'setting_production_clock',
    )
  })
})
