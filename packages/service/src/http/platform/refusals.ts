// What log and metrics get of each request. The webhook is open to everyone, so anyone can have one
// refused as often as they like; a line for each would drown the rest, or fill the disk (ADR 0005).
import { isOrderId } from '../../domain/order_id.ts'
import { hideSecrets } from '../../domain/secret_shapes.ts'
import type { Context, Logger } from '../../services/context.ts'
import type { Route } from './route.ts'

/** A request whose reply was sent. */
export interface Ended {
  request_id: string
  method: string
  route: Route | undefined
  /** The router's pattern, or null. */
  pattern: string | null
  status: number
  /** Why it was refused, by an error that has a code. */
  code: string | null
  duration_ms: number
  /** As far as it was read. */
  input: unknown
  /** Path and query as the client sent them. */
  url: () => string
}

export interface RequestLog {
  ended: (request: Ended) => void
  /** Logs what is left, before the process ends. */
  close: () => void
}

/** One for all ways in which an app is served, so that refusals are counted together. */
export function requestLog({ log, telemetry }: Context, now: () => number): RequestLog {
  const refusals = refusalsOf(log, now)
  return {
    ended: ({ request_id, method, route, pattern, status, code, ...rest }) => {
      const { duration_ms } = rest
      const path = route?.path ?? 'other'
      telemetry?.record({ kind: 'request', method, route: path, status, duration_ms })
      refusals.logDue()
      if (route?.access === 'public' && status >= 400 && status < 429) {
        refusals.note({ request_id, status, code, order_id: claimedOrderId(rest.input) })
        return
      }
      const line = { request_id, method, route: pattern, status }
      const missing = status === 404 && { path: shownPath(rest.url()) }
      const reason = code !== null && { code }
      log.info({ ...line, duration_ms: Math.round(duration_ms), ...reason, ...missing }, 'request')
    },
    close: refusals.logAll,
  }
}

const PATH_LENGTH_MAX = 200

/** Without the query, which may hold a customer's data; a path may hold a key by mistake. */
const shownPath = (url: string): string =>
  hideSecrets(url.split('?', 1)[0] ?? '').slice(0, PATH_LENGTH_MAX)

/** Of a body that is not verified: nothing is logged but what could be an order id. */
function claimedOrderId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('order_id' in body)) return null
  return typeof body.order_id === 'string' && isOrderId(body.order_id) ? body.order_id : null
}

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
