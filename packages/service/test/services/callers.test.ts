import { expect, test } from 'vitest'
import { callersOfKeys, createApiKey, endApiKey } from '../../src/services/access/callers.ts'
import { useDatabase } from '../store/test_database.ts'

const here = useDatabase()
const UNKNOWN = `gpk_${'a'.repeat(32)}`

const make = async (owner_id: string) => {
  const order = { owner_id, name: 'till', staff: false, scopes: ['payments:write'] as const }
  return await createApiKey({ db: here.db }, order)
}

/** The database, and how many key look-ups it received. */
function counted() {
  const asked = { times: 0 }
  const statement = (text: string) => {
    if (text.includes('from gapura.api_key')) asked.times += 1
    return here.db.statement(text)
  }
  // Only texts of prepared statements pass here, so they are used behind every pooler.
  return { asked, db: { ...here.db, statement, prepared: true } }
}

test('each of many concurrent callers is identified by its own key, with few look-ups', async () => {
  const owners = Array.from({ length: 12 }, (_, at) => `owner-${at}`)
  const keys = await Promise.all(owners.map(make))
  const { asked, db } = counted()
  const find = callersOfKeys({ db })
  const many = Array.from({ length: 120 }, (_, at) => at % 13)
  const found = await Promise.all(many.map(async (at) => await find(keys[at]?.key ?? UNKNOWN)))
  expect(found.map((caller) => caller?.owner_id)).toEqual(many.map((at) => owners[at]))
  expect(found[0]).toEqual({ owner_id: 'owner-0', staff: false, scopes: ['payments:write'] })
  expect(asked.times).toBeLessThanOrEqual(3)
})

test('a key revoked while others are being looked up is refused afterwards', async () => {
  const find = callersOfKeys({ db: here.db })
  const [{ id, key }, other] = [await make('ani'), await make('budi')]
  for (let round = 0; round < 5; round++) {
    const busy = Array.from({ length: 50 }, async () => await find(other.key))
    if (round === 0) expect(await find(key)).toMatchObject({ owner_id: 'ani' })
    if (round === 0) await endApiKey({ db: here.db }, id)
    expect(await find(key)).toBeUndefined()
    for (const one of await Promise.all(busy)) expect(one).toMatchObject({ owner_id: 'budi' })
  }
})

test('every key is looked up again: nothing is cached', async () => {
  const { asked, db } = counted()
  const find = callersOfKeys({ db })
  const { key } = await make('citra')
  await find(key)
  await find(key)
  expect(asked.times).toBe(2)
})

test('text that is no key of ours is not looked up', async () => {
  const { asked, db } = counted()
  expect(await callersOfKeys({ db })("' or 1=1")).toBeUndefined()
  expect(asked.times).toBe(0)
})

test('a key with a scope that a later release added keeps the rights this process knows', async () => {
  const { id, key } = await make('dewi')
  await here.do(async (tx) => {
    await tx.query('alter table gapura.api_key drop constraint api_key_scopes_known')
    await tx.query("update gapura.api_key set scopes = scopes || '{later:write}' where id = $1", [
      id,
    ])
  })
  expect(await callersOfKeys({ db: here.db })(key)).toEqual({
    owner_id: 'dewi',
    staff: false,
    scopes: ['payments:write'],
  })
})
