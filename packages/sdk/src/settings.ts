/** How to reach the service. */
export interface ClientOptions {
  /** Where the routes are mounted, prefix and all: `https://shop.example/pay`. */
  baseUrl: string
  /** An API key. Leave it out in a browser whose session the host knows. */
  apiKey?: string
  /** Instead of `apiKey`: asked before every try, so that an expired token can be renewed. */
  token?: () => string | Promise<string>
  /** Instead of the built-in one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** For one try (default 30,000). */
  timeoutMs?: number
  /** For the whole call with its pauses (default 90,000). */
  deadlineMs?: number
  /** Maximum number of retries of a call (default 4; 0: none). */
  retries?: number
}

/** For one call. */
export interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
  deadlineMs?: number
  retries?: number
}

export interface WriteOptions extends CallOptions {
  /**
   * The same on every try: 1 to 255 visible ASCII characters; generated if absent. Pass your own,
   * such as the order id, so that a repeat after a crash is the same call.
   */
  idempotencyKey?: string
}

export interface Settings {
  base: string
  token: () => string | Promise<string> | undefined
  fetch: NonNullable<ClientOptions['fetch']>
  limits: Limits
}

export interface Limits {
  timeoutMs: number
  deadlineMs: number
  retries: number
}

const LIMITS: Limits = { timeoutMs: 30_000, deadlineMs: 90_000, retries: 4 }
const RETRIES_MAX = 20
/** A timer set for longer fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

const KNOWN = new Set(['baseUrl', 'apiKey', 'token', 'fetch', 'timeoutMs', 'deadlineMs', 'retries'])

/** Checks all settings once. No message quotes a value, because it may be the key. */
export function settingsOf(options: ClientOptions): Settings {
  const { baseUrl, apiKey, token } = options
  const unknown = Object.keys(options).filter((name) => !KNOWN.has(name))
  if (unknown.length > 0) throw new TypeError(`createClient does not accept ${unknown.join(', ')}`)
  if (apiKey !== undefined && token !== undefined) {
    throw new TypeError('createClient takes apiKey or token, not both')
  }
  if (apiKey !== undefined) requireVisible('apiKey', apiKey)
  return {
    base: baseOf(baseUrl),
    token: token ?? (() => apiKey),
    // Looked up at each call and called without `this`: browsers refuse a detached fetch.
    fetch: options.fetch ?? (async (url, init) => await fetch(url, init)),
    limits: limitsOf(LIMITS, options),
  }
}

export function limitsOf(base: Limits, given: Partial<Limits> = {}): Limits {
  const limits = {
    timeoutMs: Math.min(given.timeoutMs ?? base.timeoutMs, TIMER_MS_MAX),
    deadlineMs: Math.min(given.deadlineMs ?? base.deadlineMs, TIMER_MS_MAX),
    retries: Math.min(given.retries ?? base.retries, RETRIES_MAX),
  }
  for (const [name, value] of Object.entries(limits)) {
    if (!(value >= 0)) throw new TypeError(`${name} must be a number, 0 or more`)
  }
  return limits
}

function baseOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl must be a whole URL, prefix included')
  const { protocol, username, password, search, hash } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') {
    throw new TypeError('baseUrl must be http or https, without credentials, query or fragment')
  }
  return baseUrl.replace(/\/+$/, '')
}

/** A header value. Checked here because the error of fetch would quote it. */
export function requireVisible(name: string, text: string): void {
  if (!/^[!-~]+$/.test(text)) throw new TypeError(`${name} must be visible ASCII characters`)
}
