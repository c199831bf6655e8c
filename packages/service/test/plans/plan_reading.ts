import { escapeLiteral } from 'pg'
import { encodeValue, type SqlValue } from '../../src/store/sql/values.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Plan Rows': number
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export interface PlanFacts {
  indexes: string[]
  /** Tables of more than a few rows that are read from end to end. */
  scanned: string[]
  /** The planner's estimate of the result. */
  estimated_rows: number
  /** Rows of tables read, returned or not. */
  rows_read: number
  buffers: number
  /** The longest list that had to be sorted. */
  rows_sorted: number
}

/** For the settings and for empty future months a scan is the best plan. */
const FEW_ROWS = 100

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }]
}

/** A Tx that explains each statement, with its values, and then runs it. */
export function explaining(tx: Tx, seen: { custom: PlanFacts[]; generic: PlanFacts[] }): Tx {
  return {
    async query(text, values = [], options = {}) {
      // A setting reads no table, and holds for the plan of the next statement.
      if (text.startsWith('select set_config(')) return await tx.query(text, values, options)
      const custom = `explain (analyze, buffers, format json) ${text}`
      seen.custom.push(factsOf(await tx.query<Explained>(custom, values, { prepare: false })))
      if (options.prepare !== false) seen.generic.push(await explainGeneric(tx, text, values))
      return await tx.query(text, values, options)
    },
    // A commit would end the transaction whose statements are explained.
    commitNow: () => undefined,
  }
}

/** The generic plan of a prepared statement, made without its values. */
async function explainGeneric(
  tx: Tx,
  text: string,
  values: readonly SqlValue[],
): Promise<PlanFacts> {
  const once = { prepare: false }
  const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
  await tx.query('set local plan_cache_mode = force_generic_plan', [], once)
  await tx.query(`prepare explained as ${text}`, [], once)
  const rows = await tx.query<Explained>(
    `explain (format json) execute explained${given}`,
    [],
    once,
  )
  await tx.query('deallocate explained', [], once)
  await tx.query('set local plan_cache_mode = auto', [], once)
  return factsOf(rows)
}

function literal(value: SqlValue): string {
  const encoded = encodeValue(value)
  if (encoded === null) return 'null'
  // Without a type of its own, as a parameter arrives.
  if (Array.isArray(encoded)) return escapeLiteral(`{${encoded.join(',')}}`)
  return typeof encoded === 'string' ? escapeLiteral(encoded) : String(encoded)
}

function factsOf([row]: readonly Explained[]): PlanFacts {
  const root = row?.['QUERY PLAN'][0].Plan
  if (root === undefined) throw new Error('no plan')
  const nodes = [...walk(root)]
  const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'))
  return {
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
    scanned: nodes
      .filter((node) => node['Node Type'].endsWith('Seq Scan'))
      .filter((node) => Math.max(rowsOf(node), node['Plan Rows']) > FEW_ROWS)
      .flatMap((node) => node['Relation Name'] ?? []),
    estimated_rows: root['Plan Rows'],
    rows_read: nodes
      .filter((node) => /(?:Index|Heap|Seq|Only) Scan$/.test(node['Node Type']))
      .filter((node) => node['Node Type'] !== 'Bitmap Index Scan')
      .reduce((sum, node) => sum + rowsOf(node), 0),
    buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    rows_sorted: Math.max(0, ...sorts.flatMap((node) => (node.Plans ?? []).map(rowsOf))),
  }
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}

const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0)
