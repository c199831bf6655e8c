import type { Pool } from 'pg'
import type { Tx } from '../../packages/service/src/store/connection/transaction.ts'

/** The subscriber's own table: the order of first delivery, and how often each was delivered. */
export async function createEffects(tx: Tx): Promise<void> {
  await tx.query(
    `create table gapura.campaign_effect (
       event_id uuid primary key,
       object_id uuid not null,
       sequence integer not null,
       place bigint generated always as identity,
       times integer not null default 1
     )`,
    [],
    { prepare: false },
  )
}

interface Delivery {
  id: string
  object: { id: string }
  sequence: number
}

/** Counts one delivery. A connection that failed may lead to a standby, so it is not used again. */
export async function recordEffect(
  pool: Pool,
  schema: string,
  { id, object, sequence }: Delivery,
): Promise<void> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query(
      `insert into ${schema}.campaign_effect (event_id, object_id, sequence)
       values ($1, $2, $3)
       on conflict (event_id) do update
       set times = campaign_effect.times + 1`,
      [id, object.id, sequence],
    )
    failed = false
  } finally {
    client.release(failed)
  }
}
