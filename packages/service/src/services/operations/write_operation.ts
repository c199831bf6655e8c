// Transaction 1 of every call that changes something at the gateway: the rule is asked under the
// row's lock, and the call is on disk before it is made (design 2.1).
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { IdempotencyKey } from '../../store/idempotency_keys.ts'
import { newId } from '../../store/ids.ts'
import { insertOperation } from '../../store/operations.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context, CrashPoint } from '../context.ts'
import { claimKey, problem, type Outcome, type Request } from '../requests.ts'
import { noteDeed } from '../audit/note_deed.ts'
import { requireActingFor } from '../staff/staff_caller.ts'
import { CALL_DUE_MS } from './call_times.ts'
import type { ObjectAccess, OperationSubject } from './object_access.ts'

/** An object and the operation on it, on disk and not yet sent. */
export interface Written<Subject> {
  subject: Subject
  operation: GatewayOperation
}

interface CreationPlan<Subject> {
  kind: OperationKind
  /** Writes the row, its parts and its first transition; throws where it cannot be. */
  insert: (tx: Tx) => Promise<Subject>
  /** What is kept of the call. Without secrets: no token is ever on disk. */
  requestOf: (subject: Subject) => Readonly<Record<string, unknown>>
}

/** Writes a new object and its creation down under the request's key, or gives the taken key. */
export const writeCreation = async <Subject extends OperationSubject>(
  ctx: Context,
  request: Request,
  { subject_kind }: Pick<ObjectAccess<Subject>, 'subject_kind'>,
  { kind, insert, requestOf }: CreationPlan<Subject>,
): Promise<Written<Subject> | { taken: IdempotencyKey }> =>
  await withTransaction(ctx.db, async (tx) => {
    const operation_id = newId()
    const taken = await claimKey(tx, request, operation_id)
    if (taken !== undefined) return { taken }
    ctx.reached('create.key_claimed')
    const subject = await insert(tx)
    ctx.reached('create.inserted')
    const { id: subject_id, owner_id } = subject
    const about = { kind, subject_kind, subject_id, owner_id, refund_id: null }
    const row = { id: operation_id, ...about, request: requestOf(subject) }
    const operation = await insertOperation(tx, row, CALL_DUE_MS)
    if (operation === undefined) throw new Error(`${subject_id} is new and has an operation`)
    ctx.reached('create.operation_inserted')
    return { subject, operation }
  })

/** What a change adds: its rule, which throws, and what it sets aside before it is sent. */
export interface ChangePlan<Subject> {
  kind: OperationKind
  request: Readonly<Record<string, unknown>>
  check: (subject: Subject) => void
  /** For a refund: reserves its amount and gives the id of its row. */
  reserve?: (tx: Tx, subject: Subject) => Promise<string>
  points?: { locked: CrashPoint; inserted?: CrashPoint }
}

/** Writes a change down, or says why not: not found, in progress, or its key is taken. */
export const writeChange = async <Subject extends OperationSubject>(
  ctx: Context,
  request: Request,
  { access, id }: { access: Omit<ObjectAccess<Subject>, 'represent' | 'findById'>; id: string },
  plan: ChangePlan<Subject>,
): Promise<Written<Subject> | { taken: IdempotencyKey } | Outcome> =>
  await withTransaction(ctx.db, async (tx) => {
    // Seen first, locked second: a caller must not hold a lock on a row she may not see.
    const visible = await access.find(tx, request.caller, id)
    if (visible === undefined) return problem('not_found')
    requireActingFor(request.caller, visible.owner_id)
    const subject = await access.lock(tx, id)
    if (subject === undefined) return problem('not_found')
    ctx.reached(plan.points?.locked ?? 'action.locked')
    const operation_id = newId()
    const taken = await claimKey(tx, request, operation_id)
    if (taken !== undefined) return { taken }
    plan.check(subject)
    const { kind, request: kept, reserve, points } = plan
    const refund_id = (await reserve?.(tx, subject)) ?? null
    const about = { subject_kind: access.subject_kind, subject_id: id, owner_id: subject.owner_id }
    const row = { id: operation_id, kind, ...about, refund_id, request: kept }
    const operation = await insertOperation(tx, row, CALL_DUE_MS)
    if (operation === undefined) throw new InProgress()
    await noteDeed(tx, ctx, request.caller, {
      action: `${access.subject_kind}.${kind}`,
      subject_kind: access.subject_kind,
      subject_id: id,
      owner_id: subject.owner_id,
      operation_id,
      request_id: request.request_id,
      ...told(kept),
    })
    if (points?.inserted !== undefined) ctx.reached(points.inserted)
    return { subject, operation }
  }).catch((error: unknown) => {
    if (error instanceof InProgress) return problem('operation_in_progress')
    throw error
  })

/** Why, where the caller said so, and the rest of what she asked for. */
function told({ reason, ...detail }: Readonly<Record<string, unknown>>) {
  return { reason: typeof reason === 'string' && reason !== '' ? reason : null, detail }
}

/** Rolls back what the transaction wrote: the key stays free for when the other one has ended. */
class InProgress extends Error {}
