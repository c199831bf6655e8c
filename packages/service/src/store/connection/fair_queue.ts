// Of a pool's connections a few are for the webhook alone (ADR 0021): everybody else queues here,
// before the pool, so that a notification never waits behind a thousand callers who wait for a
// connection. Nor does one caller behind another's thousand: owners take turns (ADR 0021).
import { FairQueue, SERVICE_OWNER, type Leave } from '../../domain/fair_queue.ts'

/** Left free by everybody but the inbox. */
const RESERVED = 2
/** Below this a pool is too small to leave any of it free. */
const POOL_MIN = 5
/** As the pool's own patience, and in its words, which are known to mean "not now". */
const WAIT_MS_MAX = 5_000
/** More requests than a process can answer within the wait: each costs memory while it waits. */
const WAITING_MAX = 10_000

/** Where a connection is waited for. */
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

  /** The same lane for one owner, who waits behind nobody's requests but her own. */
  forOwner(owner_id: string): Queue {
    return { enter: async () => await this.enter(owner_id) }
  }

  /** Resolves once there is room. */
  async enter(owner_id: string = SERVICE_OWNER): Promise<Leave> {
    return await this.#slots.enter({ owner_id, urgent: false })
  }
}

/** The lane of a pool of this size, or none. */
export const connectionQueueOf = (connections_max: number): FairConnectionQueue | null =>
  connections_max < POOL_MIN ? null : new FairConnectionQueue(connections_max - RESERVED)
