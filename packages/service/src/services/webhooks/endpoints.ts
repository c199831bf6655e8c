// Endpoints of webhooks: who gets which events, and where.
import type { ActionOn } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { SIGNALS } from '../../domain/signals.ts'
import { subscriberOf } from '../../domain/webhook.ts'
import { newSecret, newSigningKeys } from '../../gateway/webhooks/signature.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { forgetDeadEvents, retryEvents } from '../../store/events/dead_events.ts'
import { endSubscriber, moveCursor, registerSubscriber } from '../../store/events/subscribers.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { newId } from '../../store/sql/values.ts'
import { closeAlarmAbout } from '../../store/staff/alarms.ts'
import { forgetResends } from '../../store/webhooks/deliveries.ts'
import {
  changeEndpoint,
  countEndpoints,
  deleteEndpoint as deleteStored,
  findEndpoint,
  insertEndpoint,
  listEndpoints as listStored,
  lockEndpoint,
  rotateSecret,
  setEndpointState,
  type EndpointFilters,
  type WebhookEndpoint,
} from '../../store/webhooks/endpoints.ts'
import { recordAudit, recordListRead, recordRead } from '../audit/record_audit.ts'
import { requireActingFor, requireStaff } from '../access/staff_caller.ts'
import type { Context, WebhookContext } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import type { Request } from '../requests.ts'
import { refuseFaults } from '../validation.ts'
import {
  deletionReason,
  parseEnable,
  parseEndpoint,
  parseEndpointChange,
} from './endpoint_input.ts'
import { findPlaceAt } from './place_of_time.ts'

/** How long a former secret signs beside the new one. */
const FORMER_HOURS = 24

export type EndpointWithSecret = WebhookEndpoint & { secret: string }

/** The settings of webhooks, or 409: without a key no secret can be stored. */
export function webhooksOf({ webhooks }: Context): WebhookContext {
  if (webhooks === undefined) throw new RequestProblem('webhooks_not_configured')
  return webhooks
}

const taken = () =>
  gatewayError('invalid_request', {
    errors: [
      { field: 'url', message: 'an endpoint has this address already: change or delete that one' },
    ],
  })

/** Creates an endpoint, which gets the events from now on. The secret is shown this once. */
export async function createEndpoint(
  ctx: Context,
  { caller, request_id }: Request,
  input: unknown,
): Promise<EndpointWithSecret> {
  const { vault, rules, endpoints_max } = webhooksOf(ctx)
  const { all_owners, ed25519, ...wanted } = parseEndpoint(caller, input, rules)
  if (all_owners) requireStaff(caller, 'staff:act')
  const id = newId()
  const owner_id = all_owners ? null : caller.owner_id
  const secret = newSecret()
  const keys = ed25519 ? newSigningKeys() : undefined
  const sealed = {
    secret: vault.seal(id, secret),
    private_key: keys === undefined ? null : vault.seal(id, keys.private_key),
    public_key: keys?.public_key ?? null,
  }
  return await withTransaction(ctx.db, async (tx) => {
    if ((await countEndpoints(tx, owner_id)) >= endpoints_max) {
      refuseFaults([
        { field: 'url', message: `at most ${endpoints_max} endpoints: delete one first` },
      ])
    }
    const endpoint = await insertEndpoint(tx, { id, owner_id, ...wanted, ...sealed })
    if (endpoint === undefined) throw taken()
    await register(tx, endpoint)
    await audit(tx, ctx, { actor: { caller, request_id }, verb: 'create', endpoint })
    return { ...endpoint, secret }
  })
}

/** As a subscriber of the outbox, with what it wants; a known one keeps its place. */
async function register(tx: Tx, { id, types, owner_id }: WebhookEndpoint): Promise<void> {
  await registerSubscriber(tx, subscriberOf(id), 'now', { signals: types ?? SIGNALS, owner_id })
}

type Actor = Pick<Request, 'caller' | 'request_id'>

interface Act {
  actor: Actor
  verb: ActionOn<'webhook_endpoint'>
  endpoint: WebhookEndpoint
  reason?: string | undefined
  detail?: Readonly<Record<string, unknown>>
}

/** The host alone: the rest of an address may be a secret of the receiver. */
export async function audit(
  tx: Tx,
  ctx: Context,
  { actor: { caller, request_id }, verb, endpoint: { id, owner_id, url }, ...act }: Act,
): Promise<void> {
  const action = `webhook_endpoint.${verb}` as const
  const subject = { subject_kind: 'webhook_endpoint', subject_id: id, owner_id }
  const { host } = new URL(url)
  await recordAudit(tx, ctx, caller, {
    action,
    ...subject,
    request_id,
    reason: act.reason ?? null,
    detail: { host, ...act.detail },
  })
}

