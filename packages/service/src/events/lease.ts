import type { Database } from '../store/connection/database.ts'
import {
  acquireLease,
  releaseLease,
  renewLease,
  type EventSubscriber,
} from '../store/events/subscribers.ts'
import { withTransaction } from '../store/connection/transaction.ts'

/** A lease this process holds and keeps alive until it lets go or another takes over. */
export interface HeldLease {
  readonly subscriber: EventSubscriber
  /**
   * Whether anything may still be told under it. By our own steady clock, counted from before the
   * lease was asked for, so a process that slept through it knows so before it tells anybody.
   */
  readonly holds: () => boolean
  readonly lost: AbortSignal
  /** Frees it for another process at once. */
  readonly letGo: () => Promise<void>
}

interface LeaseOptions {
  name: string
  holder: string
  lease_ms: number
}

/** Renewals between two ends of a lease: one or two may fail and nothing is lost. */
const RENEWALS = 3

/** Becomes the leader for this name, or nothing if somebody else is. */
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
      // The next one may fare better; if none does in time, the lease has run out.
      if (performance.now() >= until) lost.abort()
    })
  }, lease_ms / RENEWALS)
  return {
    subscriber,
    holds,
    lost: lost.signal,
    letGo: async () => {
      clearInterval(timer)
      // A renewal that came in after the release would keep the next leader waiting.
      await renewing
      await withTransaction(db, async (tx) => await releaseLease(tx, subscriber))
    },
  }
}
