import type { Caller } from '../../domain/caller.ts'
import type { EndpointState } from '../../domain/webhook.ts'
import type { Tx } from '../connection/transaction.ts'
import type { EventPlace, EventType } from '../events/outbox.ts'
import {
  conditionsOf,
  pageOf,
  pageStatement,
  visibleTo,
  whereOf,
  type Page,
  type PageRequest,
} from '../sql/lists.ts'

export interface WebhookEndpoint {
  id: string
  /** Null: the events of every owner. */
  owner_id: string | null
  url: string
  /** Null: every signal. */
  types: EventType[] | null
  description: string
  state: EndpointState
  disabled_reason: string | null
  failing_since: Date | null
  public_key: string | null
  created_at: Date
  updated_at: Date
}

/** Sealed; the vault opens them. */
export interface EndpointSecrets {
  secret: string
  former_secret: string | null
  private_key: string | null
}

const COLUMNS = `
  id, owner_id, url, to_jsonb(types) as types, description, state, disabled_reason, failing_since,
  public_key, created_at, updated_at`

export type NewEndpoint = Pick<
  WebhookEndpoint,
  'id' | 'owner_id' | 'url' | 'types' | 'description' | 'public_key'
> &
  Pick<EndpointSecrets, 'secret' | 'private_key'>

/** Undefined if the owner has an endpoint of this address. */
export async function insertEndpoint(
  tx: Tx,
  endpoint: NewEndpoint,
): Promise<WebhookEndpoint | undefined> {
  const [inserted] = await tx.query<WebhookEndpoint>(
    `insert into gapura.webhook_endpoint
       (id, owner_id, url, types, description, public_key, secret, private_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (coalesce(owner_id, ''), url) where deleted_at is null do nothing
     returning ${COLUMNS}`,
    [
      endpoint.id,
      endpoint.owner_id,
      endpoint.url,
      endpoint.types,
      endpoint.description,
      endpoint.public_key,
      endpoint.secret,
      endpoint.private_key,
    ],
  )
  return inserted
}

/** How many endpoints an owner has; of every owner's together if null. */
export async function countEndpoints(tx: Tx, owner_id: string | null): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count
     from gapura.webhook_endpoint
     where coalesce(owner_id, '') = coalesce($1, '')
       and deleted_at is null`,
    [owner_id],
  )
  return row?.count ?? 0
}

const found = async (
  tx: Tx,
  caller: Caller,
  id: string,
  lock: '' | 'for update',
): Promise<WebhookEndpoint | undefined> => {
  const { sql, values } = whereOf([['id = ?', id], ...visibleTo(caller)])
  const [endpoint] = await tx.query<WebhookEndpoint>(
    `select ${COLUMNS}
     from gapura.webhook_endpoint
     where ${sql}
       and deleted_at is null
     ${lock}`,
    values,
  )
  return endpoint
}

export const findEndpoint = async (tx: Tx, caller: Caller, id: string) =>
  await found(tx, caller, id, '')

export const lockEndpoint = async (tx: Tx, caller: Caller, id: string) =>
  await found(tx, caller, id, 'for update')

export interface EndpointFilters {
  state?: EndpointState
  owner_id?: string
}

const FILTERS = [
  ['state', 'state = ?'],
  ['owner_id', 'owner_id = ?'],
] as const

/** A page of the endpoints that the caller may see, newest first. */
export async function listEndpoints(
  tx: Tx,
  caller: Caller,
  filters: EndpointFilters,
  request: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  const table = `(
    select *
    from gapura.webhook_endpoint
    where deleted_at is null
  ) as endpoint`
  const conditions = [...visibleTo(caller), ...conditionsOf(FILTERS, filters)]
  const { text, values } = pageStatement({ table, columns: COLUMNS, conditions }, request)
  return pageOf(await tx.query<WebhookEndpoint>(text, values, { prepare: false }), request)
}

type Change = Pick<WebhookEndpoint, 'id' | 'url' | 'types' | 'description'>

/** The endpoint is locked. Undefined if the owner has another one of this address. */
export async function changeEndpoint(
  tx: Tx,
  { id, url, types, description }: Change,
): Promise<WebhookEndpoint | undefined> {
  const [changed] = await tx.query<WebhookEndpoint>(
    `update gapura.webhook_endpoint as changed
     set url = $2,
         types = $3,
         description = $4,
         updated_at = gapura.now()
     where id = $1
       and not exists (
         select
         from gapura.webhook_endpoint as other
         where coalesce(other.owner_id, '') = coalesce(changed.owner_id, '')
           and other.url = $2
           and other.id <> $1
           and other.deleted_at is null
       )
     returning ${COLUMNS}`,
    [id, url, types, description],
  )
  return changed
}

/** Sets its state. A success or a failure of before says nothing about what comes now. */
export async function setEndpointState(
  tx: Tx,
  id: string,
  state: EndpointState,
  disabled_reason: string | null = null,
): Promise<WebhookEndpoint | undefined> {
  const [changed] = await tx.query<WebhookEndpoint>(
    `update gapura.webhook_endpoint
     set state = $2,
         disabled_reason = $3,
         failing_since = case when $2 = 'disabled' then failing_since end,
         updated_at = gapura.now()
     where id = $1
       and deleted_at is null
       and (state <> $2 or state <> 'disabled')
     returning ${COLUMNS}`,
    [id, state, disabled_reason],
  )
  return changed
}

/** The new secret signs from now on, the present one for so many hours more. */
export async function rotateSecret(
  tx: Tx,
  id: string,
  secret: string,
  former_hours: number,
): Promise<WebhookEndpoint | undefined> {
  const [changed] = await tx.query<WebhookEndpoint>(
    `update gapura.webhook_endpoint
     set former_secret = secret,
         former_until = gapura.now() + make_interval(hours => $3),
         secret = $2,
         updated_at = gapura.now()
     where id = $1
     returning ${COLUMNS}`,
    [id, secret, former_hours],
  )
  return changed
}

/** Deletes it: its secrets are gone, its log stays as long as that of the others. */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update gapura.webhook_endpoint
     set deleted_at = gapura.now(),
         updated_at = gapura.now(),
         secret = '',
         former_secret = null,
         former_until = null,
         private_key = null,
         public_key = null
     where id = $1`,
    [id],
  )
}

