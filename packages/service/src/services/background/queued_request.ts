import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { SCOPES } from '../../domain/caller.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { addJobs, jobsSchema, type NewJob } from '../../store/maintenance/jobs.ts'
import { findIntent } from '../../store/operations/intents.ts'
import { findPayment, findPaymentByOrderId } from '../../store/payments/rows.ts'
import { newId } from '../../store/sql/values.ts'
import { openAlarm } from '../../store/staff/alarms.ts'
import { requireActingFor } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { parseChargeOrder } from '../payments/charge_order.ts'
import { createCharge } from '../payments/create_charge.ts'
import { checkRefund } from '../payments/refund_order.ts'
import { parseRefundOrder, REFUND_INPUT, refundPayment } from '../payments/refund_payment.ts'
import { RequestProblem } from '../problem.ts'
import { intentOf, type Outcome, type Request } from '../requests.ts'
import { refuseFaults, requestParser } from '../validation.ts'

/**
 * Who queued a job that changes something at the gateway, and the identity of what was requested:
 * the caller's key, or the id of the job. All attempts share it.
 */
const QUEUED_BY = {
  job_id: Type.String({ format: 'uuid' }),
  owner_id: Type.String({ minLength: 1, maxLength: 255 }),
  staff: Type.Optional(Type.Boolean()),
  scopes: Type.Optional(Type.Array(Type.Enum([...SCOPES]))),
  idempotency: Type.Optional(Type.Object({ key: Type.String(), fingerprint: Type.String() })),
}

const queued_by = Type.Object(QUEUED_BY)
type QueuedBy = Static<typeof queued_by>

/**
 * The job of a request. With a key it is the same job at every repeat of the same request; another
 * request under that key is another job, which is refused when it runs.
 */
function queuedBy(task: string, { caller, idempotency }: Request): QueuedBy & { seed: Buffer } {
  const { owner_id, staff, scopes } = caller
  const by = { owner_id, ...(staff && { staff, scopes: [...scopes] }) }
  if (idempotency === null) {
    const job_id = newId()
    return { ...by, job_id, seed: seedOf([job_id]) }
  }
  const { key, fingerprint } = idempotency
  const seed = seedOf([task, owner_id, key, fingerprint])
  return { ...by, job_id: uuidOf(seed), idempotency: { key, fingerprint }, seed }
}

const seedOf = (parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

/** A UUID of version 8: made of a digest. */
function uuidOf(seed: Buffer): string {
  const hex = seed.toString('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}

/** Whether this request was carried out before. Throws if its key stands for another request. */
async function wasRequested(ctx: Context, request: Request): Promise<boolean> {
  const intent = intentOf(request)
  if (intent === null) return false
  const found = await withTransaction(ctx.db, async (tx) => await findIntent(tx, intent))
  if (found === undefined) return false
  if (found.fingerprint === intent.fingerprint) return true
  throw new RequestProblem('idempotency_key_reused')
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

/** A queued charge: the payment is found by its order id once a worker has made it. */
export interface QueuedCharge {
  job_id: string
  order_id: string
}

/**
 * Queues a charge after every check that needs no gateway. Its order id and its key are fixed here,
 * so that all attempts together make at most one charge.
 */
export async function queueCharge(
  ctx: Context,
  request: Request,
  input: unknown,
): Promise<QueuedCharge> {
  const order = refuseTokens(input)
  const { seed, ...by } = queuedBy('process_charge_async', request)
  const order_id = order.order_id ?? mintOrderId(seed.subarray(0, 16), ctx.cell?.name)
  if (!(await wasRequested(ctx, request))) await refuseTaken(ctx, order_id)
  const payload = { ...by, request: { ...(typeof input === 'object' ? input : {}), order_id } }
  await queueJob(ctx, { task: 'process_charge_async', payload, key: by.job_id })
  return { job_id: by.job_id, order_id }
}

/** A charge that cannot be made should fail here, where its caller sees it. */
async function refuseTaken(ctx: Context, order_id: string): Promise<void> {
  const find = withReadTransaction(ctx.db, (tx) => findPaymentByOrderId(tx, order_id))
  if ((await find) !== undefined) throw gatewayError('duplicate_order', { operation: 'charge' })
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

export interface QueuedRefund {
  job_id: string
}

/**
 * Queues a refund after every check that needs no gateway; undefined if the caller has no such
 * payment. All is checked again, under the payment's lock, when the refund is made.
 */
export async function queueRefund(
  ctx: Context,
  request: Request,
  payment_id: string,
  input: unknown,
): Promise<QueuedRefund | undefined> {
  const { caller } = request
  const order = parseRefundOrder(input)
  const payment = await withReadTransaction(ctx.db, (tx) => findPayment(tx, caller, payment_id))
  if (payment === undefined) return undefined
  requireActingFor(caller, payment.owner_id)
  if (!(await wasRequested(ctx, request))) checkRefund(payment, order)
  const { seed: _, ...by } = queuedBy('process_refund_async', request)
  const { reason, direct } = order
  const refund = { amount: formatMoney(order.amount), reason, direct }
  const payload = { ...by, payment_id, refund }
  await queueJob(ctx, { task: 'process_refund_async', payload, key: by.job_id })
  return { job_id: by.job_id }
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
const requestOfJob = (
  { job_id, owner_id, staff = false, scopes = [], idempotency }: QueuedBy,
  input: unknown,
): Request => ({
  caller: { owner_id, staff, scopes },
  request_id: job_id,
  idempotency: idempotency ?? {
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
