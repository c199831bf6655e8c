import { randomBytes, createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { addJobs, jobsSchema, type NewJob } from '../../store/maintenance/jobs.ts'
import { newId } from '../../store/sql/values.ts'
import { openAlarm } from '../../store/staff/alarms.ts'
import type { Context } from '../context.ts'
import { parseChargeOrder } from '../payments/charge_order.ts'
import { createCharge } from '../payments/create_charge.ts'
import { REFUND_INPUT, refundPayment } from '../payments/refund_payment.ts'
import type { Outcome, Request } from '../requests.ts'
import { refuseFaults, requestParser, keptTextParser } from '../validation.ts'

const QUEUED_BY = {
  job_id: Type.String({ format: 'uuid' }),
  owner_id: Type.String({ minLength: 1, maxLength: 255 }),
}

const parseChargeJob = requestParser(
  Type.Object(
    {
      ...QUEUED_BY,
      request: Type.Object({ order_id: Type.String() }, { additionalProperties: true }),
    },
    { additionalProperties: false },
  ),
)

/**
 * Queues a charge after every check that needs no gateway. Its order id and its key are fixed here,
 * so that all attempts together make at most one charge.
 */
export async function queueCharge(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<{ job_id: string; order_id: string }> {
  const order = refuseTokens(input)
  const job_id = newId()
  const order_id = order.order_id ?? mintOrderId(randomBytes(16))
  const request = { ...(typeof input === 'object' ? input : {}), order_id }
  const payload = { job_id, owner_id: caller.owner_id, request }
  await queueJob(ctx, { task: 'process_charge_async', payload, key: job_id })
  return { job_id, order_id }
}

/** Makes a queued charge. May be repeated: it queries the gateway before it sends again. */
export async function processChargeAsync(ctx: Context, payload: unknown): Promise<Performed> {
  const { request, ...job } = parseChargeJob(payload)
  return await performQueued(async () => {
    refuseTokens(request)
    return await createCharge(ctx, request, requestOfJob(job, request))
  })
}

/**
 * The queue is a table, and tokens are never stored; a one-time token would have expired anyway.
 */
function refuseTokens(input: unknown) {
  const order = parseChargeOrder(input)
  const message = 'not in the background: tokens are never stored'
  refuseFaults([
    ...(order.token_id === undefined ? [] : [{ field: 'token_id', message }]),
    ...(order.gopay?.payment_option_token === undefined
      ? []
      : [{ field: 'gopay.payment_option_token', message }]),
  ])
  return order
}

/** After its last attempt: opens an alarm for staff. */
export const giveUpChargeAsync = async (ctx: Context, payload: unknown): Promise<void> =>
  await alarmGivenUp(ctx, parseChargeJob(payload), 'process_charge_async')

const parseRefund = keptTextParser(REFUND_INPUT)

const parseRefundJob = requestParser(
  Type.Object(
    {
      ...QUEUED_BY,
      payment_id: Type.String({ format: 'uuid' }),
      refund: REFUND_INPUT,
    },
    { additionalProperties: false },
  ),
)

/** Queues a refund. Whether the payment can be refunded is checked when the refund is made. */
export async function queueRefund(
  ctx: Context,
  caller: Caller,
  payment_id: string,
  input: unknown,
): Promise<{ job_id: string }> {
  const refund = parseRefund(input)
  const job_id = newId()
  const payload = { job_id, owner_id: caller.owner_id, payment_id, refund }
  await queueJob(ctx, { task: 'process_refund_async', payload, key: job_id })
  return { job_id }
}

/** Makes a queued refund. All attempts share one key, so they make one refund. */
export async function processRefundAsync(ctx: Context, payload: unknown): Promise<Performed> {
  const { payment_id, refund, ...job } = parseRefundJob(payload)
  return await performQueued(
    async () => await refundPayment(ctx, requestOfJob(job, refund), payment_id, refund),
  )
}

/** After its last attempt: opens an alarm for staff. */
export const giveUpRefundAsync = async (ctx: Context, payload: unknown): Promise<void> =>
  await alarmGivenUp(ctx, parseRefundJob(payload), 'process_refund_async')

/** A job that changes something at the gateway. Its id is the idempotency key of every attempt. */
interface QueuedBy {
  job_id: string
  owner_id: string
}

/** About four days with the queue's back-off. */
export const QUEUED_ATTEMPTS_MAX = 25

const queueJob = async (ctx: Context, job: Omit<NewJob, 'attempts_max'>): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await addJobs(tx, jobsSchema(ctx.db), [{ ...job, attempts_max: QUEUED_ATTEMPTS_MAX }])
  })
}

/** A job about money never ends silently: after its last attempt it opens an alarm. */
const alarmGivenUp = async (ctx: Context, job: QueuedBy, task: string): Promise<void> => {
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
const requestOfJob = ({ job_id, owner_id }: QueuedBy, input: unknown): Request => ({
  caller: { owner_id, staff: false, scopes: [] },
  request_id: job_id,
  idempotency: {
    owner_id: '',
    key: `job:${job_id}`,
    fingerprint: createHash('sha256').update(JSON.stringify(input)).digest('hex'),
  },
})

/** The result of a queued request. A refusal is a result too: it is recorded. */
type Performed = { outcome: 'done'; body: unknown } | { outcome: 'refused'; code: string }

/**
 * Performs the request, and throws only if another attempt may help: the outcome is unclear,
 * another process works on it, or nothing was sent.
 */
async function performQueued(perform: () => Promise<Outcome>): Promise<Performed> {
  try {
    const outcome = await perform()
    if (outcome.kind === 'reply') return { outcome: 'done', body: outcome.reply.body }
    if (IN_PROGRESS.has(outcome.code)) throw gatewayError('outcome_unknown')
    return { outcome: 'refused', code: outcome.code }
  } catch (error) {
    const ended = error instanceof GatewayError && error.definite && !error.retryable
    if (!ended) throw error
    return { outcome: 'refused', code: error.code }
  }
}

const IN_PROGRESS: ReadonlySet<string> = new Set(['request_in_progress', 'operation_in_progress'])
