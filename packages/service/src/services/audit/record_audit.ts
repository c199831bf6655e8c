import type { AuditAction, AuditEntry, OperationAction } from '../../domain/audit.ts'
import { seesAll, type Caller } from '../../domain/caller.ts'
import { appendAudit } from '../../store/audit/entries.ts'
import { newId } from '../../store/sql/values.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

/** What was done, and to which object. It must name people by their ids only. */
export interface AuditedAction extends Pick<AuditEntry, 'subject_kind' | 'subject_id'> {
  action: AuditAction | OperationAction
  owner_id?: string | null
  reason?: string | null
  operation_id?: string
  /** The id of the request if it is known; by default that of the current trace step. */
  request_id?: string
  detail?: Readonly<Record<string, unknown>>
}

type Actor = Pick<AuditEntry, 'actor' | 'actor_kind'>

/**
 * Records a caller's action in the transaction of the action, so that both are stored or neither.
 * An owner's reason is left out: it may describe customers, and audit entries cannot be erased
 * (ADR 0022).
 */
export const recordAudit = async (
  tx: Tx,
  ctx: Pick<Context, 'telemetry'>,
  { owner_id: actor, staff }: Caller,
  action: AuditedAction,
): Promise<void> =>
  staff
    ? await append(tx, ctx, { actor, actor_kind: 'staff' }, action)
    : await append(tx, ctx, { actor, actor_kind: 'owner' }, { ...action, reason: null })

/** The same for actions without a caller: maintenance and administration of the service. */
export const recordOwnAudit = async (
  tx: Tx,
  ctx: Pick<Context, 'telemetry'>,
  action: AuditedAction,
  actor = 'gapura',
): Promise<void> => await append(tx, ctx, { actor, actor_kind: 'system' }, action)

async function append(
  tx: Tx,
  { telemetry }: Pick<Context, 'telemetry'>,
  actor: Actor,
  { detail = {}, ...action }: AuditedAction,
): Promise<void> {
  const { request_id = telemetry?.marks?.()['request_id'] ?? null } = action
  const entry = { owner_id: null, reason: null, operation_id: null, ...action, request_id }
  await appendAudit(tx, [{ id: newId(), ...actor, ...entry, detail: JSON.stringify(detail) }])
}

/** An object that was read, and its owner. */
export interface Shown {
  id: string
  owner_id: string | null
}

/**
 * Records that a staff member reads another owner's object. Call it before returning the object:
 * if the entry cannot be written, the object is not returned (I-36).
 */
export async function recordRead(
  ctx: Pick<Context, 'db' | 'telemetry'>,
  caller: Caller,
  action: AuditAction,
  shown: Shown,
): Promise<void> {
  if (!seesAll(caller) || shown.owner_id === caller.owner_id) return
  const [subject_kind = ''] = action.split('.')
  const { id: subject_id, owner_id } = shown
  await withTransaction(
    ctx.db,
    async (tx) =>
      await recordAudit(tx, ctx, caller, { action, subject_kind, subject_id, owner_id }),
  )
}

/** The same for a page of a list: one entry that names all its objects and owners. */
export async function recordListRead(
  ctx: Pick<Context, 'db' | 'telemetry'>,
  caller: Caller,
  action: AuditAction,
  shown: readonly Shown[],
): Promise<void> {
  if (!seesAll(caller)) return
  const { from_cell } = caller
  // A staff member of another cell owns nothing here, even under the name of an owner.
  const others = shown.filter(
    ({ owner_id }) => from_cell !== undefined || owner_id !== caller.owner_id,
  )
  if (others.length === 0) return
  const [subject_kind = ''] = action.split('.')
  const owners = [...new Set(others.flatMap(({ owner_id }) => owner_id ?? []))]
  const detail = { ids: others.map(({ id }) => id), owners, ...(from_cell && { from_cell }) }
  // A single object is named as the subject, so that its audit history includes this entry.
  const [only] = others.length === 1 ? others : []
  const subject = { subject_kind, subject_id: only?.id ?? '-', owner_id: only?.owner_id ?? null }
  await withTransaction(
    ctx.db,
    async (tx) => await recordAudit(tx, ctx, caller, { action, ...subject, detail }),
  )
}
