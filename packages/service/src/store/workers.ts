import type { Tx } from './transaction.ts'

/** A running worker pool, as its heartbeat tells. */
export interface Worker {
  id: string
  description: string
  started_at: Date
  beat_at: Date
}

/** "I am alive", by the database's clock. May repeat; the first time makes the row. */
export async function beatWorker(
  tx: Tx,
  { id, description }: Pick<Worker, 'id' | 'description'>,
): Promise<void> {
  await tx.query(
    `insert into gapura.worker (id, description)
     values ($1, $2)
     on conflict (id) do update
     set beat_at = gapura.now()`,
    [id, description],
  )
}

/** Those whose heart has stood still for so long, by the database's clock. */
export const listStaleWorkers = async (tx: Tx, stale_after_ms: number): Promise<Worker[]> =>
  await tx.query<Worker>(
    `select id, description, started_at, beat_at
     from gapura.worker
     where beat_at < gapura.now() - make_interval(secs => $1::double precision / 1000)
     order by beat_at`,
    [stale_after_ms],
  )

/** Forgets a worker once its jobs are freed. False if it beat again meanwhile: then it lives. */
export async function forgetWorker(tx: Tx, { id, beat_at }: Worker): Promise<boolean> {
  const forgotten = await tx.query(
    `delete from gapura.worker
     where id = $1
       and beat_at = $2
     returning id`,
    [id, beat_at],
  )
  return forgotten.length > 0
}

/** A worker that stops in good order says goodbye: nobody waits for its heart. */
export async function removeWorker(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from gapura.worker where id = $1', [id])
}
