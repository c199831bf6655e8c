import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { mintOrderId } from '../../domain/order_id.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { parseChargeOrder } from '../payments/charge_order.ts'
import { createCharge } from '../payments/create_charge.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import {
  alarmGivenUp,
  performQueued,
  queueJob,
  requestOfJob,
  type Performed,
} from './queued_request.ts'

const parseJob = requestParser(
  Type.Object(
    {
      job_id: Type.String({ format: 'uuid' }),
      owner_id: Type.String({ minLength: 1, maxLength: 255 }),
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
  const { request, ...job } = parseJob(payload)
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
  await alarmGivenUp(ctx, parseJob(payload), 'process_charge_async')
