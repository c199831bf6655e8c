import { beforeAll, describe, expect, test } from 'vitest'
import {
  addJobs,
  jobsSchema,
  JOBS_PAGE_MAX,
  type NewJob,
} from '../../src/store/maintenance/jobs.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import { useDatabase } from '../store/test_database.ts'

const here = useDatabase()
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeAll(async () => {
  // The queue's schema needs no gateway.
  await migrateJobs({ db: here.db, log: silent })
})

const job = (key: string, payload: object = {}): NewJob => ({
  task: 'any',
  key,
  payload,
  attempts_max: 7,
})
const add = async (jobs: readonly NewJob[]) =>
  await here.do(async (tx) => await addJobs(tx, jobsSchema(here.db), jobs))
const keys = async (like: string) =>
  (
    await here.sql(
      `select key from ${jobsSchema(here.db)}.jobs where key like $1 order by length(key), key`,
      [like],
    )
  ).map(({ key }) => key)

describe('jobs', () => {
  test('are in a schema of our own, beside the service’s', () => {
    expect(jobsSchema({ schema: 'gapura' })).toBe('gapura_worker')
  })

  test('are added many at once, each with its payload and its limit', async () => {
    const many = Array.from({ length: 500 }, (_, n) => job(`many-${n}`, { n, text: 'é"\\' }))
    await add(many)
    expect(await keys('many-%')).toHaveLength(500)
    const [row] = await here.sql(
      `select payload, max_attempts from ${jobsSchema(here.db)}._private_jobs where key = 'many-7'`,
    )
    expect(row).toEqual({ payload: { n: 7, text: 'é"\\' }, max_attempts: 7 })
  })

  test('with one key are one', async () => {
    await add([job('same', { n: 1 })])
    await add([job('same', { n: 2 })])
    expect(await keys('same')).toEqual(['same'])
  })

  test('of a transaction that rolls back do not exist', async () => {
    const failing = here.do(async (tx) => {
      await addJobs(tx, jobsSchema(here.db), [job('gone')])
      throw new Error('back')
    })
    await expect(failing).rejects.toThrow('back')
    expect(await keys('gone')).toEqual([])
  })

  test('beyond the limit are all refused', async () => {
    const many = Array.from({ length: JOBS_PAGE_MAX + 1 }, (_, n) => job(`over-${n}`))
    await expect(add(many)).rejects.toThrow(RangeError)
    expect(await keys('over-%')).toEqual([])
  })
})
