// What follows the switch: ledger, audit and search in the new cell, and the end of the rows in the old
// one (ADR 0040). Every function may be repeated.
import { postedOn } from '../ledger/postings.ts'
import { PAGE_ROWS, type CellSide } from './cell_side.ts'
import { HELD, isHeld, type Cells } from './copy_rows.ts'
import { MOVED, ofOwner, type MovedTable } from './moved_tables.ts'
import { isListed, quoted } from './row_columns.ts'

/** Each page of what a query finds now, in transactions of its own. */
async function eachPage(
  side: CellSide,
  { text, values }: { text: string; values: readonly unknown[] },
  work: (page: readonly string[]) => Promise<void>,
): Promise<number> {
  await side.query(`declare found no scroll cursor with hold for ${text}`, values)
  let done = 0
  for (;;) {
    const rows = await side.next<{ item: string }>('found')
    if (rows.length > 0) await work(rows.map(({ item }) => item))
    done += rows.length
    if (rows.length < PAGE_ROWS) break
  }
  await side.query('close found')
  return done
}

/** The old cell has nothing more to do for the owner: its sweeps would meet the fence. */
export async function endWork({ source, owner_id }: Cells): Promise<void> {
  for (const table of HELD) {
    const set = Object.entries(table.held ?? {}).map(
      ([column, held]) => `${quoted(column)} = ${held}`,
    )
    await source.query(
      `update gapura.${table.name}
       set ${set.join(', ')}
       where ${ofOwner(table)}
         and (${isHeld(table)})`,
      [owner_id],
    )
  }
}

const POSTING_COLUMNS = `object_id, payment_id, occurred_at, booked_at, booked_on, version, line,
  object_kind, kind, source, destination, amount`

/** Of payments whose ids are in $1. */
const OF_PAYMENTS = `(
    (posting.object_id = any($1::uuid[]) and posting.object_kind = 'payment')
    or (posting.payment_id = any($1::uuid[]) and posting.object_kind <> 'payment')
  )`

const PAYMENT_IDS = 'select id::text as item from gapura.gateway_payment where owner_id = $1'

/**
 * The postings of the owner's payments, in the figures of their day, or of the first day that is not
 * closed in the new cell. What the new cell posted when the owner left it once is reversed.
 */
export async function copyPostings({ source, target, owner_id }: Cells): Promise<number> {
  const ids = { text: PAYMENT_IDS, values: [owner_id] }
  return await eachPage(source, ids, async (page) => {
    const rows = await source.query<{ row: string }>(
      `select to_json(posting)::text as row
       from gapura.ledger_posting as posting
       where ${OF_PAYMENTS}
         and posting.kind not in ('moved_out', 'moved_in')`,
      [page],
    )
    await target.query(
      `insert into gapura.ledger_posting (${POSTING_COLUMNS})
       select object_id, payment_id, occurred_at, booked_at, ${postedOn('occurred_at')}, version,
         line, object_kind, kind, source, destination, amount
       from json_populate_recordset(null::gapura.ledger_posting, $1::json)
       on conflict do nothing`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
    await target.query(
      `insert into gapura.ledger_posting (${POSTING_COLUMNS})
       select object_id, payment_id, gapura.now(), gapura.now(), ${postedOn('gapura.now()')},
         version, line, object_kind, 'moved_in', destination, source, amount
       from gapura.ledger_posting as posting
       where ${OF_PAYMENTS}
         and posting.kind = 'moved_out'
       on conflict do nothing`,
      [page],
    )
  })
}

/** Moves what every account has of the owner's payments to the account of the other cell. */
export async function postMovedOut({ source, owner_id }: Cells, peer: string): Promise<number> {
  const ids = { text: PAYMENT_IDS, values: [owner_id] }
  return await eachPage(source, ids, async (page) => {
    await source.query(
      `insert into gapura.ledger_posting (${POSTING_COLUMNS})
       select payment_id, payment_id, gapura.now(), gapura.now(), ${postedOn('gapura.now()')}, 1,
         (
           select coalesce(max(known.line), 0)
           from gapura.ledger_posting as known
           where known.object_id = payment_id
             and known.version = 1
             and known.kind = 'moved_out'
         ) + row_number() over (partition by payment_id order by account),
         'payment', 'moved_out',
         case when balance > 0 then account else $2 end,
         case when balance > 0 then $2 else account end,
         abs(balance)
       from (
         select posting.payment_id, side.account, sum(side.moved) as balance
         from gapura.ledger_posting as posting
         cross join lateral (
           values (posting.destination, posting.amount), (posting.source, -posting.amount)
         ) as side (account, moved)
         where ${OF_PAYMENTS}
           and side.account not like 'moved:%'
         group by posting.payment_id, side.account
         having sum(side.moved) <> 0
       ) as left_here`,
      [page, `moved:${peer}`],
    )
  })
}

const AUDIT_COLUMNS = `id, operation_id, occurred_at, actor, actor_kind, action, subject_kind,
  subject_id, owner_id, reason, request_id, detail`

/** The audit of the owner, which the new cell seals into its own chain. */
export async function copyAudit({ source, target, owner_id }: Cells): Promise<number> {
  const entries = {
    text: `select to_json(entry)::text as item
       from (
         select ${AUDIT_COLUMNS} from gapura.audit_sealed where owner_id = $1
         union
         select ${AUDIT_COLUMNS} from gapura.audit_unsealed where owner_id = $1
       ) as entry`,
    values: [owner_id],
  }
  return await eachPage(source, entries, async (page) => {
    await target.query(
      `insert into gapura.audit_unsealed (${AUDIT_COLUMNS})
       select ${AUDIT_COLUMNS}
       from json_populate_recordset(null::gapura.audit_unsealed, $1::json) as entry
       where not exists (select from gapura.audit_sealed as sealed where sealed.id = entry.id)
       on conflict do nothing`,
      [`[${page.join(',')}]`],
    )
  })
}

/** What staff search by, in the new cell. */
export async function fillSearch({ target, owner_id }: Cells): Promise<void> {
  for (const kind of ['payment', 'invoice', 'subscription', 'checkout']) {
    const ids = {
      text: `select id::text as item from gapura.gateway_${kind} where owner_id = $1`,
      values: [owner_id],
    }
    await eachPage(target, ids, async (page) => {
      await target.query('select gapura.fill_search($1, $2::uuid[])', [kind, page])
    })
  }
}

/** Removes every row of the owner from a cell; in the old one those that stay are left. */
export async function removeRows(
  side: CellSide,
  owner_id: string,
  from: 'source' | 'target',
): Promise<number> {
  let removed = 0
  const derived: MovedTable = { name: 'search_entry', key: ['object_id'] }
  for (const table of [derived, ...MOVED.toReversed()]) {
    if (table.stays === true && from === 'source') continue
    const keys = {
      text: `select json_build_object(${table.key.map((one) => `'${one}', ${quoted(one)}`).join(', ')})::text as item
         from gapura.${table.name} where ${ofOwner(table)}`,
      values: [owner_id],
    }
    removed += await eachPage(side, keys, async (page) => {
      await side.query(`delete from gapura.${table.name} where ${isListed(table)}`, [
        `[${page.join(',')}]`,
      ])
    })
  }
  return removed
}
