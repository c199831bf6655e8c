// Whether the rows that an owner had before a move are in the new cell afterwards, each with its content:
// found without the code that copies them. A hash of each row is kept in the new cell, outside of the
// schema of the service.
import type { Pool } from 'pg'
import { MOVED, ofOwner } from '../../packages/service/src/store/cells/moved_tables.ts'
import type { Figure } from './report.ts'

const PAGE = 50_000

/** Columns of an unchanged object that a check, a use or a delivery changes. */
const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  api_key: ['used_at'],
  gateway_checkout: ['updated_at'],
  gateway_invoice: ['updated_at'],
  gateway_payment: ['updated_at', 'check_attempts'],
  gateway_subscription: ['updated_at', 'checked_at', 'next_execution_at'],
  webhook_endpoint: ['failing_since', 'updated_at'],
}

/** Times at which a worker of the new cell acts, and which it then moves. */
const ACTED_AT = ['next_check_at', 'due_at']

/** A table that has no such row afterwards, and why. */
const CONSUMED: Readonly<Record<string, string>> = {
  webhook_resend: 'sent by the new cell, and then deleted',
}

interface Printed {
  name: string
  /** The rows of the owner $1. */
  rows: string
  key: readonly string[]
  without?: readonly string[]
}

const AUDIT = 'id, occurred_at, actor, action, subject_id, owner_id, reason, detail'

/** The tables whose rows are copied, and those that are copied after the switch. */
const PRINTED: readonly Printed[] = [
  ...MOVED.map((table) => ({
    name: table.name,
    rows: `select * from gapura.${table.name} where ${ofOwner(table)}`,
    key: table.key,
    without: [...ACTED_AT, ...Object.keys(table.arrives ?? {}), ...(VOLATILE[table.name] ?? [])],
  })),
  {
    name: 'ledger_posting',
    rows: `select * from gapura.ledger_posting
      where kind not in ('moved_out', 'moved_in')
        and coalesce(payment_id, object_id) in (
          select id from gapura.gateway_payment where owner_id = $1
        )`,
    key: ['object_id', 'version', 'kind', 'line'],
    // The first day that is not closed in the new cell.
    without: ['booked_on'],
  },
  {
    name: 'audit',
    rows: `select ${AUDIT} from gapura.audit_sealed where owner_id = $1
      union select ${AUDIT} from gapura.audit_unsealed where owner_id = $1`,
    key: ['id'],
  },
]

/** Hashes of the key and the content of each row of the owner $1. */
const printsOf = ({ rows, key, without = [] }: Printed): string =>
  `select hashtextextended(concat_ws(' ', ${key.map((one) => `one."${one}"`).join(', ')}), 0) as key,
     hashtextextended((to_jsonb(one) - '{${without.join(',')}}'::text[])::text, 0) as content
   from (${rows}) as one`

/** Stores the hashes of every row that the owner has in the old cell; returns how many are of payments. */
export async function printRows(source: Pool, target: Pool, owner_id: string): Promise<number> {
  let payments = 0
  await target.query('create table public.moved_print (name text, key bigint, content bigint)')
  for (const table of PRINTED) {
    const { rows } = await source.query<{ key: string; content: string }>(printsOf(table), [
      owner_id,
    ])
    if (table.name === 'gateway_payment') payments = rows.length
    for (let at = 0; at < rows.length; at += PAGE) {
      const page = rows.slice(at, at + PAGE)
      await target.query(
        'insert into public.moved_print select $1, * from unnest($2::bigint[], $3::bigint[])',
        [table.name, page.map(({ key }) => key), page.map(({ content }) => content)],
      )
    }
  }
  await target.query('analyze public.moved_print')
  return payments
}

export interface ComparedRows {
  figure: Figure
  faults: string[]
}

/** Compares what the new cell has with what was stored; rows that came later are not looked at. */
export async function compareRows(target: Pool, owner_id: string): Promise<ComparedRows> {
  const faults: string[] = []
  const all = { tables: 0, rows: 0 }
  for (const table of PRINTED) {
    const { rows } = await target.query<Sums>(
      `select count(*)::integer as had, count(moved.key)::integer as there,
         count(*) filter (where moved.content = print.content)::integer as same
       from public.moved_print as print
       left join (${printsOf(table)}) as moved using (key)
       where print.name = $2`,
      [owner_id, table.name],
    )
    const sums = rows[0] ?? { had: 0, there: 0, same: 0 }
    all.tables += sums.had > 0 ? 1 : 0
    all.rows += sums.had
    faults.push(...faultsOf(table.name, sums))
  }
  const consumed = Object.entries(CONSUMED).map(([name, why]) => `${name}: ${why}`)
  const figure = {
    what: 'tables with rows of the owner before the move, and these rows, compared in the new cell',
    measured: `${all.tables}, ${all.rows} (${consumed.join('; ')})`,
    goal: `all ${PRINTED.length}`,
  }
  return { figure, faults }
}

interface Sums {
  had: number
  there: number
  same: number
}

function faultsOf(name: string, { had, there, same }: Sums): string[] {
  if (had === 0) return [`${name} had no row of the owner: its move was not tried`]
  if (name in CONSUMED) return there === 0 ? [] : [`${there} rows of ${name} are left`]
  if (same === had) return []
  return [
    `of ${had} rows of ${name}, ${had - there} are missing and ${there - same} differ in the new cell`,
  ]
}
