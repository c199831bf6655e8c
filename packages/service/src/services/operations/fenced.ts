// What is written once the gateway has been asked (ADR 0006). The answer is in hand and nobody else
// will bring it, so a passing fault of the database must not leave the operation to its lease.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorName } from '../../domain/error_name.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { isAway, isUnavailable } from '../../store/availability.ts'
import { beginSend, findBegunSend, type SendPlan } from '../../store/operation_claims.ts'
import { markOperationUnknown } from '../../store/operations.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { WrittenSend } from './sending.ts'

/** Before each further try: a connection is found anew at once, a restarted server in seconds. */
const PAUSES_MS = [50, 250, 1_000]
/** No further try after this: a caller may be waiting. */
const TRY_AGAIN_WITHIN_MS = 5_000
/** Not at once: what is in the way should not be met by the same round over and over. */
const HANDED_BACK_MS = 2_000

/** An operation as the one who works on it knows it. */
type Held = Pick<GatewayOperation, 'id' | 'attempt'>

/**
 * Commits what `work` did under the operation's attempt, again if the connection broke or the answer
 * to the commit was lost. So `work` must be fenced by the attempt and know what it did itself: run
 * once more after a commit that happened, it finds the operation ended and says the same. If it
 * cannot be, the operation is given back.
 */
export async function fencedTransaction<Result>(
  ctx: Context,
  operation: Held,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const begun_at = performance.now()
  try {
    return await tryAgain(async () => await withTransaction(ctx.db, work))
  } catch (error) {
    // Where the time has gone already nobody is kept waiting for a favour.
    const in_time = performance.now() - begun_at < TRY_AGAIN_WITHIN_MS
    if (in_time && isUnavailable(error)) await handBack(ctx, operation)
    throw error
  }
}

async function tryAgain<Result>(
  work: () => Promise<Result>,
  { pauses_ms = PAUSES_MS, within_ms = TRY_AGAIN_WITHIN_MS } = {},
): Promise<Result> {
  const begun_at = performance.now()
  for (const pause_ms of pauses_ms) {
    try {
      return await work()
    } catch (error) {
      // A lock or a statement that took too long has had its time.
      if (!isAway(error) || performance.now() - begun_at > within_ms) throw error
    }
    await sleep(pause_ms)
  }
  return await work()
}

/**
 * Nobody works on it any more, and the resolver need not wait for the lease. Only for who has ended
 * with the gateway: its own attempt, nobody else's. Best effort: the lease is still there.
 */
export async function handBack(
  ctx: Context,
  { id, attempt }: Held,
  pauses_ms: readonly number[] = [],
): Promise<void> {
  const within_ms = Number.POSITIVE_INFINITY
  try {
    await tryAgain(
      async () =>
        await withTransaction(
          ctx.db,
          async (tx) => await markOperationUnknown(tx, { id, attempt }, HANDED_BACK_MS),
        ),
      { pauses_ms: [...pauses_ms], within_ms },
    )
  } catch (error) {
    ctx.log.warn({ operation_id: id, error: errorName(error) }, 'not handed back')
  }
}

/**
 * Writes down that the operation is about to be sent once more, and nothing is sent before that is
 * sure: after a lost answer it is looked whether the very send written here stands. Nothing if
 * another attempt has begun, it has ended, or it is too old to be sent again.
 */
export async function writeSend<Operation extends GatewayOperation>(
  ctx: Context,
  operation: Operation,
  plan: SendPlan,
  also?: (tx: Tx) => Promise<void>,
): Promise<WrittenSend<Operation> | undefined> {
  const begun_at = performance.now()
  let written: GatewayOperation | undefined
  const write = async (tx: Tx): Promise<GatewayOperation | undefined> => {
    // First: it waits for a commit that is still under way, and the look then sees what came of it.
    const begun = await beginSend(tx, operation, plan)
    if (begun === undefined) return written && (await findBegunSend(tx, written))
    written = begun
    await also?.(tx)
    return begun
  }
  try {
    const again = await fencedTransaction(ctx, operation, write)
    return again && { operation: { ...operation, ...again }, begun_at }
  } catch (error) {
    // It may stand all the same, and nothing is sent under it.
    if (written !== undefined && isUnavailable(error)) await handBack(ctx, written)
    throw error
  }
}