export async function readEndpoint(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const endpoint = await withReadTransaction(
    ctx.db,
    async (tx) => await findEndpoint(tx, caller, id),
  )
  if (endpoint !== undefined) await recordRead(ctx, caller, 'webhook_endpoint.read', endpoint)
  return endpoint
}

export async function listEndpoints(
  ctx: Context,
  caller: Caller,
  filters: EndpointFilters,
  page: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, caller, filters, page),
  )
  await recordListRead(ctx, caller, 'webhook_endpoint.list', found.results)
  return found
}

/** Does something with an endpoint that is locked; undefined if the caller has none of this id. */
export const withEndpoint = async <Result>(
  ctx: Context,
  { caller }: Actor,
  id: string,
  work: (tx: Tx, endpoint: WebhookEndpoint) => Promise<Result>,
): Promise<Result | undefined> =>
  await withTransaction(ctx.db, async (tx) => {
    const endpoint = await lockEndpoint(tx, caller, id)
    if (endpoint === undefined) return undefined
    if (endpoint.owner_id === null) requireStaff(caller, 'staff:act')
    else requireActingFor(caller, endpoint.owner_id)
    return await work(tx, endpoint)
  })

/** Changes address, types or description; what is not given stays. */
export const updateEndpoint = async (
  ctx: Context,
  actor: Request,
  id: string,
  input: unknown,
): Promise<WebhookEndpoint | undefined> =>
  await withEndpoint(ctx, actor, id, async (tx, endpoint) => {
    const { rules } = webhooksOf(ctx)
    const given = parseEndpointChange(input, endpoint.owner_id === null, rules)
    const changed = await changeEndpoint(tx, { ...endpoint, ...given })
    if (changed === undefined) throw taken()
    await register(tx, changed)
    await audit(tx, ctx, { actor, verb: 'update', endpoint: changed })
    return changed
  })

export const pauseEndpoint = async (
  ctx: Context,
  actor: Request,
  id: string,
): Promise<WebhookEndpoint | undefined> =>
  await withEndpoint(ctx, actor, id, async (tx, endpoint) => {
    // A disabled one says why; to pause it would lose that.
    if (endpoint.state !== 'enabled') return endpoint
    await audit(tx, ctx, { actor, verb: 'pause', endpoint })
    return await setEndpointState(tx, id, 'paused')
  })

/** Continues where it stopped, or at a chosen time; what had failed is tried again. */
export const enableEndpoint = async (
  ctx: Context,
  actor: Request,
  id: string,
  input: unknown,
): Promise<WebhookEndpoint | undefined> =>
  await withEndpoint(ctx, actor, id, async (tx, endpoint) => {
    const { from } = parseEnable(input)
    const name = subscriberOf(id)
    if (from === undefined) await retryEvents(tx, name)
    else {
      await forgetDeadEvents(tx, name)
      await moveCursor(tx, name, await findPlaceAt(tx, from))
    }
    const about = { kind: 'endpoint_disabled', subject_id: id } as const
    await closeAlarmAbout(tx, about, { closed_by: actor.caller.owner_id, note: 'enabled again' })
    const detail = from === undefined ? {} : { from }
    await audit(tx, ctx, { actor, verb: 'enable', endpoint, detail })
    return await setEndpointState(tx, id, 'enabled')
  })

/** A new secret, shown this once; the present one signs too for a day. */
export const rotateEndpointSecret = async (
  ctx: Context,
  actor: Request,
  id: string,
): Promise<EndpointWithSecret | undefined> =>
  await withEndpoint(ctx, actor, id, async (tx, endpoint) => {
    const { vault } = webhooksOf(ctx)
    const secret = newSecret()
    const changed = await rotateSecret(tx, id, vault.seal(id, secret), FORMER_HOURS)
    await audit(tx, ctx, { actor, verb: 'rotate', endpoint })
    return changed && { ...changed, secret }
  })

/** Deletes an endpoint; what it had not received is not sent. Returns it as it was. */
export const deleteEndpoint = async (
  ctx: Context,
  actor: Request,
  id: string,
  input: unknown,
): Promise<WebhookEndpoint | undefined> =>
  await withEndpoint(ctx, actor, id, async (tx, endpoint) => {
    const reason = deletionReason(actor.caller, input)
    const name = subscriberOf(id)
    await forgetDeadEvents(tx, name)
    await endSubscriber(tx, name)
    await forgetResends(tx, id)
    await deleteStored(tx, id)
    const about = { kind: 'endpoint_disabled', subject_id: id } as const
    await closeAlarmAbout(tx, about, { closed_by: actor.caller.owner_id, note: 'deleted' })
    await audit(tx, ctx, { actor, verb: 'delete', endpoint, reason })
    return endpoint
  })
