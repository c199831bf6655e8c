import { findIdempotencyKey, type IdempotencyKey } from '../../store/idempotency_keys.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { problem, settledKey, type Outcome, type Request } from '../requests.ts'

/**
 * A repeated change whose first request has no outcome yet. Whoever ends the operation settles its
 * key, so this reads the key once more; if it is still open, the resolver is on it, and the caller
 * comes back.
 */
export async function repeatChange(
  ctx: Context,
  request: Request,
  { owner_id, key }: IdempotencyKey,
): Promise<Outcome> {
  const row = await withTransaction(
    ctx.db,
    async (tx) => await findIdempotencyKey(tx, owner_id, key),
  )
  return (row && settledKey(request, row)) ?? problem('request_in_progress')
}
