// Refused webhooks in the log (ADR 0005). The webhook is open to everyone, so anyone can have one
// refused as often as they like; a line for each would drown the rest, or fill the disk.
import type { Logger } from '../../services/context.ts'

/** At most one line for each status in this time. */
const LINE_EVERY_MS = 60_000

export interface Refusal {
  request_id: string
  status: number
  code: string | null
  /** As it was claimed, to see whether it is a forgery or our own key that is wrong. */
  order_id: string | null
}

interface Count {
  total: number
  /** Refused since the last line, without one. */
  dropped: number
  logged_at_ms: number
}

export interface Refusals {
  /** Counts one, and logs it if none of its status was logged for a while. */
  note: (refusal: Refusal) => void
  /** Logs what was dropped and is due; called with each request, so that no timer is needed. */
  logDue: () => void
  /** Logs what is left, before the process ends. */
  logAll: () => void
}

export function refusalsOf(log: Logger, now: () => number): Refusals {
  // By status, of which the webhook has a handful: a flood of one must not hide another.
  const counts = new Map<number, Count>()

  const logDropped = (is_due: (count: Count) => boolean): void => {
    for (const [status, count] of counts) {
      if (count.dropped === 0 || !is_due(count)) continue
      const { dropped, total } = count
      log.warn({ status, dropped, total }, 'notifications refused')
      Object.assign(count, { dropped: 0, logged_at_ms: now() })
    }
  }
  const over = ({ logged_at_ms }: Count): boolean => now() - logged_at_ms >= LINE_EVERY_MS

  return {
    note: (refusal) => {
      const count = counts.get(refusal.status) ?? { total: 0, dropped: 0, logged_at_ms: -Infinity }
      counts.set(refusal.status, count)
      count.total += 1
      if (!over(count)) {
        count.dropped += 1
        return
      }
      const { dropped, total } = count
      log.warn({ ...refusal, dropped, total }, 'notification refused')
      Object.assign(count, { dropped: 0, logged_at_ms: now() })
    },
    logDue: () => logDropped(over),
    logAll: () => logDropped(() => true),
  }
}
