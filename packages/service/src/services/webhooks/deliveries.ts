// The log of deliveries, and what is sent again.
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { subscriberOf } from '../../domain/webhook.ts'
import { withLackingParts } from '../../events/snapshot.ts'
import { webhookBody } from '../../events/webhooks.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { retryEvents } from '../../store/events/dead_events.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { newId } from '../../store/sql/values.ts'
import {
  findDelivery,
  findNextAttempt,
  findObjectEvent,
  insertResend,
  insertResendRange,
  listDeliveries as listStored,
  type DeliveryFilters,
  type WebhookDelivery,
} from '../../store/webhooks/deliveries.ts'
import { findEndpoint, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { recordListRead, recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { Request } from '../requests.ts'
import { parseResendInput } from './endpoint_input.ts'
import { audit, withEndpoint } from './endpoints.ts'

const RESENDS_MAX = 10_000

const NONE: Page<WebhookDelivery> = { results: [], next: null, previous: null }

/** A page of the attempts at an endpoint, newest first; empty if the caller may not see it. */
export async function listDeliveries(
  ctx: Context,
  caller: Caller,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const { endpoint, found } = await withReadTransaction(ctx.db, async (tx) => {
    const endpoint_of = await findEndpoint(tx, caller, filters.endpoint_id)
    return {
      endpoint: endpoint_of,
      found: endpoint_of ? await listStored(tx, filters, page) : NONE,
    }
  })
  const shown = found.results.map(({ id }) => ({ id, owner_id: endpoint?.owner_id ?? null }))
  await recordListRead(ctx, caller, 'webhook_delivery.list', shown)
  return found
}

export interface DeliveryDetail extends WebhookDelivery {
  /** The body as it was sent; null if its event was dropped since, or it was a test. */
  request_body: string | null
  /** When the event is tried again; null if it was delivered since, or waits for a resend. */
  next_attempt_at: Date | null
}

/** One attempt with its body, which is made of the event again. */
export async function readDelivery(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<DeliveryDetail | undefined> {
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const delivery = await findDelivery(tx, id)
    const endpoint = delivery && (await findEndpoint(tx, caller, delivery.endpoint_id))
    return delivery && endpoint && { endpoint, detail: await detailOf(tx, delivery) }
  })
  if (read === undefined) return undefined
  const { owner_id } = read.endpoint
  await recordRead(ctx, caller, 'webhook_delivery.read', { id, owner_id })
  return read.detail
}

async function detailOf(tx: Tx, delivery: WebhookDelivery): Promise<DeliveryDetail> {
  const { object_id, sequence, endpoint_id } = delivery
  if (object_id === null || sequence === null) {
    return { ...delivery, request_body: null, next_attempt_at: null }
  }
  const stored = await findObjectEvent(tx, { object_id, sequence })
  const [event] = stored ? await withLackingParts(tx, [stored]) : []
  const aside = await findNextAttempt(tx, subscriberOf(endpoint_id), delivery)
  return {
    ...delivery,
    request_body: event === undefined ? null : webhookBody(event),
    next_attempt_at: aside?.retry_at ?? null,
  }
}

export interface Queued {
  /** The endpoint. */
  id: string
  /** Of a test. */
  event_id: string | null
  /** How many events the worker sends next. */
  queued: number
}

/** Sends a test event, which the log shows as soon as a worker has sent it. */
export const testEndpoint = async (
  ctx: Context,
  request: Request,
  id: string,
): Promise<Queued | undefined> =>
  await withEndpoint(ctx, request, id, async (tx, endpoint) => {
    requireEnabled(endpoint)
    const event_id = newId()
    await insertResend(tx, id, { id: event_id, object_id: null, sequence: null })
    await audit(tx, ctx, { actor: request, verb: 'test', endpoint })
    return { id, event_id, queued: 1 }
  })

function requireEnabled({ state }: WebhookEndpoint): void {
  if (state === 'enabled') return
  const message = `the endpoint is ${state}: enable it first`
  throw gatewayError('invalid_request', { errors: [{ field: 'id', message }] })
}

/** Sends one event again, or those of a range of deliveries. */
export const resendDeliveries = async (
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Queued | undefined> =>
  await withEndpoint(ctx, request, id, async (tx, endpoint) => {
    const { delivery_id, from, to = new Date(), outcome } = parseResendInput(input)
    requireEnabled(endpoint)
    const range = { from: from ?? to, to, outcome, limit: RESENDS_MAX }
    const queued =
      delivery_id === undefined
        ? await insertResendRange(tx, id, range)
        : await resendOne(tx, id, delivery_id)
    if (queued === undefined) return undefined
    await audit(tx, ctx, { actor: request, verb: 'resend', endpoint, detail: { queued } })
    return { id, event_id: null, queued }
  })

/** An event that its object waits behind is delivered in order; any other at once. */
async function resendOne(tx: Tx, endpoint_id: string, id: string): Promise<1 | undefined> {
  const delivery = await findDelivery(tx, id)
  if (delivery?.endpoint_id !== endpoint_id) return undefined
  const { object_id, sequence, event_id } = delivery
  const subscriber = subscriberOf(endpoint_id)
  if (object_id !== null && (await findNextAttempt(tx, subscriber, { object_id, event_id }))) {
    await retryEvents(tx, subscriber, object_id)
  } else await insertResend(tx, endpoint_id, { id: newId(), object_id, sequence })
  return 1
}
