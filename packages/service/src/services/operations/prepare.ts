// The first transaction of an operation: the rule is checked under the object's lock, and the
// operation is stored before anything is sent. A charge has its own, in one statement.
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { newId } from '../../store/sql/values.ts'
import { findIntent, releaseIntent, type IntentRecord } from '../../store/operations/intents.ts'
import { insertOperation } from '../../store/operations/rows.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { intentOf, problem, type Outcome, type Request } from '../requests.ts'
import { requireActingFor } from '../access/staff_caller.ts'
import { CALL_DUE_MS } from './lease.ts'
import type { OperationSubject, OperationType } from './operation_type.ts'
import { performOperation, type Prepared } from './perform.ts'

interface Creating<Subject extends OperationSubject, Answer, Input, Body extends object> {
  type: OperationType<Subject, Answer, Input, Body>
  /** Writes the row, its parts and its first transition; throws if it cannot be written. */
  insert: (tx: Tx) => Promise<Subject>
  /** The stored part of the call. Without secrets: tokens are never stored. */
  kept: (subject: Subject) => Readonly<Record<string, unknown>>
  inputFor: (subject: Subject) => Input
}

/** Creates an object at the gateway and stores it. One intent leads to at most one object. */
export const createObject = async <
  Subject extends OperationSubject,
  Answer,
  Input,
  Body extends object,
>(
  ctx: Context,
  request: Request,
  { type, insert, kept, inputFor }: Creating<Subject, Answer, Input, Body>,
): Promise<Outcome<Body>> =>
  await performOperation(ctx, request, {
    type,
    inputFor,
    prepare: async (instead_of) =>
      await untilWritten(ctx, async (tx) => {
        const taken = await takenBy(tx, request, instead_of)
        if (taken !== undefined) return { taken }
        ctx.reached('create.key_claimed')
        const subject = await insert(tx)
        ctx.reached('create.inserted')
        const { id: subject_id, owner_id } = subject
        const { kind, access } = type
        const about = { subject_kind: access.subject_kind, subject_id, owner_id, refund_id: null }
        const row = { id: newId(), kind, ...about, request: kept(subject) }
        const operation = await insertOperation(tx, row, CALL_DUE_MS, intentOf(request))
        if (operation === undefined) throw new InProgress()
        if (request.caller.staff) await auditOperation(tx, ctx, request, { operation })
        ctx.reached('create.operation_inserted')
        return { subject, operation, input: inputFor(subject) }
      }),
  })

interface Changing<Subject extends OperationSubject, Answer, Body extends object = object> {
  type: OperationType<Subject, Answer, undefined, Body>
  id: string
  /** The stored part of the call, enough to send it again. */
  kept: Readonly<Record<string, unknown>>
  /** The rule, checked under the lock. Throws its refusal. */
  check: (subject: Subject) => void
  /** Only for a refund: reserves its amount and returns the id of its row. */
  reserve?: (tx: Tx, subject: Subject) => Promise<string>
}

/** Changes an object at the gateway and records the outcome. */
export const changeObject = async <Subject extends OperationSubject, Answer, Body extends object>(
  ctx: Context,
  request: Request,
  changing: Changing<Subject, Answer, Body>,
): Promise<Outcome<Body>> =>
  await performOperation(ctx, request, {
    type: changing.type,
    id: changing.id,
    prepare: async (instead_of) =>
      await untilWritten(
        ctx,
        async (tx) => await prepareChange(tx, ctx, request, { ...changing, instead_of }),
      ),
  })

async function prepareChange<Subject extends OperationSubject, Answer>(
  tx: Tx,
  ctx: Context,
  request: Request,
  changing: Changing<Subject, Answer> & { instead_of: IntentRecord | undefined },
): Promise<Prepared<Subject, undefined> | { taken: IntentRecord } | Outcome> {
  const { type, id, kept, check, reserve, instead_of } = changing
  const { kind, access, flow } = type
  // Found first, locked second: a caller must not lock a row that it may not see.
  const visible = await access.find(tx, request.caller, id)
  if (visible === undefined) return problem('not_found')
  requireActingFor(request.caller, visible.owner_id)
  const subject = await access.lock(tx, id)
  if (subject === undefined) return problem('not_found')
  ctx.reached(flow === 'refund' ? 'refund.prepare_locked' : 'action.prepare_locked')
  const taken = await takenBy(
    tx,
    request,
    instead_of,
    async ({ operation }) => (await type.hadEffect?.(tx, operation, subject)) ?? false,
  )
  if (taken !== undefined) return { taken }
  check(subject)
  const refund_id = (await reserve?.(tx, subject)) ?? null
  const { subject_kind } = access
  const about = { subject_kind, subject_id: id, owner_id: subject.owner_id }
  const row = { id: newId(), kind, ...about, refund_id, request: kept }
  const operation = await insertOperation(tx, row, CALL_DUE_MS, intentOf(request))
  if (operation === undefined) throw new InProgress()
  await auditOperation(tx, ctx, request, { operation, kept })
  if (flow === 'refund') ctx.reached('refund.operation_inserted')
  return { subject, operation }
}

/** Names who requested it: of a creation only if it was staff, since its operation names the owner. */
async function auditOperation(
  tx: Tx,
  ctx: Context,
  { caller, request_id }: Request,
  {
    operation,
    kept = {},
  }: { operation: GatewayOperation; kept?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { id: operation_id, kind, subject_kind, subject_id, owner_id } = operation
  const { reason, ...detail } = kept
  await recordAudit(tx, ctx, caller, {
    action: `${subject_kind}.${kind}`,
    subject_kind,
    subject_id,
    owner_id,
    operation_id,
    request_id,
    reason: typeof reason === 'string' && reason !== '' ? reason : null,
    detail,
  })
}

/**
 * The operation that carries the request's intent, unless this request may carry it now: the
 * operation it replaces was refused and, checked under the object's lock, had no effect.
 */
async function takenBy(
  tx: Tx,
  request: Request,
  instead_of: IntentRecord | undefined,
  hadEffect?: (found: IntentRecord) => Promise<boolean>,
): Promise<IntentRecord | undefined> {
  const intent = intentOf(request)
  if (intent === null) return undefined
  const found = await findIntent(tx, intent)
  if (found === undefined || found.operation.id !== instead_of?.operation.id) return found
  if (await hadEffect?.(found)) return found
  return (await releaseIntent(tx, found.operation.id)) ? undefined : found
}

/** The second try finds what the faster request wrote. */
const TRIES_MAX = 2

/**
 * Commits what `write` did. If a unique index refused its operation, the transaction is rolled back
 * and tried again: if another request with the same intent was faster, it is found then.
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
      const rival = error instanceof GatewayError && error.row.kind === 'GatewayDuplicateOrderError'
      const again = error instanceof InProgress || (rival && attempt < TRIES_MAX)
      if (!again) throw error
    }
  }
  return problem('operation_in_progress')
}

/** Rolls the transaction back: another operation is open, or carries the intent. */
class InProgress extends Error {}
