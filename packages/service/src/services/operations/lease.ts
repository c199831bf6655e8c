// Which process may work on an operation: leases, attempts, and sends that are stored before they
// are made.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorName } from '../../domain/error_name.ts'
import { gatewayError } from '../../domain/errors.ts'
import { isOpen, type GatewayOperation } from '../../domain/operation.ts'
import { isAway, isUnavailable } from '../../store/connection/errors.ts'
import {
  beginSend,
  claimOperation,
  claimOverdueOperations,
  findClaims,
  type Claim,
  type SendPlan,
} from '../../store/operations/claims.ts'
import { findOperation, markOperationUnknown } from '../../store/operations/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import type { Held } from './operation_type.ts'

/**
 * Connect, read and a margin: until then no other process may work on an operation that was sent.
 */
export const CALL_DUE_MS = 1_000 + 10_000 + 5_000
/** The lease of a repeated request. */
const REPEAT_LEASE_MS = 30_000
/** After this only the resolver may act: a process that was paused must not send. */
const SEND_WITHIN_MS = 5_000

/** A send that is stored. Only stored sends are made. */
export interface WrittenSend {
  operation: GatewayOperation
  /** When writing began, by the process's own clock, so that pauses count. */
  begun_at: number
}

/** Makes a stored call, unless too much time has passed since it was stored. */
export async function sendWritten<Answer>(
  { operation, begun_at }: WrittenSend,
  call: () => Promise<Answer>,
): Promise<Answer> {
  requireInTime(operation, begun_at)
  return await call()
}

/** Throws if the process was paused since then: another process may have the operation now. */
export function requireInTime({ kind }: GatewayOperation, begun_at: number): void {
  if (performance.now() - begun_at > SEND_WITHIN_MS)
    throw gatewayError('outcome_unknown', { operation: kind })
}

/** Delays before each retry: a connection is replaced at once, a server restarts within seconds. */
const PAUSES_MS = [50, 250, 1_000]
/** No retry after this: a caller may be waiting. */
const RETRY_WITHIN_MS = 5_000
/** A delay, so that the same fault is not met again at once. */
const RELEASED_DUE_MS = 2_000

/**
 * Commits what `work` did under the operation's attempt, and retries if the connection broke or the
 * reply to the commit was lost (ADR 0006). `work` must be fenced by the attempt and recognise its
 * own result: run again after a successful commit, it finds the operation ended and returns the
 * same. If it cannot commit, the lease is released.
 */
export async function recordWithRetry<Result>(
  ctx: Context,
  operation: Pick<GatewayOperation, 'id' | 'attempt'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const begun_at = performance.now()
  try {
    return await retry(async () => await withTransaction(ctx.db, work))
  } catch (error) {
    const in_time = performance.now() - begun_at < RETRY_WITHIN_MS
    if (in_time && isUnavailable(error)) await releaseLease(ctx, operation)
    throw error
  }
}

async function retry<Result>(
  work: () => Promise<Result>,
  { pauses_ms = PAUSES_MS, within_ms = RETRY_WITHIN_MS } = {},
): Promise<Result> {
  const begun_at = performance.now()
  for (const pause_ms of pauses_ms) {
    try {
      return await work()
    } catch (error) {
      // A lock wait or a statement that timed out is not retried.
      if (!isAway(error) || performance.now() - begun_at > within_ms) throw error
    }
    await sleep(pause_ms)
  }
  return await work()
}

/**
 * Ends this process's own lease early, so that the resolver need not wait for it. Only for a
 * process that makes no further call for this attempt. Best effort: the lease expires anyway.
 */
export async function releaseLease(
  ctx: Context,
  { id, attempt }: Pick<GatewayOperation, 'id' | 'attempt'>,
  pauses_ms: readonly number[] = [],
): Promise<void> {
  await releaseBy(ctx, id, pauses_ms, async (tx) => {
    await markOperationUnknown(tx, { id, attempt }, RELEASED_DUE_MS)
  })
}

/** The same after a claim or a send whose commit may have failed: another process may hold it. */
export async function releaseClaim(ctx: Context, claim: Claim): Promise<void> {
  await releaseBy(ctx, claim.id, [], async (tx) => {
    for (const ours of await findClaims(tx, [claim]))
      await markOperationUnknown(tx, ours, RELEASED_DUE_MS)
  })
}

