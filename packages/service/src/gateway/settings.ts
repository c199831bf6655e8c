import { NO_TELEMETRY, type Trace } from '../domain/telemetry.ts'
import type { CallObserved } from './calls.ts'
import { biSnapCredentials, type BiSnapCredentials, type BiSnapSettings } from './bi_snap.ts'
import { Secret } from './secret.ts'

const SANDBOX_URL = 'https://api.sandbox.midtrans.com'
const PRODUCTION_URL = 'https://api.midtrans.com'
const SANDBOX_PAGE_URL = 'https://app.sandbox.midtrans.com'
const PRODUCTION_PAGE_URL = 'https://app.midtrans.com'
const SANDBOX_MERCHANT_URL = 'https://merchants.sbx.midtrans.com'
const PRODUCTION_MERCHANT_URL = 'https://merchants.midtrans.com'

export interface GatewaySettings {
  server_key: Secret | string
  /** The key being retired: it still verifies notifications, and nothing is sent with it. */
  previous_server_key?: Secret | string
  client_key?: string
  is_production?: boolean
  /** The gateway's address, if it is not the default: a simulator, a proxy. */
  base_url?: string
  /** The same for the host of its payment pages; `base_url` where only that is given. */
  page_url?: string
  /** The same for the host of BI-SNAP. */
  merchant_url?: string
  /** What reads of the transaction history are signed with; without it there are none. */
  bi_snap?: BiSnapSettings
  notification_urls?: readonly string[]
  /** Allows the two operations that carry card numbers (ADR 0019). */
  card_data?: boolean
  connect_timeout_ms?: number
  /** Shortens the time-outs of the operations table if they are longer. */
  timeout_ms_max?: number
  /**
   * Calls at the same time. A quarter is reserved for changes, and one owner may use seven eighths.
   */
  connections_max?: number
  /** Calls that may wait for a slot, over all owners; owners share it evenly. */
  waiting_max?: number
  /** How long a call may wait before it is refused with `gateway_unavailable`. */
  slot_wait_ms_max?: number
  retry_delay_ms?: number
  breaker_rest_ms?: number
  observe?: (observed: CallObserved) => void
  /** Runs each call as a step of a trace. */
  trace?: Trace
  guard?: () => void
}

/** Settings with every default in place. */
export interface ResolvedSettings {
  server_keys: readonly [Secret, ...Secret[]]
  client_key: string | null
  base_url: string
  page_url: string
  merchant_url: string
  bi_snap: BiSnapCredentials | null
  notification_urls: readonly string[]
  card_data: boolean
  connect_timeout_ms: number
  timeout_ms_max: number
  connections_max: number
  waiting_max: number
  slot_wait_ms_max: number
  retry_delay_ms: number
  breaker_rest_ms: number
  observe: (observed: CallObserved) => void
  trace: Trace
  guard: () => void
}

/** Three, by the gateway's page that allows the most; a second page says two. */
const NOTIFICATION_URLS_MAX = 3

/** Fills in defaults; throws for what would fail later, and never shows a key in the error. */
export function resolveSettings(settings: GatewaySettings): ResolvedSettings {
  const current = keyFrom(settings.server_key, 'server_key')
  const previous = settings.previous_server_key
  const notification_urls = settings.notification_urls ?? []
  if (notification_urls.length > NOTIFICATION_URLS_MAX) {
    throw new TypeError(`notification_urls takes at most ${NOTIFICATION_URLS_MAX} addresses`)
  }
  return {
    server_keys:
      previous === undefined ? [current] : [current, keyFrom(previous, 'previous_server_key')],
    client_key: settings.client_key ?? null,
    base_url: settings.base_url ?? (settings.is_production === true ? PRODUCTION_URL : SANDBOX_URL),
    page_url:
      settings.page_url ??
      settings.base_url ??
      (settings.is_production === true ? PRODUCTION_PAGE_URL : SANDBOX_PAGE_URL),
    merchant_url:
      settings.merchant_url ??
      settings.base_url ??
      (settings.is_production === true ? PRODUCTION_MERCHANT_URL : SANDBOX_MERCHANT_URL),
    bi_snap: settings.bi_snap === undefined ? null : biSnapCredentials(settings.bi_snap),
    notification_urls,
    card_data: settings.card_data ?? false,
    connect_timeout_ms: settings.connect_timeout_ms ?? 1_000,
    timeout_ms_max: settings.timeout_ms_max ?? Number.POSITIVE_INFINITY,
    connections_max: settings.connections_max ?? 32,
    waiting_max: settings.waiting_max ?? 256,
    slot_wait_ms_max: settings.slot_wait_ms_max ?? 5_000,
    retry_delay_ms: settings.retry_delay_ms ?? 200,
    breaker_rest_ms: settings.breaker_rest_ms ?? 10_000,
    observe: settings.observe ?? (() => undefined),
    trace: settings.trace ?? NO_TELEMETRY.trace,
    guard: settings.guard ?? (() => undefined),
  }
}

/** A valid key. The error names the setting, never the value. */
export function keyFrom(key: Secret | string, name: string): Secret {
  const secret = typeof key === 'string' ? new Secret(key) : key
  // A key with a line break from a mounted file is a common mistake; the gateway would only say
  // 401.
  if (!/^\S+$/.test(secret.reveal()))
    throw new TypeError(`${name} must not be empty or contain white space`)
  return secret
}
