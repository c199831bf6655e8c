import type { AuditAction, AuditEntry } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { appendAudit } from '../../store/audit/entries.ts'
import { newId } from '../../store/sql/values.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

/** What was done, and to what. Nothing in it may name a person but by her id with us. */
export interface Deed extends Pick<AuditEntry, 'subject_kind' | 'subject_id'> {
  action: AuditAction
  owner_id?: string | null
  reason?: string | null
  operation_id?: string
  /** Of the request, where it is known; otherwise that of the step we are in. */
  request_id?: string
  detail?: Readonly<Record<string, unknown>>
}

type Doer = Pick<AuditEntry, 'actor' | 'actor_kind'>

/**
 * Writes a caller's deed down, in the transaction of the deed: both are there, or neither. Of an
 * owner's reasons none is kept here: they tell of her customers, and this cannot be erased
 * (ADR 0022).
 */
export const noteDeed = async (
  tx: Tx,
  ctx: Pick<Context, 'watch'>,
  { owner_id: actor, staff }: Caller,
  deed: Deed,
): Promise<void> =>
  staff
    ? await note(tx, ctx, { actor, actor_kind: 'staff' }, deed)
    : await note(tx, ctx, { actor, actor_kind: 'owner' }, { ...deed, reason: null })

/** The same for what nobody asked for: housekeeping, or who administers the service itself. */
export const noteOwnDeed = async (
  tx: Tx,
  ctx: Pick<Context, 'watch'>,
  deed: Deed,
  actor = 'gapura',
): Promise<void> => await note(tx, ctx, { actor, actor_kind: 'system' }, deed)

async function note(
  tx: Tx,
  { watch }: Pick<Context, 'watch'>,
  doer: Doer,
  { detail = {}, ...deed }: Deed,
): Promise<void> {
  const { request_id = watch?.marks?.()['request_id'] ?? null } = deed
  const entry = { owner_id: null, reason: null, operation_id: null, ...deed, request_id }
  await appendAudit(tx, [{ id: newId(), ...doer, ...entry, detail: JSON.stringify(detail) }])
}