/** Records whether it fails now, if that is new. Returns since when it fails. */
export async function setFailing(tx: Tx, id: string, failing: boolean): Promise<Date | null> {
  const [row] = await tx.query<{ failing_since: Date | null }>(
    `update gapura.webhook_endpoint
     set failing_since = case when $2 then coalesce(failing_since, gapura.now()) end
     where id = $1
     returning failing_since`,
    [id, failing],
  )
  return row?.failing_since ?? null
}

/** What a worker delivers by. */
export interface ActiveEndpoint
  extends
    Pick<WebhookEndpoint, 'id' | 'owner_id' | 'url' | 'types' | 'failing_since' | 'updated_at'>,
    EndpointSecrets {
  /** Whether events that were set aside are due, and whether something is to be sent again. */
  has_due: boolean
  has_resends: boolean
}

/** Every enabled endpoint, in one statement: a worker asks it each second. */
export const listActiveEndpoints = async (tx: Tx): Promise<ActiveEndpoint[]> =>
  await tx.query<ActiveEndpoint>(
    `select
       id, owner_id, url, to_jsonb(types) as types, failing_since, updated_at, secret, private_key,
       case when former_until > gapura.now() then former_secret end as former_secret,
       exists (
         select
         from gapura.dead_event
         where subscriber = 'webhook.' || endpoint.id
           and retry_at <= gapura.now()
       ) as has_due,
       exists (
         select
         from gapura.webhook_resend
         where endpoint_id = endpoint.id
       ) as has_resends
     from gapura.webhook_endpoint as endpoint
     where deleted_at is null
       and state = 'enabled'
     order by created_at, id`,
  )

/** The first event with a number from this on, in the order of the outbox. */
export async function findEventFrom(
  tx: Tx,
  xid: string,
): Promise<(EventPlace & { occurred_at: Date }) | undefined> {
  const [event] = await tx.query<EventPlace & { occurred_at: Date }>(
    `select xid, object_id, sequence, occurred_at
     from gapura.gateway_event
     where xid >= $1::xid8
     order by xid, object_id, sequence
     limit 1`,
    [xid],
  )
  return event
}
