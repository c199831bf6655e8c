// Every table is classified for moves, by the catalogue of the database.
import { expect, test } from 'vitest'
import { MOVED, NOT_MOVED } from '../../src/store/cells/moved_tables.ts'
import { useDatabase } from '../store/test_database.ts'

const database = useDatabase()
const others = Object.values(NOT_MOVED).flat()
const moved = MOVED.map(({ name }) => name)

const names = async (text: string) =>
  (await database.sql(text)).map(({ name }) => String(name)).toSorted()

const TABLES = `from pg_class as class
  where class.relnamespace = 'gapura'::regnamespace
    and class.relkind in ('r', 'p')
    and not class.relispartition`

test('every table is moved, or has a reason why not', async () => {
  const tables = await names(`select class.relname as name ${TABLES}`)
  expect([...moved, ...others].toSorted()).toEqual(tables)
})

test('every table with an owner is moved, or made from moved rows', async () => {
  const owned = await names(
    `select class.relname as name ${TABLES}
       and exists (
         select from pg_attribute where attrelid = class.oid and attname = 'owner_id'
       )`,
  )
  const cells_own = new Set(NOT_MOVED['of the cell'])
  expect(owned.filter((name) => cells_own.has(name))).toEqual(['owner_move', 'owner_move_change'])
})

test('what a moved row refers to is moved before it', async () => {
  const references = await database.sql(
    `select conrelid::regclass::text as name, confrelid::regclass::text as to_name
     from pg_constraint
     where contype = 'f'
       and connamespace = 'gapura'::regnamespace`,
  )
  const place = (name: unknown) => moved.indexOf(String(name).replace('gapura.', ''))
  const wrong = references.filter(
    (one) => place(one['name']) >= 0 && place(one['to_name']) >= place(one['name']),
  )
  expect(wrong).toEqual([])
  const unmoved = references.filter((one) => place(one['name']) >= 0 && place(one['to_name']) < 0)
  expect(unmoved).toEqual([])
})

test('the key of every moved table is its primary key', async () => {
  const keys = await database.sql(
    `select index.indrelid::regclass::text as name,
       array_agg(attribute.attname::text order by array_position(index.indkey, attribute.attnum)) as key
     from pg_index as index
     join pg_attribute as attribute
       on attribute.attrelid = index.indrelid
       and attribute.attnum = any(index.indkey)
     where index.indisprimary
     group by index.indrelid`,
  )
  const known = new Map(keys.map(({ name, key }) => [name, key]))
  for (const { name, key } of MOVED) expect(known.get(`gapura.${name}`)).toEqual([...key])
})
