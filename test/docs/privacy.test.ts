// docs/privacy.md must list every text column, so a new column must be described there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useDatabase } from '../../packages/service/test/store/test_database.ts'

const database = useDatabase()
const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8')

/** What the page says of each table, under its heading or as `table.column`. */
function mapped(): Set<string> {
  const found = new Set<string>()
  for (const [, table = '', text = ''] of page.matchAll(
    /^### (\w+)\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm,
  )) {
    for (const [, name = ''] of text.matchAll(/`([\w.]+)`/g))
      found.add(name.includes('.') ? name : `${table}.${name}`)
  }
  return found
}

test('the page lists every text or JSON column, and no column that does not exist', async () => {
  const rows = await database.sql(
    `select format('%s.%s', relname, attname) as place
     from pg_class
     join pg_namespace on pg_namespace.oid = relnamespace
     join pg_attribute on attrelid = pg_class.oid
     where nspname = $1 and relkind in ('r', 'p') and not relispartition and attnum > 0
       and not attisdropped and atttypid in ('text'::regtype, 'jsonb'::regtype)
       and relname <> 'migration'`,
    [database.db.schema],
  )
  const places = rows.map(({ place }) => String(place))
  const map = mapped()
  expect(places.length).toBeGreaterThan(80)
  expect(places.filter((place) => !map.has(place)).toSorted()).toEqual([])
  expect([...map].filter((place) => !places.includes(place)).toSorted()).toEqual([])
})
