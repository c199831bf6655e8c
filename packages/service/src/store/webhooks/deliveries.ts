import type { DELIVERY_OUTCOMES, DeliveryError } from '../../domain/webhook.ts'
import type { Tx } from '../connection/transaction.ts'
import { EVENT_COLUMNS, type GatewayEvent } from '../events/outbox.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

export interface WebhookDelivery {
  id: string
  endpoint_id: string
  event_id: string
  type: string
  /** Of the event's object; null of a test. */
  object_id: string | null
  sequence: number | null
  /** The owner of that object; null of a test. */
  owner_id: string | null
  attempt: number
  outcome: (typeof DELIVERY_OUTCOMES)[number]
  error_class: DeliveryError | null
  url: string
  response_status: number | null
  response_body: string
  duration_ms: number
  created_at: Date
}

const COLUMNS = `
  id, endpoint_id, event_id, type, object_id, sequence, owner_id, attempt, outcome, error_class, url,
  response_status, response_body, duration_ms, created_at`

/** May be repeated with the same rows. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly WebhookDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    `insert into gapura.webhook_delivery (${COLUMNS})
     select ${COLUMNS}
     from jsonb_populate_recordset(null::gapura.webhook_delivery, $1)
     on conflict do nothing`,
    [toJson(deliveries)],
  )
}

export interface DeliveryFilters {
  endpoint_id: string
  outcome?: WebhookDelivery['outcome']
  event_id?: string
}

const FILTERS = [
  ['endpoint_id', 'endpoint_id = ?'],
  ['outcome', 'outcome = ?'],
  ['event_id', 'event_id = ?'],
] as const

/** A page of the attempts at one endpoint, newest first. */
export async function listDeliveries(
  tx: Tx,
  filters: DeliveryFilters,
  request: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const conditions = conditionsOf(FILTERS, filters)
  const source = { table: 'gapura.webhook_delivery', columns: COLUMNS, conditions }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<WebhookDelivery>(text, values, { prepare: false }), request)
}

export async function findDelivery(tx: Tx, id: string): Promise<WebhookDelivery | undefined> {
  const [delivery] = await tx.query<WebhookDelivery>(
    `select ${COLUMNS}
     from gapura.webhook_delivery
     where id = $1`,
    [id],
  )
  return delivery
}

/** One event by its place among those of its object. */
export async function findObjectEvent(
  tx: Tx,
  { object_id, sequence }: Pick<GatewayEvent, 'object_id' | 'sequence'>,
): Promise<GatewayEvent | undefined> {
  const [event] = await tx.query<GatewayEvent>(
    `select ${EVENT_COLUMNS}
     from gapura.gateway_event
     where object_id = $1
       and sequence = $2`,
    [object_id, sequence],
  )
  return event
}

/** When an event that failed at an endpoint is tried again; null if it waits for a resend. */
export async function findNextAttempt(
  tx: Tx,
  subscriber: string,
  { object_id, event_id }: Pick<WebhookDelivery, 'object_id' | 'event_id'>,
): Promise<{ retry_at: Date | null } | undefined> {
  const [aside] = await tx.query<{ retry_at: Date | null }>(
    `select retry_at
     from gapura.dead_event
     where subscriber = $1
       and object_id = $2
       and event_id = $3`,
    [subscriber, object_id, event_id],
  )
  return aside
}

export interface Resend {
  id: string
  object_id: string | null
  sequence: number | null
}

/** Asks for one event to be sent again, or, without an object, for a test. */
export async function insertResend(
  tx: Tx,
  endpoint_id: string,
  { id, object_id, sequence }: Resend,
): Promise<void> {
  await tx.query(
    `insert into gapura.webhook_resend (id, endpoint_id, object_id, sequence)
     values ($1, $2, $3, $4)`,
    [id, endpoint_id, object_id, sequence],
  )
}

export interface ResendRange {
  from: Date
  to: Date
  outcome?: WebhookDelivery['outcome'] | undefined
  limit: number
}

/** Asks for every event that was attempted in this time, each once, in the order of attempts. */
export async function insertResendRange(
  tx: Tx,
  endpoint_id: string,
  { from, to, outcome, limit }: ResendRange,
): Promise<number> {
  const rows = await tx.query(
    `insert into gapura.webhook_resend (id, created_at, endpoint_id, object_id, sequence)
     select gen_random_uuid(), gapura.now() + make_interval(secs => place * 0.001), $1,
       object_id, sequence
     from (
       select object_id, sequence, row_number() over (order by first_at, object_id, sequence) as place
       from (
         select object_id, sequence, min(created_at) as first_at
         from gapura.webhook_delivery
         where endpoint_id = $1
           and created_at >= $2
           and created_at < $3
           and object_id is not null
           and ($4::text is null or outcome = $4)
         group by object_id, sequence
         order by first_at, object_id, sequence
         limit $5
       ) as attempted
     ) as ordered
     returning id`,
    [endpoint_id, from, to, outcome ?? null, limit],
  )
  return rows.length
}

export const listResends = async (tx: Tx, endpoint_id: string, limit: number): Promise<Resend[]> =>
  await tx.query<Resend>(
    `select id, object_id, sequence
     from gapura.webhook_resend
     where endpoint_id = $1
     order by created_at, id
     limit $2`,
    [endpoint_id, limit],
  )

/** Of an endpoint that is deleted. */
export async function forgetResends(tx: Tx, endpoint_id: string): Promise<void> {
  await tx.query('delete from gapura.webhook_resend where endpoint_id = $1', [endpoint_id])
}

export async function deleteResends(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query('delete from gapura.webhook_resend where id = any($1::uuid[])', [ids])
}
