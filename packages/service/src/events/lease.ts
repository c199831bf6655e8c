import type { Database } from '../store/connection/database.ts'
import {
  acquireLease,
  releaseLease,
  renewLease,
  type EventSubscriber,
} from '../store/events/subscribers.ts'
import { withTransaction } from '../store/connection/transaction.ts'

/**
 * A lease that this process holds and renews until it releases it or another process takes over.
 */
export interface HeldLease {
  readonly subscriber: EventSubscriber
  /**
   * Whether events may still be delivered under it. By our own monotonic clock, counted from before
   * the lease was requested, so that a process that was paused notices before it delivers.
   */
  readonly holds: () => boolean
  readonly lost: AbortSignal
  /** Releases it for another process at once. */
  readonly letGo: () => Promise<void>
}

interface LeaseOptions {
  name: string
  holder: string
  lease_ms: number
}

/** Renewals within one lease: one or two may fail without losing it. */
const RENEWALS = 3

/** Becomes the leader for this name; undefined if another process leads. */
export async function takeLease(
  db: Database,
  { name, holder, lease_ms }: LeaseOptions,
): Promise<HeldLease | undefined> {
  let until = performance.now() + lease_ms
  const subscriber = await withTransaction(
    db,
    async (tx) => await acquireLease(tx, { name, holder, lease_ms }),
  )
  if (subscriber === undefined) return undefined
  const lost = new AbortController()
  const holds = (): boolean => !lost.signal.aborted && performance.now() < until
  const renew = async (): Promise<void> => {
    const asked = performance.now()
    const renewed = await withTransaction(db, (tx) => renewLease(tx, subscriber, lease_ms))
    if (renewed) until = asked + lease_ms
    else lost.abort()
  }
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renew().catch(() => {
      // The next renewal may succeed; if none does in time, the lease expires.
      if (performance.now() >= until) lost.abort()
    })
  }, lease_ms / RENEWALS)
  return {
    subscriber,
    holds,
    lost: lost.signal,
    letGo: async () => {
      clearInterval(timer)
      // A renewal that arrived after the release would keep the next leader waiting.
      await renewing
      await withTransaction(db, async (tx) => await releaseLease(tx, subscriber))
    },
  }
}
