// Of a pool's connections a few are for the webhook alone (D-121): everybody else queues here, before
// the pool, so that a notification never waits behind a thousand callers who wait for a connection.
// Nor does one caller behind another's thousand: owners take turns (D-131).

/** Left free by everybody but the inbox. */
const RESERVED = 2
/** Below this a pool is too small to leave any of it free. */
const POOL_MIN = 5
/** As the pool's own patience, and in its words, which are known to mean "not now". */
const WAIT_MS_MAX = 5_000
/** Whoever is no caller: our own sweeps, and the looks at keys. */
const OURS = ''

/** Where a connection is waited for. Whoever entered calls `leave`, once. */
export interface Queue {
  enter: () => Promise<void>
  leave: () => void
}

interface Waiting {
  go: () => void
  timer: NodeJS.Timeout
}

export class Lane implements Queue {
  readonly #max: number
  /** By owner, whose turn is next first; only those who wait are in it. */
  readonly #waiting = new Map<string, Waiting[]>()
  #inside = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The same lane for one owner, who waits behind nobody's requests but her own. */
  of(owner_id: string): Queue {
    return {
      enter: async () => await this.enter(owner_id),
      leave: () => this.leave(),
    }
  }

  /** Resolves once there is room. */
  async enter(owner_id: string = OURS): Promise<void> {
    if (this.#inside < this.#max) {
      this.#inside++
      return
    }
    await new Promise<void>((go, reject) => {
      const timer = setTimeout(() => {
        this.#remove(owner_id, waiting)
        reject(new Error('timeout exceeded when trying to connect'))
      }, WAIT_MS_MAX)
      const waiting = { go, timer }
      const others = this.#waiting.get(owner_id)
      if (others === undefined) this.#waiting.set(owner_id, [waiting])
      else others.push(waiting)
    })
  }

  leave(): void {
    const next = this.#next()
    if (next === undefined) {
      this.#inside--
      return
    }
    // The place goes over to the next one, who has waited longest of those whose turn it is.
    clearTimeout(next.timer)
    next.go()
  }

  #next(): Waiting | undefined {
    for (const [owner_id, queue] of this.#waiting) {
      const first = queue.shift()
      this.#waiting.delete(owner_id)
      if (queue.length > 0) this.#waiting.set(owner_id, queue)
      return first
    }
    return undefined
  }

  #remove(owner_id: string, waiting: Waiting): void {
    const queue = this.#waiting.get(owner_id) ?? []
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) this.#waiting.delete(owner_id)
  }
}

/** The lane of a pool of this size, or none. */
export const laneOf = (connections_max: number): Lane | null =>
  connections_max < POOL_MIN ? null : new Lane(connections_max - RESERVED)
