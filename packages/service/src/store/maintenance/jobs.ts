// The queue's own schema, seen from our side: what we put in, and whose locks are those of the
// dead. Never called from a transaction of the charge or the webhook: adding a job notifies, and
// that alone costs those transactions most of their throughput.
import type { Database } from '../connection/database.ts'
import type { Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

export interface NewJob {
  task: string
  payload: object
  /** Of two jobs with one key there is one: adding it again changes nothing but its time. */
  key: string
  attempts_max: number
}

export const JOBS_PAGE_MAX = 1_000

/** A schema of our own, so that a host with a graphile-worker of its own keeps that to itself. */
export const jobsSchema = ({ schema }: Pick<Database, 'schema'>): string => `${schema}_worker`

/** Adds jobs, all or none, in one statement. They run once this transaction has committed. */
export async function addJobs(tx: Tx, schema: string, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > JOBS_PAGE_MAX) throw new RangeError(`more than ${JOBS_PAGE_MAX} jobs at once`)
  await tx.query(
    `select id
     from ${schema}.add_jobs((
       select array_agg((
         job.task, job.payload, null, null, job.attempts_max, job.key, null, null
       )::${schema}.job_spec)
       from jsonb_to_recordset($1::jsonb) as job(
         task text, payload json, key text, attempts_max smallint
       )
     ))`,
    [toJson(jobs)],
  )
}

/**
 * Who holds locks on jobs without a living heart: stopped for so long, or never seen. Young locks
 * are left alone, because a pool takes jobs before its first beat has committed.
 */
export async function listDeadLockHolders(
  tx: Tx,
  schema: string,
  stale_after_ms: number,
): Promise<string[]> {
  const holders = await tx.query<{ locked_by: string }>(
    `select distinct locked_by
     from ${schema}.jobs as job
     -- The queue keeps its own time, which no test moves.
     where job.locked_at < now() - make_interval(secs => $1::double precision / 1000)
       and not exists (
         select from gapura.worker
         where worker.id = job.locked_by
           and beat_at >= gapura.now() - make_interval(secs => $1::double precision / 1000)
       )`,
    [stale_after_ms],
  )
  return holders.map(({ locked_by }) => locked_by)
}

/** Frees every job these pools hold; others take them at their next look. */
export async function unlockJobs(
  tx: Tx,
  schema: string,
  holders: readonly string[],
): Promise<void> {
  await tx.query(`select ${schema}.force_unlock_workers($1::text[])`, [holders])
}

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
