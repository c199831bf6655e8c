import type { Tx } from '../../packages/service/src/store/transaction.ts'

/** The subscriber's own table: the order of first telling, and how often each was told. */
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

interface Told {
  id: string
  object: { id: string }
  sequence: number
}

export async function recordEffect(tx: Tx, { id, object, sequence }: Told): Promise<void> {
  await tx.query(
    `insert into gapura.campaign_effect (event_id, object_id, sequence)
     values ($1, $2, $3)
     on conflict (event_id) do update
     set times = campaign_effect.times + 1`,
    [id, object.id, sequence],
  )
}
