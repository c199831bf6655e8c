import type { QueryResultRow } from 'pg'
import { renameSchema, withConnection, type Database } from './database.ts'
import { onStandby } from './pool.ts'
import { encodeValue, SQL_TYPES, type SqlValue } from './sql_values.ts'

/**
 * What one statement reads that stands alone: no transaction, so one round trip instead of three.
 * For what every request asks first. The same statement says whether the server is a standby,
 * where a key that was revoked may still look good. Its rows have an `id` and no times: the zone of
 * the session is whatever it is.
 */
export async function readAlone<Row extends QueryResultRow & { id: string }>(
  db: Database,
  text: string,
  values: readonly SqlValue[],
): Promise<Row[]> {
  const alone = `
    select pg_is_in_recovery() as on_standby, found.id is not null as there, found.*
    from (values (true)) as asked (once)
    left join (${text}) as found on true`
  return await withConnection(db, async (client, doubt) => {
    const { rows } = await client.query<Row & { on_standby: boolean; there: boolean }>({
      ...(db.prepared ? db.statement(alone) : { text: renameSchema(alone, db.schema) }),
      values: values.map(encodeValue),
      types: SQL_TYPES,
    })
    if (rows[0]?.on_standby === true && !db.standby) {
      doubt()
      throw onStandby()
    }
    return rows.filter(({ there }) => there)
  })
}
