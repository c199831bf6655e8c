// A commit that is sent with the last statements of its transaction.
import { Pool } from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/connection/database.ts'
import { withTransaction, type Tx } from '../../src/store/connection/transaction.ts'
import { cuttingProxy } from './cutting_proxy.ts'
import { startDatabaseProxy } from './database_proxy.ts'
import { DATABASE_URL, useDatabase } from './test_database.ts'

const here = useDatabase()

beforeAll(async () => {
  await here.sql('create table gapura.note (text text)')
})

afterEach(async () => {
  await here.sql('delete from gapura.note')
})

const write = async (tx: Tx, text = 'written') =>
  await tx.query('insert into gapura.note (text) values ($1)', [text])
const notes = async () => await here.sql('select text from gapura.note')

describe('a commit sent with the last statements', () => {
  const together = async (tx: Tx) => {
    const sent = Promise.all([write(tx, 'first'), write(tx, 'second')])
    tx.commitNow()
    await sent
    return 'result'
  }

  test('commits them, and takes one round trip after begin', async () => {
    const proxy = await startDatabaseProxy()
    const db = openDatabase(proxy.url, { schema: here.db.schema, connections_max: 1 })
    await withTransaction(db, together)
    const before = proxy.trips()
    expect(await withTransaction(db, together)).toBe('result')
    // Writing statements wait for begin.
    expect(proxy.trips() - before).toBe(2)
    expect(await notes()).toHaveLength(4)
    await db.close()
    await proxy.close()
  })

  test('commits them on a host’s pool as well', async () => {
    const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
    expect(await withTransaction(openDatabase(pool, { schema: here.db.schema }), together)).toBe(
      'result',
    )
    expect(await notes()).toHaveLength(2)
    await pool.end()
  })

  test('commits nothing if one of them fails, throws its error, and the connection is good', async () => {
    const db = openDatabase(DATABASE_URL, { schema: here.db.schema, connections_max: 1 })
    const failing = withTransaction(db, async (tx) => {
      await write(tx, 'before')
      const sent = Promise.all([write(tx), tx.query('select 1 / 0'), write(tx, 'behind it')])
      tx.commitNow()
      await sent
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await notes()).toEqual([])
    expect(db.pool.totalCount).toBe(1)
    expect(await withTransaction(db, together)).toBe('result')
    await db.close()
  })

  test('commits nothing if a failure of one of them is swallowed', async () => {
    const swallowed = here.do(async (tx) => {
      const sent = Promise.all([write(tx), tx.query('select 1 / 0')])
      tx.commitNow()
      await sent.catch(() => undefined)
    })
    await expect(swallowed).rejects.toMatchObject({ code: 'transaction_aborted' })
    expect(await notes()).toEqual([])
  })

  test.each(['before', 'after'] as const)(
    'lost %s it reached the server says commit_unknown, whichever reply was lost',
    async (when) => {
      const proxy = await cuttingProxy(when)
      const db = openDatabase(proxy.url, { schema: here.db.schema })
      await expect(withTransaction(db, together)).rejects.toMatchObject({ code: 'commit_unknown' })
      await expect.poll(notes).toHaveLength(when === 'after' ? 2 : 0)
      expect(db.pool.totalCount).toBe(0)
      await db.close()
      proxy.close()
    },
  )

  test('ends the transaction: nothing can be requested after it', async () => {
    const late = here.do(async (tx) => {
      const sent = write(tx)
      tx.commitNow()
      await sent
      await write(tx, 'late')
    })
    await expect(late).rejects.toMatchObject({ code: 'transaction_ended' })
    expect(await notes()).toEqual([{ text: 'written' }])
  })
})
