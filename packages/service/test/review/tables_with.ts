import type { useDatabase } from '../store/test_database.ts'

/** The tables that contain this text in any column. */
export async function tablesWith(
  { sql }: Pick<ReturnType<typeof useDatabase>, 'sql'>,
  text: string,
): Promise<unknown[]> {
  const tables = await sql(
    `select table_name from information_schema.tables
     where table_schema = 'gapura' and table_type = 'BASE TABLE'`,
  )
  const found: unknown[] = []
  for (const { table_name } of tables) {
    const [row] = await sql(
      `select 1 from gapura.${String(table_name)} as t where t::text like '%${text}%' limit 1`,
    )
    if (row !== undefined) found.push(table_name)
  }
  return found
}
