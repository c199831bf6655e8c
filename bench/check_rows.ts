// Compares every answer with the rows it stands for, so that a fast but wrong writer fails.
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Pool } from 'pg'
import type { LoadResult } from './load_child.ts'
import type { Report } from './orders.ts'

interface Row {
  id: string
  order_id: string
  effect: string
  mark: string
}

interface Settled {
  payments: string
  transitions: string
  events: string
}

/** Throws unless each caller got the id of its own row and every order has the expected status. */
export async function checkRows(
  pool: Pool,
  schema: string,
  { reports, answers }: { reports: readonly Report[]; answers: LoadResult['answers'] },
): Promise<void> {
  const ids = answers.map(({ status, body }) => {
    strictEqual(status, 200, `answered ${status}: ${body}`)
    return (JSON.parse(body) as { notification_id: string }).notification_id
  })
  strictEqual(new Set(ids).size, reports.length, 'two callers got the same notification_id')
  const { rows } = await pool.query<Row>(
    `select id, order_id, effect, raw_payload #>> '{metadata,mark}' as mark
     from ${schema}.gateway_notification
     where id = any($1)`,
    [ids],
  )
  strictEqual(rows.length, reports.length, 'rows do not equal acknowledgements')
  const stored = new Map(rows.map((row) => [row.id, row]))
  reports.forEach(({ order_id, body }, at) => {
    const { metadata } = JSON.parse(body) as { metadata: { mark: number } }
    const row = stored.get(ids[at] ?? '')
    deepStrictEqual([row?.order_id, row?.mark], [order_id, String(metadata.mark)])
  })
  const count = (kind: Report['kind']): number =>
    reports.filter((report) => report.kind === kind).length
  const effects = (effect: string): number => rows.filter((row) => row.effect === effect).length
  strictEqual(effects('unmatched'), count('unknown'))
  strictEqual(effects('duplicate'), count('duplicate'))
  strictEqual(effects('applied'), count('settles'))
  await checkSettled(pool, schema, reports)
}

/** Each order had one transition, with one history row and one event. */
async function checkSettled(pool: Pool, schema: string, reports: readonly Report[]) {
  const known = new Set(
    reports.filter(({ kind }) => kind === 'settles').map(({ order_id }) => order_id),
  )
  const { rows } = await pool.query<Settled>(
    `with settled as (
       select id
       from ${schema}.gateway_payment
       where order_id = any($1)
         and transaction_status = 'settlement'
         and captured_amount = gross_amount
         and version = 3
     )
     select (select count(*) from settled) as payments,
       (select count(*) from ${schema}.gateway_transition
        where object_id in (select id from settled) and to_status = 'settlement') as transitions,
       (select count(*) from ${schema}.gateway_event
        where object_id in (select id from settled) and type = 'payment_settled') as events`,
    [[...known]],
  )
  const all = String(known.size)
  deepStrictEqual(rows[0], { payments: all, transitions: all, events: all })
}
