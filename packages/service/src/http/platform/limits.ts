// What one caller may take of a process (ADR 0021). Counted in the memory of each process, so that
// a request costs no round trip: with N processes a caller gets up to N times as much.
import { createHash } from 'node:crypto'

export interface LimitSettings {
  /** Of one owner, in each process. 0: as many as come. */
  requests_per_minute?: number
  /** Of one owner and under way at the same time; `REQUESTS_AT_ONCE` by default. 0: no limit. */
  requests_at_once?: number
  /** Refused credentials from one address before it is made to wait. 0: as many as come. */
  guesses_per_minute?: number
  /**
   * How many proxies of yours stand before this process, each adding to `X-Forwarded-For`. With 0
   * the header is not believed, and the address is that of the connection.
   */
  trusted_proxies?: number
}

const WINDOW_MS = 60_000
/** Twice the gateway's slots: more requests of one owner would only wait, and cost memory. */
export const REQUESTS_AT_ONCE = 64
export const GUESSES_PER_MINUTE = 100
/** Owners and addresses that are remembered; the one not seen for longest goes first. */
const REMEMBERED_MAX = 10_000

/** What an owner has left, as the draft's headers say it. */
export interface Allowance {
  limit: number
  remaining: number
  reset_s: number
}

/** A map that drops its least recently used entry, so that senders cannot grow our memory. */
class BoundedMap<Key, Value> {
  readonly #map = new Map<Key, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    const value = this.#map.get(key)
    // A Map keeps the order of insertion: put again, it is the youngest.
    if (value !== undefined) {
      this.#map.delete(key)
      this.#map.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.#map.delete(key)
    this.#map.set(key, value)
    if (this.#map.size <= this.#max) return
    const [oldest] = this.#map.keys()
    if (oldest !== undefined) this.#map.delete(oldest)
  }
}

interface Window {
  began_at: number
  count: number
}

/** Windows that begin with their first request; each is a pair of numbers. */
class Windows {
  readonly #windows = new BoundedMap<string, Window>(REMEMBERED_MAX)

  at(key: string, now: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && now - known.began_at < WINDOW_MS) return known
    const fresh = { began_at: now, count: 0 }
    this.#windows.set(key, fresh)
    return fresh
  }
}

const secondsLeft = ({ began_at }: Window, now: number): number =>
  Math.max(1, Math.ceil((began_at + WINDOW_MS - now) / 1_000))

/** Whether a request may go on, and what the headers say. */
export type Admission =
  | { admitted: true; allowance: Allowance | null; leave: () => void }
  | { admitted: false; why: 'rate' | 'at_once'; allowance: Allowance | null; retry_after_s: number }

const NOTHING = (): void => undefined
const AT_ONCE_RETRY_S = 1

/** The requests of each owner: how many in this minute, and how many at once. */
export class CallerLimits {
  readonly #per_minute: number
  readonly #at_once: number
  readonly #windows = new Windows()
  /** Only owners with a request under way are in it. */
  readonly #inside = new Map<string, number>()

  constructor({ requests_per_minute = 0, requests_at_once = REQUESTS_AT_ONCE }: LimitSettings) {
    this.#per_minute = requests_per_minute
    this.#at_once = requests_at_once
  }

  admit(owner_id: string, now: number): Admission {
    const window = this.#per_minute === 0 ? null : this.#windows.at(owner_id, now)
    if (window !== null && window.count >= this.#per_minute) {
      const retry_after_s = secondsLeft(window, now)
      const allowance = this.#allowance(window, now)
      return { admitted: false, why: 'rate', allowance, retry_after_s }
    }
    const inside = this.#inside.get(owner_id) ?? 0
    if (this.#at_once > 0 && inside >= this.#at_once) {
      const allowance = window && this.#allowance(window, now)
      return { admitted: false, why: 'at_once', allowance, retry_after_s: AT_ONCE_RETRY_S }
    }
    if (window !== null) window.count++
    const allowance = window && this.#allowance(window, now)
    if (this.#at_once === 0) return { admitted: true, allowance, leave: NOTHING }
    this.#inside.set(owner_id, inside + 1)
    return { admitted: true, allowance, leave: this.#leaver(owner_id) }
  }

  #allowance(window: Window, now: number): Allowance {
    const limit = this.#per_minute
    return { limit, remaining: limit - window.count, reset_s: secondsLeft(window, now) }
  }

  #leaver(owner_id: string): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      const inside = (this.#inside.get(owner_id) ?? 1) - 1
      if (inside === 0) this.#inside.delete(owner_id)
      else this.#inside.set(owner_id, inside)
    }
  }
}

