import { afterEach, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../src/store/connection/errors.ts'
import { patiently } from '../../src/store/connection/pipelining.ts'
import { openPool } from '../../src/store/connection/pool.ts'
import { DATABASE_URL } from './test_database.ts'

const SILENCE_MS = 300
const pool = (): ReturnType<typeof openPool> =>
  openPool(DATABASE_URL, {
    connections_max: 1,
    silence_ms_max: SILENCE_MS,
    standby: false,
    onConnectionError: () => undefined,
  })
let open: ReturnType<typeof pool> | undefined

afterEach(async () => {
  await open?.end()
})

// A paused server looks like a lost machine: nothing arrives.
describe('a silent connection', () => {
  test('is ended while a caller waits, and the next one is another', async () => {
    open = pool()
    const began = performance.now()
    const failure: unknown = await open.query('select pg_sleep(5)').catch((error: unknown) => error)
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(failure).toMatchObject({ code: 'ETIMEDOUT' })
    expect(isUnavailable(failure)).toBe(true)
    expect((await open.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('is kept while no caller waits for it', async () => {
    open = pool()
    const pid = async (): Promise<unknown> =>
      (await open?.query<{ pid: number }>('select pg_backend_pid() as pid'))?.rows[0]?.pid
    const first = await pid()
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS * 3))
    expect(await pid()).toBe(first)
  })

  test('may be silent within a longer time-out that was asked for, and not afterwards', async () => {
    open = pool()
    const client = await open.connect()
    const sleeping = `select pg_sleep(${(SILENCE_MS * 2) / 1_000})`
    await expect(patiently(client, async () => await client.query(sleeping))).resolves.toBeTruthy()
    client.on('error', () => undefined)
    await expect(client.query(sleeping)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    client.release(true)
  })
})
