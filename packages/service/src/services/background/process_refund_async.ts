import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { REFUND_INPUT, refundPayment } from '../payments/refund_payment.ts'
import { keptTextParser } from '../secret_faults.ts'
import { requestParser } from '../validation.ts'
import {
  alarmGivenUp,
  performQueued,
  queueJob,
  requestOfJob,
  type Performed,
} from './queued_request.ts'

const parseRefund = keptTextParser(REFUND_INPUT)

const parseJob = requestParser(
  Type.Object(
    {
      job_id: Type.String({ format: 'uuid' }),
      owner_id: Type.String({ minLength: 1, maxLength: 255 }),
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
  const { payment_id, refund, ...job } = parseJob(payload)
  return await performQueued(
    async () => await refundPayment(ctx, requestOfJob(job, refund), payment_id, refund),
  )
}

/** After its last attempt: opens an alarm for staff. */
export const giveUpRefundAsync = async (ctx: Context, payload: unknown): Promise<void> =>
  await alarmGivenUp(ctx, parseJob(payload), 'process_refund_async')
