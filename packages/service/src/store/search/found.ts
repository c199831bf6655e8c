// Finding payments by what a customer reads out. Each kind goes by an index of its own and stops
// after few rows, however many payments match. Every owner's payments: for staff only.
import type { SearchCandidate } from '../../domain/search_term.ts'
import { OBJECT_KINDS, type ObjectKind } from '../../domain/signals.ts'
import type { Tx } from '../connection/transaction.ts'

export type SearchedKind = Exclude<SearchCandidate['kind'], 'id' | 'gross_amount' | 'created_on'>

interface SearchedBy {
  columns: readonly string[]
  /** How a column must compare to the term, beside being equal to it. */
  also?: 'begins' | 'begins_or_contains'
}

const BY: Readonly<Record<SearchedKind, SearchedBy>> = {
  order_id: { columns: ['order_id'], also: 'begins_or_contains' },
  customer_name: {
    columns: ['customer_name', 'customer_last_name'],
    also: 'begins_or_contains',
  },
  customer_email: { columns: ['customer_email'], also: 'begins' },
  customer_phone: { columns: ['customer_phone'], also: 'begins' },
  transaction_id: { columns: ['transaction_id'] },
  va_number: { columns: ['pay_number'], also: 'begins' },
  bill_key: { columns: ['pay_number'], also: 'begins' },
  payment_code: { columns: ['pay_number'], also: 'begins' },
  card_last_four: { columns: ['card_last_four'] },
  refund_key: { columns: ['refund_keys'] },
}

/** A condition on a column, and in which order its index is read; the newest is chosen of those. */
interface Look {
  sql: string
  order: string
  exact: boolean
}

const CHOSEN_AMONG = 200
const HIGHEST = '\u{10FFFF}'
const NEWEST = 'order by created_at desc, object_id desc'

/** `$1` is the term; `$2` the first text that no longer begins with it. */
function looksOf({ columns, also }: SearchedBy): Look[] {
  return columns.flatMap((column) => [
    column === 'refund_keys'
      ? { sql: 'refund_keys @> array[$1::text]', order: '', exact: true }
      : { sql: `${column} = $1`, order: NEWEST, exact: true },
    ...(also === undefined
      ? []
      : [{ sql: `${column} > $1 and ${column} < $2`, order: `order by ${column}`, exact: false }]),
  ])
}

export interface FoundPayment {
  object_id: string
  /** Equal to the term, and does not only begin with it. */
  exact: boolean
}

/** The payments that a term of a kind finds, equal ones first, then the newest. */
export async function findByTerm(
  tx: Tx,
  { kind, value }: { kind: SearchedKind; value: string },
  { limit, parts }: { limit: number; parts: boolean },
): Promise<FoundPayment[]> {
  const term = kind === 'refund_key' ? value : value.toLowerCase()
  const by = BY[kind]
  const found = await findWhere(tx, looksOf(by), [term, term + HIGHEST, limit])
  const [column = ''] = by.columns
  if (!parts || by.also !== 'begins_or_contains' || found.length >= limit) return found
  const contains = { sql: `${column} like $1 and $2::text is not null`, order: '', exact: false }
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const more = await findWhere(tx, [contains], [pattern, '', limit])
  const known = new Set(found.map(({ object_id }) => object_id))
  return [...found, ...more.filter(({ object_id }) => !known.has(object_id))].slice(0, limit)
}

/** Also in the objects that are not filled in yet. */
async function findWhere(
  tx: Tx,
  looks: readonly Look[],
  values: readonly [term: string, beyond: string, limit: number],
): Promise<FoundPayment[]> {
  const filled = looks.map(
    ({ sql, order, exact }) => `(
         select object_id, created_at, ${exact} as exact
         from gapura.search_entry
         where object_kind = 'payment'
           and $2::text is not null
           and ${sql}
         ${order}
         limit ${CHOSEN_AMONG}
       )`,
  )
  const all = looks.map(({ sql }) => sql)
  const equal = looks.filter(({ exact }) => exact).map(({ sql }) => sql)
  return await tx.query<FoundPayment>(
    `select object_id, bool_or(exact) as exact
     from (
       ${filled.join('\n       union all\n       ')}
       union all
       select object_id, created_at, coalesce(${equal.join(' or ') || 'false'}, false)
       from gapura.search_source
       where object_kind = 'payment'
         and object_id = any (array(select object_id from gapura.search_pending))
         and (${all.join(' or ')})
     ) as found
     group by object_id, created_at
     order by bool_or(exact) desc, created_at desc, object_id desc
     limit $3`,
    values,
    // Planned for the term: a part that is in every order id needs another plan than a rare one.
    { prepare: false },
  )
}

/** By what a customer is known; both given: objects that have either. */
export interface CustomerKey {
  customer_email?: string
  customer_phone?: string
}

export interface CustomerObject {
  object_kind: ObjectKind
  object_id: string
}

/** The newest objects of a customer, of each kind at most so many. */
export async function listCustomerObjects(
  tx: Tx,
  { customer_email, customer_phone }: CustomerKey,
  limit: number,
): Promise<CustomerObject[]> {
  const is = '(customer_email = $1 or customer_phone = $2)'
  const filled = OBJECT_KINDS.flatMap((kind) =>
    (['customer_email = $1', 'customer_phone = $2'] as const).map(
      (condition) => `(
         select object_kind, object_id, created_at
         from gapura.search_entry
         where object_kind = '${kind}'
           and ${condition}
         ${NEWEST}
         limit $3
       )`,
    ),
  )
  return await tx.query<CustomerObject>(
    `select object_kind, object_id
     from (
       ${filled.join('\n       union\n       ')}
       union
       select object_kind, object_id, created_at
       from gapura.search_source
       where object_id = any (array(select object_id from gapura.search_pending))
         and ${is}
     ) as found
     ${NEWEST}`,
    [customer_email?.toLowerCase() ?? null, customer_phone ?? null, limit],
    { prepare: false },
  )
}
