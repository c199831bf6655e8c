import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  findApiKeys,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  type NewApiKey,
} from '../../src/store/access/api_keys.ts'
import { newId } from '../../src/store/sql/values.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const newKey = (given: Partial<NewApiKey> = {}): NewApiKey => ({
  id: newId(),
  owner_id: 'owner-1',
  name: 'checkout',
  staff: false,
  scopes: ['payments:write', 'payments:refund'],
  expires_at: null,
  key_hash: createHash('sha256').update(randomBytes(32)).digest('hex'),
  ...given,
})

describe('an API key', () => {
  test('is found by its hash among others, with its owner and scopes', async () => {
    const given = newKey()
    const inserted = await here.do(async (tx) => {
      await insertApiKey(tx, newKey())
      return there(await insertApiKey(tx, given))
    })
    expect(inserted).toMatchObject({ scopes: given.scopes, staff: false, revoked_at: null })
    expect(inserted).not.toHaveProperty('key_hash')
    const { id, owner_id, staff, scopes } = inserted
    const { key_hash } = given
    const hashes = [newKey().key_hash, key_hash, key_hash]
    const found = await findApiKeys(here.db, hashes)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ id, key_hash, owner_id, staff, scopes })
    expect(await findApiKeys(here.db, [newKey().key_hash])).toEqual([])
  })

  test('is refused once it is revoked, for ever', async () => {
    const given = newKey()
    await here.do(async (tx) => {
      await insertApiKey(tx, given)
      expect(await revokeApiKey(tx, given.id)).toBe(given.owner_id)
      expect(await revokeApiKey(tx, given.id)).toBeUndefined()
    })
    expect(await findApiKeys(here.db, [given.key_hash])).toEqual([])
  })

  test('is refused once it has expired by the database’s clock', async () => {
    const given = await here.do(async (tx) => {
      const expires_at = new Date((await readClock(tx)).getTime() + 60_000)
      const key = newKey({ expires_at })
      await insertApiKey(tx, key)
      return key
    })
    expect(await findApiKeys(here.db, [given.key_hash])).toHaveLength(1)
    await here.do(async (tx) => await moveClock(tx, 60_001))
    expect(await findApiKeys(here.db, [given.key_hash])).toEqual([])
  })

  test('cannot be stored in place of its hash, nor with an unknown scope', async () => {
    await expect(
      here.do(async (tx) => await insertApiKey(tx, newKey({ key_hash: 'gapura_live_secret' }))),
    ).rejects.toThrow('api_key_hash_is_sha256')
    await expect(
      here.do(async (tx) => await insertApiKey(tx, newKey({ scopes: ['all' as 'staff:read'] }))),
    ).rejects.toThrow('api_key_scopes_known')
  })

  test('is listed for its owner, newest first', async () => {
    const first = newKey({ owner_id: 'lister' })
    const second = newKey({ owner_id: 'lister' })
    await here.do(async (tx) => await insertApiKey(tx, first))
    await here.do(async (tx) => await moveClock(tx, 10))
    await here.do(async (tx) => await insertApiKey(tx, second))
    const listed = await here.do(async (tx) => await listApiKeys(tx, 'lister'))
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id])
  })
})
