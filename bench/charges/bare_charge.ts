// The reference: pgbench writes what a charge writes, in the same two transactions. It has less to
// do: it calls no gateway, looks nothing up, and every text is a constant of the script.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { runScript } from '../bare.ts'

export async function createBareCharges(pool: Pool, schema: string): Promise<void> {
  const text = await readFile(new URL('bare_charge.sql', import.meta.url), 'utf8')
  await pool.query(text.replaceAll('SCHEMA', schema))
}

/** Texts as wide as a real charge's, read from its rows. */
export interface Widths {
  payment: string
  item: string
  request: string
  reply: string
  step: string
  event: string
  kept: string
}

/** A digest hardly compresses, like the text of a real row. */
const filler = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 64) }, (_, n) =>
    createHash('sha256').update(String(n)).digest('hex'),
  )
    .join('')
    .slice(0, bytes)

/** Size of this order's rows, less the size of the bare columns beside the text. */
export async function widthsOf(pool: Pool, schema: string, order_id: string): Promise<Widths> {
  const { rows } = await pool.query<Record<keyof Widths, number>>(
    `select pg_column_size(payment) - 80 as payment, pg_column_size(item) - 40 as item,
       pg_column_size(operation.request) as request, pg_column_size(operation.reply) as reply,
       pg_column_size(step) - 50 as step, pg_column_size(event.object) as event,
       length(kept.body) as kept
     from ${schema}.gateway_payment as payment
     join ${schema}.gateway_payment_item as item on item.payment_id = payment.id
     join ${schema}.gateway_operation as operation on operation.subject_id = payment.id
     join ${schema}.gateway_transition as step on step.object_id = payment.id and step.version = 2
     join ${schema}.gateway_event as event on event.object_id = payment.id
     join ${schema}.operation_reply as kept on kept.operation_id = operation.id
     where payment.order_id = $1`,
    [order_id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`order ${order_id} lacks a row`)
  return {
    payment: filler(row.payment),
    item: filler(row.item),
    request: filler(row.request),
    reply: filler(row.reply),
    step: filler(row.step),
    event: filler(row.event),
    kept: filler(row.kept),
  }
}

const scriptOf = (schema: string, wide: Widths): string => `begin;
insert into ${schema}.kept (owner_id, key, fingerprint) values ('owner', gen_random_uuid(), '${wide.step}') returning key \\gset
insert into ${schema}.payment (order_id, status, gross_amount, details) values (:key, 'initiated', 150000, '${wide.payment}') returning id \\gset
insert into ${schema}.item (payment_id, position, details) values (:id, 0, '${wide.item}');
insert into ${schema}.step (payment_id, version, status, details) values (:id, 1, 'initiated', '${wide.step}');
insert into ${schema}.operation (payment_id, state, request) values (:id, 'started', '{"a": "${wide.request}"}') returning id as operation \\gset
commit;
begin;
update ${schema}.payment set status = 'pending', updated_at = now() where id = :id;
update ${schema}.operation set state = 'succeeded', reply = '{"a": "${wide.reply}"}' where id = :operation;
insert into ${schema}.step (payment_id, version, status, details) values (:id, 2, 'pending', '${wide.step}');
insert into ${schema}.outbox (payment_id, type, payload) values (:id, 'payment_received', '{"a": "${wide.event}"}');
update ${schema}.kept set reply = '${wide.kept}' where owner_id = 'owner' and key = :key;
commit;
`

interface BareOptions {
  url: string
  schema: string
  clients: number
  charges: number
  widths: Widths
}

/** Charges per second. Throws unless each left its rows. */
export async function bareCharges(
  pool: Pool,
  { url, schema, clients, charges, widths }: BareOptions,
): Promise<{ per_second: number }> {
  const count = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: string }>(`select count(*) from ${schema}.outbox`)
    return Number(rows[0]?.count)
  }
  const before = await count()
  const text = scriptOf(schema, widths)
  const measured = await runScript({ url, script: text, clients, transactions: charges })
  const made = (await count()) - before
  if (made < charges) throw new Error(`pgbench left ${made} of ${charges} charges`)
  return measured
}
