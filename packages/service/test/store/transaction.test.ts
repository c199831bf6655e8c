import { AsyncResource } from 'node:async_hooks'
import { Pool } from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/connection/database.ts'
import {
  insideTransaction,
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../src/store/connection/transaction.ts'
import { cuttingProxy } from './cutting_proxy.ts'
import { directUrl } from './own_database.ts'
import { DATABASE_URL, useDatabase } from './test_database.ts'

const here = useDatabase({ statement_timeout_ms: 300, lock_timeout_ms: 100, idle_timeout_ms: 200 })

beforeAll(async () => {
  await here.sql('create table gapura.note (text text)')
})

afterEach(async () => {
  await here.sql('delete from gapura.note')
})

const write = async (tx: Tx, text = 'written') =>
  await tx.query('insert into gapura.note (text) values ($1)', [text])
const notes = async () => await here.sql('select text from gapura.note')

test('commits what was done', async () => {
  expect(await here.do(async (tx) => (await write(tx), 'result'))).toBe('result')
  expect(await notes()).toEqual([{ text: 'written' }])
})

test('rolls back when the work throws, and rethrows the error', async () => {
  const failure = new Error('no')
  await expect(
    here.do(async (tx) => {
      await write(tx)
      throw failure
    }),
  ).rejects.toBe(failure)
  expect(await notes()).toEqual([])
})

test('a swallowed error does not count as a commit', async () => {
  const swallowed = here.do(async (tx) => {
    await write(tx)
    await tx.query('select 1 / 0').catch(() => undefined)
  })
  await expect(swallowed).rejects.toMatchObject({ code: 'transaction_aborted' })
  expect(await notes()).toEqual([])
})

test('a transaction inside a transaction is refused, whatever database it is for', async () => {
  const nested = here.do(async () => await here.do(async () => await Promise.resolve(1)))
  await expect(nested).rejects.toMatchObject({ code: 'transaction_nested' })
})

test('insideTransaction is true exactly while one is open', async () => {
  expect(insideTransaction()).toBe(false)
  let later: (() => boolean) | undefined
  await here.do(async () => {
    expect(insideTransaction()).toBe(true)
    await Promise.resolve()
    expect(insideTransaction()).toBe(true)
    // What was begun in here and continues after the end is outside again.
    later = AsyncResource.bind(insideTransaction)
  })
  expect(insideTransaction()).toBe(false)
  expect(later?.()).toBe(false)
})

test('a statement after the end is refused, not sent on another caller’s connection', async () => {
  let kept: Tx | undefined
  await here.do(async (tx) => {
    kept = tx
    await Promise.resolve()
  })
  await expect(kept === undefined ? undefined : write(kept)).rejects.toMatchObject({
    code: 'transaction_ended',
  })
})

test('a read transaction refuses to write and does not see later commits', async () => {
  await expect(withReadTransaction(here.db, async (tx) => await write(tx))).rejects.toMatchObject({
    code: '25006',
  })
  await withReadTransaction(here.db, async (tx) => {
    expect(await tx.query('select text from gapura.note')).toEqual([])
    await here.sql("insert into gapura.note (text) values ('later')")
    expect(await tx.query('select text from gapura.note')).toEqual([])
  })
})

describe('limits of the server', () => {
  test('a long statement is ended', async () => {
    await expect(here.do(async (tx) => await tx.query('select pg_sleep(5)'))).rejects.toMatchObject(
      { code: '57014' },
    )
  })

  test('a wait for a lock is ended', async () => {
    const holder = await here.db.pool.connect()
    await holder.query(`begin; lock table ${here.db.schema}.note in access exclusive mode`)
    await expect(here.do(async (tx) => await write(tx))).rejects.toMatchObject({ code: '55P03' })
    await holder.query('rollback')
    holder.release()
  })

  test('are those of the options, durable, in UTC, and end with the transaction', async () => {
    const settings = `
      select
        current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('synchronous_commit') as durable,
        current_setting('transaction_isolation') as isolation,
        current_setting('timezone') as zone`
    const weak = openDatabase(
      `${directUrl(DATABASE_URL)}?options=-c%20synchronous_commit%3Doff%20-c%20timezone%3DAsia/Jakarta%20-c%20default_transaction_isolation%3Dserializable`,
      { connections_max: 1, statement_timeout_ms: 300, lock_timeout_ms: 100, idle_timeout_ms: 200 },
    )
    expect(await withTransaction(weak, async (tx) => await tx.query(settings))).toEqual([
      {
        statement: '300ms',
        lock: '100ms',
        idle: '200ms',
        durable: 'on',
        isolation: 'read committed',
        zone: 'UTC',
      },
    ])
    const { rows } = await weak.pool.query(settings)
    expect(rows[0]).toMatchObject({ statement: '0', durable: 'off', zone: 'Asia/Jakarta' })
    await weak.close()
  })

  test('a transaction that is idle too long is ended, and the process survives', async () => {
    const idle = here.do(async (tx) => {
      await write(tx)
      await new Promise((resolve) => setTimeout(resolve, 500))
      await write(tx)
    })
    await expect(idle).rejects.toThrow(/idle-in-transaction|connection|terminated/i)
    expect(await notes()).toEqual([])
    expect(await here.do(async (tx) => await tx.query('select 1 as one'))).toEqual([{ one: 1 }])
  })
})

describe('a connection cut at the commit', () => {
  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s it reached the server says commit_unknown', async (when, written) => {
    const proxy = await cuttingProxy(when)
    const db = openDatabase(proxy.url, { schema: here.db.schema })
    await expect(withTransaction(db, async (tx) => await write(tx))).rejects.toMatchObject({
      code: 'commit_unknown',
    })
    expect(await notes()).toHaveLength(written)
    // The connection was destroyed, not put back.
    expect(db.pool.totalCount).toBe(0)
    await db.close()
    proxy.close()
  })
})

