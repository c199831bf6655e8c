// Tables filled by the million: their indexes are dropped first and made again behind the rows.
import type { Pool, PoolClient } from 'pg'

/** Fills these tables without any index but their keys. */
export async function withoutIndexes(
  { pool, schema, tables }: { pool: Pool; schema: string; tables: readonly string[] },
  fill: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set maintenance_work_mem = '512MB'`)
    const indexes = await dropIndexes(client, schema, tables)
    await fill(client)
    for (const statement of indexes) await client.query(statement)
  } finally {
    // The connection's settings end with it.
    client.release(true)
  }
}

/** All indexes but the keys, with the statements that make them again. */
async function dropIndexes(
  client: PoolClient,
  schema: string,
  tables: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition
     from pg_indexes
     where schemaname = $1
       and tablename = any($2)
       and not exists (
         select from pg_constraint
         where conname = indexname and connamespace = schemaname::regnamespace
       )`,
    [schema, tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
