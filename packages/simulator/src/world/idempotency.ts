import type { Reply } from '../http/reply.ts'

interface Remembered {
  until: number
  /** Nothing while the first request is still being worked on. */
  reply: Reply | undefined
}

/**
 * Keys to the successful reply they produced, for a window, whatever the body was
 * (gateway-protocol.md#idempotency).
 */
export class IdempotencyKeys {
  #remembered = new Map<string, Remembered>()
  readonly #now: () => number
  readonly #window_ms: number

  constructor(now: () => number, window_ms: number) {
    this.#now = now
    this.#window_ms = window_ms
  }

  find(key: string): 'running' | Reply | undefined {
    const found = this.#remembered.get(key)
    if (!found) return undefined
    if (found.until <= this.#now()) {
      this.#remembered.delete(key)
      return undefined
    }
    return found.reply ?? 'running'
  }

  start(key: string): void {
    this.#dropOld()
    this.#remembered.delete(key)
    this.#remembered.set(key, { until: this.#now() + this.#window_ms, reply: undefined })
  }

  /** Keeps a successful reply; forgets the key otherwise, so that the caller may try again. */
  finish(key: string, reply: Reply | undefined): void {
    const found = this.#remembered.get(key)
    if (reply && found) found.reply = reply
    else this.#remembered.delete(key)
  }

  get size(): number {
    return this.#remembered.size
  }

  // All keys live equally long, so insertion order is the order of expiry.
  #dropOld(): void {
    const now = this.#now()
    for (const [key, { until }] of this.#remembered) {
      if (until > now) return
      this.#remembered.delete(key)
    }
  }
}
