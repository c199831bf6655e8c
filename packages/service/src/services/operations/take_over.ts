import { isOpen, type GatewayOperation } from '../../domain/operation.ts'
import { findIntent, type IntentRecord } from '../../store/intents.ts'
import { claimOperation } from '../../store/operation_claims.ts'
import { findOperation } from '../../store/operations.ts'
import { readClock } from '../../store/settings.ts'
import { StoreError } from '../../store/store_error.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { intentOf, problem, type Outcome, type Request } from '../requests.ts'

/** While this lasts nobody else works on the operation. */
export const REPEAT_LEASE_MS = 30_000

/** An open operation that a repeated request now works on. */
export interface TakenOver {
  kind: 'taken'
  operation: GatewayOperation
  /** Since it was written down, and since it was last sent. */
  age_ms: number
  quiet_ms: number
}

/** Fences off whoever worked on it before, unless somebody still does or it has ended. */
export async function takeOver(
  tx: Tx,
  request: Request,
  { operation: { id } }: Pick<IntentRecord, 'operation'>,
): Promise<TakenOver | Outcome> {
  const operation = await findOperation(tx, id)
  if (operation === undefined) return problem('request_in_progress')
  // Ended between the look at the intent and here; whoever ended it has kept a reply.
  if (!isOpen(operation)) return await keptMeanwhile(tx, request)
  const now = await readClock(tx)
  if (isAtWork(operation, now)) return problem('request_in_progress')
  const claimed = await claimOperation(tx, operation, REPEAT_LEASE_MS)
  if (claimed === undefined) return problem('request_in_progress')
  return {
    kind: 'taken',
    operation: claimed,
    age_ms: now.getTime() - operation.created_at.getTime(),
    quiet_ms: now.getTime() - operation.sent_at.getTime(),
  }
}

/**
 * Commits a take-over, and goes on with it if the answer to the commit is lost: what follows is fenced
 * by the attempt it took, so nothing is done if it took none; and if it did, nobody else would come
 * before the lease is over. A kept answer is not gone on with: it may not stand yet (ADR 0007).
 */
export async function takingOver<Found extends { kind: string }>(
  ctx: Context,
  work: (tx: Tx) => Promise<Found>,
): Promise<Found> {
  let found: Found | undefined
  try {
    return await withTransaction(ctx.db, async (tx) => (found = await work(tx)))
  } catch (error) {
    const lost = error instanceof StoreError && error.code === 'commit_unknown'
    if (lost && found?.kind === 'taken') return found
    throw error
  }
}

/** The reply that was kept a moment ago; where none is, the next repeat is answered. */
async function keptMeanwhile(tx: Tx, request: Request): Promise<Outcome> {
  const intent = intentOf(request)
  const record = intent && (await findIntent(tx, intent))
  if (!record?.reply) return problem('request_in_progress')
  return { kind: 'reply', reply: record.reply, replayed: true }
}

const isAtWork = ({ state, due_at }: GatewayOperation, now: Date): boolean =>
  state === 'started' && due_at !== null && due_at > now
