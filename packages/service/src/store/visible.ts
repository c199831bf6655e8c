import { seesAll, type Caller } from '../domain/caller.ts'
import type { SqlValue } from './sql_values.ts'

/** A condition of a `where`, and the value of its one `?`. The text is ours, never a caller's. */
export type Condition = readonly [sql: string, value: SqlValue]

/** Which rows a caller may see: those of every owner if she is staff that may read them. */
export const visibleTo = (caller: Caller): readonly Condition[] =>
  seesAll(caller) ? [] : [['owner_id = ?', caller.owner_id]]

/** The conditions joined, with numbered parameters. */
export function whereOf(conditions: readonly Condition[]): { sql: string; values: SqlValue[] } {
  const sql = conditions
    .map(([condition], index) => condition.replaceAll('?', `$${index + 1}`))
    .join('\n  and ')
  return { sql: sql === '' ? 'true' : sql, values: conditions.map(([, value]) => value) }
}

/** The conditions of the filters that were given. */
export const conditionsOf = <Name extends string>(
  known: readonly (readonly [Name, string])[],
  filters: { readonly [N in Name]?: SqlValue },
): Condition[] =>
  known.flatMap(([name, sql]) => {
    const value = filters[name]
    return value === undefined ? [] : [[sql, value] as const]
  })