test('an error that the server answers to a commit is a rollback, not an unknown outcome', async () => {
  await here.sql(`
    create table gapura.parent (id integer primary key);
    create table gapura.child (
      id integer references gapura.parent (id) deferrable initially deferred
    )`)
  const deferred = here.do(async (tx) => await tx.query('insert into gapura.child (id) values (1)'))
  await expect(deferred).rejects.toMatchObject({ code: '23503' })
})

describe('statements sent together', () => {
  const inOrder = async (tx: Tx) => {
    const [, before, , after] = await Promise.all([
      write(tx, 'first'),
      tx.query<{ count: string }>('select count(*) from gapura.note'),
      write(tx, 'second'),
      tx.query<{ count: string }>('select count(*) from gapura.note'),
    ])
    return [before, after].map((rows) => rows[0]?.count)
  }

  test('are carried out in that order on a connection of our own', async () => {
    expect(await here.do(inOrder)).toEqual(['1', '2'])
  })

  test('are carried out one after the other on a host’s connection', async () => {
    const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
    const warned: string[] = []
    const listen = ({ message }: Error): unknown => warned.push(message)
    process.on('warning', listen)
    try {
      const db = openDatabase(pool, { schema: here.db.schema })
      expect(await withTransaction(db, inOrder)).toEqual(['1', '2'])
      await new Promise(setImmediate)
      expect(warned).toEqual([])
    } finally {
      process.off('warning', listen)
      await pool.end()
    }
  })

  test('are rolled back if one of them fails, and the first failure is thrown', async () => {
    const failing = here.do(
      async (tx) =>
        await Promise.all([write(tx), tx.query('select 1 / 0'), write(tx, 'behind it')]),
    )
    await expect(failing).rejects.toThrow('division by zero')
    expect(await notes()).toEqual([])
    await here.do(async (tx) => await write(tx))
    expect(await notes()).toEqual([{ text: 'written' }])
  })
})

test('throw the cause, however soon its consequence arrives', async () => {
  const later = async <Result>(asked: Promise<Result>): Promise<Result> => {
    try {
      return await asked
    } finally {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
  }
  const failing = here.do(
    async (tx) => await Promise.all([later(tx.query('select 1 / 0')), tx.query('select 1')]),
  )
  await expect(failing).rejects.toThrow('division by zero')
})

describe('a transaction that could not begin', () => {
  /** Its begin fails, and leaves a connection on which each later statement would stand alone. */
  const unbegun = async <Result>(work: (tx: Tx) => Promise<Result>) =>
    await withTransaction(
      { ...here.db, idle_timeout_ms: '1; rollback; select 1 / 0' as unknown as number },
      work,
    )

  test('writes nothing, and says why it could not', async () => {
    await expect(unbegun(async (tx) => await write(tx))).rejects.toThrow('division by zero')
    const behind = async (tx: Tx) => await Promise.all([tx.query('select 1'), write(tx)])
    await expect(unbegun(behind)).rejects.toThrow('division by zero')
    expect(await notes()).toEqual([])
  })

  test('returns nothing that was read', async () => {
    const read: unknown[] = []
    const reading = unbegun(async (tx) => read.push(await tx.query('select 1')))
    await expect(reading).rejects.toThrow('division by zero')
    expect(read).toEqual([])
  })

  test('throws where no statement was sent', async () => {
    await expect(unbegun(async () => await Promise.resolve(1))).rejects.toThrow('division by zero')
  })
})
