import type { Tx } from '../../store/connection/transaction.ts'
import type { EventPlace } from '../../store/events/outbox.ts'
import { findEventFrom } from '../../store/webhooks/endpoints.ts'
import { readFeedState } from '../../store/events/feed.ts'

/** An event has the time at which its transaction began, which may be earlier than its place. */
const TRANSACTION_MS_MAX = 3_600_000

const ZERO = '00000000-0000-0000-0000-000000000000'

/**
 * A place before every event from this time on. There is no index by time, so the numbers of
 * transactions are halved until the boundary is found: about forty look-ups. It may lie up to an hour
 * too early; receivers drop what they have by its id.
 */
export async function findPlaceAt(tx: Tx, time: Date): Promise<EventPlace> {
  const before_ms = time.getTime() - TRANSACTION_MS_MAX
  const { newest } = await readFeedState(tx)
  let low = 0n
  let high = BigInt(newest)
  while (low < high) {
    const middle = (low + high) / 2n
    const event = await findEventFrom(tx, String(middle))
    if (event === undefined || event.occurred_at.getTime() >= before_ms) high = middle
    else low = BigInt(event.xid) + 1n
  }
  return { xid: String(low), object_id: ZERO, sequence: 0 }
}
