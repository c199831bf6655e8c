// The job queue's schema as we use it: adding jobs, and releasing the locks of dead workers. Never
// called from the transaction of a charge or a webhook: adding a job notifies, which costs those
// transactions most of their throughput.
import type { Database } from '../connection/database.ts'
import type { Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

export interface NewJob {
  task: string
  payload: object
  /** Two jobs with one key are one job: adding it again only changes its time. */
  key: string
  attempts_max: number
}

export const JOBS_PAGE_MAX = 1_000

/** A schema of our own, so that a host's own graphile-worker is not affected. */
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
 * The worker pools that hold locks on jobs without a recent heartbeat. Recent locks are ignored,
 * because a pool takes jobs before its first heartbeat is committed.
 */
export async function listDeadLockHolders(
  tx: Tx,
  schema: string,
  stale_after_ms: number,
): Promise<string[]> {
  const holders = await tx.query<{ locked_by: string }>(
    `select distinct locked_by
     from ${schema}.jobs as job
     -- The queue uses its own time, which tests do not move.
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

/** Releases every job that these pools hold; others take them at their next poll. */
export async function unlockJobs(
  tx: Tx,
  schema: string,
  holders: readonly string[],
): Promise<void> {
  await tx.query(`select ${schema}.force_unlock_workers($1::text[])`, [holders])
}

/** A running worker pool, as its heartbeat reports it. */
export interface Worker {
  id: string
  description: string
  started_at: Date
  beat_at: Date
}

/** Stores a heartbeat by the database's clock. May be repeated; the first one inserts the row. */
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

/** The workers without a heartbeat for this long, by the database's clock. */
export const listStaleWorkers = async (tx: Tx, stale_after_ms: number): Promise<Worker[]> =>
  await tx.query<Worker>(
    `select id, description, started_at, beat_at
     from gapura.worker
     where beat_at < gapura.now() - make_interval(secs => $1::double precision / 1000)
     order by beat_at`,
    [stale_after_ms],
  )

/** Deletes a worker once its jobs are released. False if it sent a heartbeat meanwhile. */
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

/** Deregisters a worker that stops normally, so that its heartbeat is not waited for. */
export async function removeWorker(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from gapura.worker where id = $1', [id])
}
