// Of a pool's connections a few are for the webhook alone (D-121): everybody else queues here, before
// the pool, so that a notification never waits behind a thousand callers who wait for a connection.

/** Left free by everybody but the inbox. */
const RESERVED = 2
/** Below this a pool is too small to leave any of it free. */
const POOL_MIN = 5
/** As the pool's own patience, and in its words, which are known to mean "not now". */
const WAIT_MS_MAX = 5_000

interface Waiting {
  go: () => void
  timer: NodeJS.Timeout
}

export class Lane {
  readonly #max: number
  readonly #waiting: Waiting[] = []
  #inside = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Resolves once there is room; whoever entered calls `leave`, once. */
  async enter(): Promise<void> {
    if (this.#inside < this.#max) {
      this.#inside++
      return
    }
    await new Promise<void>((go, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new Error('timeout exceeded when trying to connect'))
      }, WAIT_MS_MAX)
      const waiting = { go, timer }
      this.#waiting.push(waiting)
    })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#inside--
      return
    }
    // The place goes over to the next one, who has waited longest.
    clearTimeout(next.timer)
    next.go()
  }
}

/** The lane of a pool of this size, or none. */
export const laneOf = (connections_max: number): Lane | null =>
  connections_max < POOL_MIN ? null : new Lane(connections_max - RESERVED)
