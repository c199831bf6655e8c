// A few connections of a pool are reserved for the webhook (ADR 0021): everything else queues here,
// before the pool, so that a notification never waits behind callers. Owners take turns, so that
// one owner's requests do not wait behind another's.
import { FairQueue, SERVICE_OWNER, type Leave } from '../../domain/fair_queue.ts'

/** Left free for the inbox. */
const RESERVED = 2
/** A smaller pool reserves nothing. */
const POOL_MIN = 5
/** As the pool's own timeout, and with its message, which callers treat as "try later". */
const WAIT_MS_MAX = 5_000
/** More requests than a process can answer within the wait: each costs memory while it waits. */
const WAITING_MAX = 10_000

/** A queue for a connection. */
export interface Queue {
  enter: () => Promise<Leave>
}

export class FairConnectionQueue implements Queue {
  readonly #slots: FairQueue

  constructor(max: number) {
    this.#slots = new FairQueue({
      slots_max: max,
      waiting_max: WAITING_MAX,
      wait_ms_max: WAIT_MS_MAX,
      startTimer: (fire, ms) => {
        const timer = setTimeout(fire, ms)
        return () => clearTimeout(timer)
      },
      refusal: () => new Error('timeout exceeded when trying to connect'),
    })
  }

  /** The same queue for one owner, whose requests wait only behind the owner's own. */
  forOwner(owner_id: string): Queue {
    return { enter: async () => await this.enter(owner_id) }
  }

  /** Resolves once a connection may be taken. */
  async enter(owner_id: string = SERVICE_OWNER): Promise<Leave> {
    return await this.#slots.enter({ owner_id, urgent: false })
  }
}

/** The queue of a pool of this size; null if the pool is too small for one. */
export const connectionQueueOf = (connections_max: number): FairConnectionQueue | null =>
  connections_max < POOL_MIN ? null : new FairConnectionQueue(connections_max - RESERVED)