async function releaseBy(
  ctx: Context,
  id: string,
  pauses_ms: readonly number[],
  release: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await retry(async () => await withTransaction(ctx.db, release), {
      pauses_ms: [...pauses_ms],
      within_ms: Number.POSITIVE_INFINITY,
    })
  } catch (error) {
    ctx.log.warn({ operation_id: id, error: errorName(error) }, 'operation lease not released')
  }
}

/**
 * Stores that the operation is about to be sent again. Nothing may be sent before this is certain:
 * after a lost reply to the commit it looks for the send stored here. Undefined if another attempt
 * has begun, the operation has ended, or it is too old to be sent again.
 */
export async function writeSend(
  ctx: Context,
  operation: GatewayOperation,
  plan: SendPlan,
): Promise<WrittenSend | undefined> {
  const begun_at = performance.now()
  let written: Claim | undefined
  const write = async (tx: Tx): Promise<GatewayOperation | undefined> => {
    // First, because it waits for a commit that is still under way; the query then sees its result.
    const begun = await beginSend(tx, operation, plan)
    if (begun === undefined) return written && (await findClaims(tx, [written]))[0]
    written = begun
    return begun
  }
  try {
    const again = await recordWithRetry(ctx, operation, write)
    return again && { operation: again, begun_at }
  } catch (error) {
    // It may be stored all the same; nothing is sent for it.
    if (written !== undefined && isUnavailable(error)) await releaseClaim(ctx, written)
    throw error
  }
}

/**
 * Claims overdue operations and begins a new attempt at each. After a lost reply to the commit it
 * looks for what was claimed: if it was committed, no other process would act before the lease ends;
 * if not, another process may have begun an attempt of the same number.
 */
export async function claimOverdue(
  ctx: Context,
  claim: { limit: number; lease_ms: number },
): Promise<GatewayOperation[]> {
  let claimed: Claim[] = []
  const work = async (tx: Tx): Promise<GatewayOperation[]> => {
    const ours = await findClaims(tx, claimed)
    if (ours.length > 0) return ours
    claimed = await claimOverdueOperations(tx, claim)
    return claimed
  }
  // However long this process was paused: no caller waits, and the claim can still be looked for.
  return await retry(async () => await withTransaction(ctx.db, work), {
    within_ms: Number.POSITIVE_INFINITY,
  })
}

/**
 * Takes over an open operation for a repeated request: fences off the process that worked on it
 * before. `busy`: a process still works on it. `ended`: it ended since the request looked. After a
 * lost reply to the commit it looks for its claim, as above.
 */
export async function takeOver<Subject>(
  ctx: Context,
  operation_id: string,
  findSubject: (tx: Tx, id: string) => Promise<Subject | undefined>,
): Promise<TakenOver<Subject> | 'busy' | 'ended'> {
  let taken: TakenOver<Subject> | 'busy' | 'ended' = 'busy'
  const work = async (tx: Tx): Promise<TakenOver<Subject> | 'busy' | 'ended'> => {
    const is_ours = typeof taken === 'object' && (await findClaims(tx, [taken.claim])).length > 0
    if (!is_ours) taken = await claimOpen(tx, operation_id, findSubject)
    return taken
  }
  return await retry(async () => await withTransaction(ctx.db, work))
}

interface TakenOver<Subject> extends Held {
  subject: Subject
  claim: Claim
}

async function claimOpen<Subject>(
  tx: Tx,
  operation_id: string,
  findSubject: (tx: Tx, id: string) => Promise<Subject | undefined>,
): Promise<TakenOver<Subject> | 'busy' | 'ended'> {
  const operation = await findOperation(tx, operation_id)
  if (operation === undefined) return 'busy'
  if (!isOpen(operation)) return 'ended'
  const now = await readClock(tx)
  if (isLeased(operation, now)) return 'busy'
  const claimed = await claimOperation(tx, operation, REPEAT_LEASE_MS)
  if (claimed === undefined) return 'busy'
  const subject = await findSubject(tx, claimed.subject_id)
  return subject === undefined ? 'busy' : { ...heldOf(claimed), subject, claim: claimed }
}

/** Whether another process may still work on it. */
export const isLeased = ({ state, due_at }: GatewayOperation, now: Date): boolean =>
  state === 'started' && due_at !== null && due_at > now

/** An operation that was claimed now, with its ages. */
export function heldOf(operation: GatewayOperation): Held {
  const now = operation.updated_at.getTime()
  return {
    operation,
    quiet_ms: now - operation.sent_at.getTime(),
    age_ms: now - operation.created_at.getTime(),
  }
}
