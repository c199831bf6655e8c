import type { AuditAction } from '../../domain/audit.ts'
import { seesAll, type Caller } from '../../domain/caller.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { noteDeed } from './note_deed.ts'

/** Something that was shown, and whose it is. */
interface Shown {
  id: string
  owner_id: string | null
}

/**
 * Writes down that staff looked at another owner's object, before it is shown: if that cannot be
 * written, it is not shown (I-36). Nothing is written of what is the caller's own.
 */
export async function noteRead(
  ctx: Pick<Context, 'db' | 'watch'>,
  caller: Caller,
  action: AuditAction,
  shown: Shown,
): Promise<void> {
  if (!seesAll(caller) || shown.owner_id === caller.owner_id) return
  const [subject_kind = ''] = action.split('.')
  const { id: subject_id, owner_id } = shown
  await withTransaction(
    ctx.db,
    async (tx) => await noteDeed(tx, ctx, caller, { action, subject_kind, subject_id, owner_id }),
  )
}

/** The same for a page: one row that names what was on it, and whose it was. */
export async function noteList(
  ctx: Pick<Context, 'db' | 'watch'>,
  caller: Caller,
  action: AuditAction,
  shown: readonly Shown[],
): Promise<void> {
  if (!seesAll(caller)) return
  const others = shown.filter(({ owner_id }) => owner_id !== caller.owner_id)
  if (others.length === 0) return
  const [subject_kind = ''] = action.split('.')
  const owners = [...new Set(others.flatMap(({ owner_id }) => owner_id ?? []))]
  const detail = { ids: others.map(({ id }) => id), owners }
  // One object found by a filter is that object, wherever it is looked up later.
  const [only] = others.length === 1 ? others : []
  const subject = { subject_kind, subject_id: only?.id ?? '-', owner_id: only?.owner_id ?? null }
  await withTransaction(
    ctx.db,
    async (tx) => await noteDeed(tx, ctx, caller, { action, ...subject, detail }),
  )
}
