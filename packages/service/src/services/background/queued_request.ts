import { createHash } from 'node:crypto'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { openAlarm } from '../../store/staff/alarms.ts'
import { newId } from '../../store/sql/values.ts'
import { addJobs, jobsSchema, type NewJob } from '../../store/maintenance/jobs.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'

/** A job that changes something at the gateway. Its id is the idempotency key of every attempt. */
export interface QueuedBy {
  job_id: string
  owner_id: string
}

/** About four days with the queue's back-off. */
export const QUEUED_ATTEMPTS_MAX = 25

export const queueJob = async (ctx: Context, job: Omit<NewJob, 'attempts_max'>): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await addJobs(tx, jobsSchema(ctx.db), [{ ...job, attempts_max: QUEUED_ATTEMPTS_MAX }])
  })
}

/** A job about money never ends silently: after its last attempt it opens an alarm. */
export const alarmGivenUp = async (ctx: Context, job: QueuedBy, task: string): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await openAlarm(tx, {
      id: newId(),
      kind: 'outcome_unknown',
      subject_kind: 'operation',
      subject_id: job.job_id,
      owner_id: job.owner_id,
      detail: `${task} failed ${QUEUED_ATTEMPTS_MAX} times; decide what to do`,
    })
  })
}

/** The same request at every attempt, so that a repeat finds what the first one did. */
export const requestOfJob = ({ job_id, owner_id }: QueuedBy, input: unknown): Request => ({
  caller: { owner_id, staff: false, scopes: [] },
  request_id: job_id,
  idempotency: {
    owner_id: '',
    key: `job:${job_id}`,
    fingerprint: createHash('sha256').update(JSON.stringify(input)).digest('hex'),
  },
})

/** The result of a queued request. A refusal is a result too: it is recorded. */
export type Performed = { outcome: 'done'; body: unknown } | { outcome: 'refused'; code: string }

/**
 * Performs the request, and throws only if another attempt may help: the outcome is unclear,
 * another process works on it, or nothing was sent.
 */
export async function performQueued(perform: () => Promise<Outcome>): Promise<Performed> {
  try {
    const outcome = await perform()
    if (outcome.kind === 'reply') {
      const body: unknown = JSON.parse(outcome.reply.body)
      return { outcome: 'done', body }
    }
    if (IN_PROGRESS.has(outcome.code)) throw gatewayError('outcome_unknown')
    return { outcome: 'refused', code: outcome.code }
  } catch (error) {
    const ended = error instanceof GatewayError && error.definite && !error.retryable
    if (!ended) throw error
    return { outcome: 'refused', code: error.code }
  }
}

const IN_PROGRESS: ReadonlySet<string> = new Set(['request_in_progress', 'operation_in_progress'])