/** Of one owner and of all, in each process: each of them reads the database every second. */
const LIVE_PER_OWNER_MAX = 8
const LIVE_MAX = 100
const LIVE_RETRY_S = 30

/** The connections that are held open to follow a route. */
export class LiveConnections {
  readonly #open = new Map<string, number>()
  #all = 0

  /** Returns what to call at the end, or the seconds to wait. */
  open(owner_id: string): (() => void) | number {
    const mine = this.#open.get(owner_id) ?? 0
    if (mine >= LIVE_PER_OWNER_MAX || this.#all >= LIVE_MAX) return LIVE_RETRY_S
    this.#open.set(owner_id, mine + 1)
    this.#all += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#all -= 1
      const rest = (this.#open.get(owner_id) ?? 1) - 1
      if (rest === 0) this.#open.delete(owner_id)
      else this.#open.set(owner_id, rest)
    }
  }
}

/**
 * Addresses that send unknown credentials. One that sends too many is refused for the rest of its
 * minute; a credential that was accepted before passes all the same, so that one client cannot lock
 * out the others behind the same proxy.
 */
export class GuessLimits {
  readonly #per_minute: number
  readonly #windows = new Windows()
  readonly #good = new BoundedMap<string, true>(REMEMBERED_MAX)

  constructor({ guesses_per_minute = GUESSES_PER_MINUTE }: LimitSettings) {
    this.#per_minute = guesses_per_minute
  }

  /** Seconds to wait, or nothing if it may be tried. */
  refused(address: string | null, credential: string, now: number): number | undefined {
    if (this.#per_minute === 0 || address === null) return undefined
    const window = this.#windows.at(address, now)
    if (window.count < this.#per_minute || this.#good.get(digestOf(credential))) return undefined
    return secondsLeft(window, now)
  }

  failed(address: string | null, now: number): void {
    if (this.#per_minute === 0 || address === null) return
    this.#windows.at(address, now).count++
  }

  succeeded(credential: string): void {
    if (this.#per_minute > 0) this.#good.set(digestOf(credential), true)
  }
}

/** Never the credential itself: this outlives the request. */
const digestOf = (credential: string): string =>
  createHash('sha256').update(credential).digest('base64')

// The looks are enough: what passes them is only ever a key to count by.
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const IPV6 = /^[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:%\w{1,20})?$/i

/**
 * Where a request comes from, as far as it can be known: the connection's address, or what the
 * outermost of our own proxies saw. What stands further left in the header any client can write.
 */
export function sourceAddress(
  remote: string | undefined,
  forwarded: string | readonly string[] | undefined,
  trusted_proxies: number,
): string | null {
  if (trusted_proxies === 0) return bucketOf(remote)
  const hops = [forwarded ?? []].flat().join(',').split(',')
  return bucketOf(hops.at(-trusted_proxies)?.trim()) ?? bucketOf(remote)
}

/** One of IPv6 is a whole network: its holder has 2^64 of them. */
function bucketOf(address: string | undefined): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  if (IPV4.test(plain)) return plain
  return IPV6.test(plain) ? prefixOf(plain) : null
}

const GROUPS = 8
const GROUPS_OF_NETWORK = 4

function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length
  const zeros = Array.from({ length: Math.max(0, missing) }, () => '0')
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`
}
