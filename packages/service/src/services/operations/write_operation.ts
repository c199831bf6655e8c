// Transaction 1 of every call that changes something at the gateway: the rule is asked under the
// row's lock, and the call is on disk before it is made (ADR 0006).
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import { newId } from '../../store/ids.ts'
import { findIntent, releaseIntent, type IntentRecord } from '../../store/intents.ts'
import { insertOperation } from '../../store/operations.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context, CrashPoint } from '../context.ts'
import { intentOf, problem, type Outcome, type Request } from '../requests.ts'
import { noteDeed } from '../audit/note_deed.ts'
import { requireActingFor } from '../staff/staff_caller.ts'
import { CALL_DUE_MS } from './sending.ts'
import type { ObjectAccess, OperationSubject } from './object_access.ts'

/** An object and the operation on it, on disk and not yet sent. */
export interface Written<Subject> {
  subject: Subject
  operation: GatewayOperation
}

/** A second try of an intent whose first operation was refused and may be tried again. */
interface Retry {
  /** The operation that carried the intent before and had no effect. */
  instead_of?: IntentRecord | undefined
  /** Whether it had one after all, asked under the object's lock. */
  hadEffect?: (tx: Tx, operation: GatewayOperation) => Promise<boolean>
}

/**
 * Looks for what the request's intent led to, and takes it over from an operation that had no
 * effect. Gives what is found, unless this request may now carry it.
 */
async function takenBy(
  tx: Tx,
  request: Request,
  { instead_of, hadEffect }: Retry,
): Promise<IntentRecord | undefined> {
  const intent = intentOf(request)
  if (intent === null) return undefined
  const found = await findIntent(tx, intent)
  if (found === undefined || found.operation.id !== instead_of?.operation.id) return found
  // Refused, and the gateway shows it as made meanwhile: it had an effect after all.
  if (await hadEffect?.(tx, found.operation)) return found
  return (await releaseIntent(tx, found.operation.id)) ? undefined : found
}

interface CreationPlan<Subject> extends Pick<Retry, 'instead_of'> {
  kind: OperationKind
  /** Writes the row, its parts and its first transition; throws where it cannot be. */
  insert: (tx: Tx) => Promise<Subject>
  /** What is kept of the call. Without secrets: no token is ever on disk. */
  requestOf: (subject: Subject) => Readonly<Record<string, unknown>>
}

/** Writes a new object and its creation down, or gives the operation that carries the intent. */
export const writeCreation = async <Subject extends OperationSubject>(
  ctx: Context,
  request: Request,
  { subject_kind }: Pick<ObjectAccess<Subject>, 'subject_kind'>,
  { kind, insert, requestOf, instead_of }: CreationPlan<Subject>,
): Promise<Written<Subject> | { taken: IntentRecord } | Outcome> =>
  await untilWritten(ctx, async (tx) => {
    const taken = await takenBy(tx, request, { instead_of })
    if (taken !== undefined) return { taken }
    ctx.reached('create.key_claimed')
    const subject = await insert(tx)
    ctx.reached('create.inserted')
    const { id: subject_id, owner_id } = subject
    const about = { kind, subject_kind, subject_id, owner_id, refund_id: null }
    const row = { id: newId(), ...about, request: requestOf(subject) }
    const operation = await insertOperation(tx, row, CALL_DUE_MS, intentOf(request))
    if (operation === undefined) throw new InProgress()
    ctx.reached('create.operation_inserted')
    return { subject, operation }
  })

/** What a change adds: its rule, which throws, and what it sets aside before it is sent. */
export interface ChangePlan<Subject> extends Retry {
  kind: OperationKind
  request: Readonly<Record<string, unknown>>
  check: (subject: Subject) => void
  /** For a refund: reserves its amount and gives the id of its row. */
  reserve?: (tx: Tx, subject: Subject) => Promise<string>
  points?: { locked: CrashPoint; inserted?: CrashPoint }
}

/** Writes a change down, or says why not: not found, in progress, or its intent is carried already. */
export const writeChange = async <Subject extends OperationSubject>(
  ctx: Context,
  request: Request,
  { access, id }: { access: Omit<ObjectAccess<Subject>, 'represent' | 'findById'>; id: string },
  plan: ChangePlan<Subject>,
): Promise<Written<Subject> | { taken: IntentRecord } | Outcome> =>
  await untilWritten(ctx, async (tx) => {
    // Seen first, locked second: a caller must not hold a lock on a row she may not see.
    const visible = await access.find(tx, request.caller, id)
    if (visible === undefined) return problem('not_found')
    requireActingFor(request.caller, visible.owner_id)
    const subject = await access.lock(tx, id)
    if (subject === undefined) return problem('not_found')
    ctx.reached(plan.points?.locked ?? 'action.locked')
    const taken = await takenBy(tx, request, plan)
    if (taken !== undefined) return { taken }
    plan.check(subject)
    const { kind, request: kept, reserve, points } = plan
    const refund_id = (await reserve?.(tx, subject)) ?? null
    const about = { subject_kind: access.subject_kind, subject_id: id, owner_id: subject.owner_id }
    const row = { id: newId(), kind, ...about, refund_id, request: kept }
    const operation = await insertOperation(tx, row, CALL_DUE_MS, intentOf(request))
    if (operation === undefined) throw new InProgress()
    await noteDeed(tx, ctx, request.caller, {
      action: `${access.subject_kind}.${kind}`,
      subject_kind: access.subject_kind,
      subject_id: id,
      owner_id: subject.owner_id,
      operation_id: operation.id,
      request_id: request.request_id,
      ...told(kept),
    })
    if (points?.inserted !== undefined) ctx.reached(points.inserted)
    return { subject, operation }
  })

/** The second finds what the faster request wrote. */
const TRIES_MAX = 2

/**
 * Commits what `write` did. Where its operation was refused by an index the transaction is rolled
 * back and tried again: if another request with the same intent was faster, it is found then.
 */
async function untilWritten<Result>(
  ctx: Context,
  write: (tx: Tx) => Promise<Result>,
): Promise<Result | Outcome> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    try {
      return await withTransaction(ctx.db, write)
    } catch (error) {
      // The faster of two requests with one intent may have taken the order id as well.
      const rival = error instanceof GatewayError && error.code === 'duplicate_order'
      const again = error instanceof InProgress || (rival && attempt < TRIES_MAX)
      if (!again) throw error
    }
  }
  return problem('operation_in_progress')
}

/** Why, where the caller said so, and the rest of what she asked for. */
function told({ reason, ...detail }: Readonly<Record<string, unknown>>) {
  return { reason: typeof reason === 'string' && reason !== '' ? reason : null, detail }
}

/** Rolls back what the transaction wrote: another operation is open, or carries the intent. */
class InProgress extends Error {}
