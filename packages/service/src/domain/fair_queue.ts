// Slots that owners take turns at. The pool's connections and the calls to the gateway both use it,
// so that the requests of one owner never make another owner's request wait or fail.

/** The owner of work without a caller: sweeps, the resolver, notifications. */
export const SERVICE_OWNER = ''

export interface FairQueueOptions {
  slots_max: number
  /** Slots that only urgent work may use; the rest is for all work. */
  urgent_reserve?: number
  /** Slots one owner must leave to other owners, of all slots and of those for work not urgent. */
  owner_reserve?: number
  /** How many may wait, over all owners. */
  waiting_max: number
  wait_ms_max: number
  /** Calls `fire` after this many milliseconds unless the returned function is called before. */
  startTimer: (fire: () => void, ms: number) => () => void
  /** The error for a request without a slot: the queue is full, or the wait was too long. */
  refusal: () => Error
}

export interface SlotRequest {
  owner_id: string
  /** Urgent work is served before work that is not, but for every fifth slot. */
  urgent: boolean
}

/** Releases the slot. A second call does nothing. */
export type Leave = () => void

interface Waiting extends SlotRequest {
  admit: (leave: Leave) => void
  refuse: () => void
  stopTimer: () => void
}

interface Held {
  all: number
  not_urgent: number
}

/** After these one that is not urgent is served: the resolver's queries must not wait for ever. */
const URGENT_IN_A_ROW_MAX = 4

const NONE_HELD: Readonly<Held> = { all: 0, not_urgent: 0 }

export class FairQueue {
  readonly #options: Required<FairQueueOptions>
  readonly #urgent = new OwnerQueues()
  readonly #not_urgent = new OwnerQueues()
  readonly #held: Held = { ...NONE_HELD }
  #urgent_in_a_row = 0
  /** Only owners that hold a slot are in it. */
  readonly #held_by = new Map<string, Held>()

  constructor(options: FairQueueOptions) {
    this.#options = { urgent_reserve: 0, owner_reserve: 0, ...options }
    const { slots_max, urgent_reserve, owner_reserve } = this.#options
    if (!(slots_max - urgent_reserve - owner_reserve >= 1)) {
      throw new RangeError('an owner must be able to hold at least one slot for work not urgent')
    }
  }

  /** Runs the work in a slot, at once if one is free; the slot is free again when the work ends. */
  async run<T>(request: SlotRequest, work: () => Promise<T>): Promise<T> {
    const leave = this.#mayTake(request) ? this.#take(request) : await this.#wait(request)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Resolves with a slot; rejects if the queue is full or the wait takes too long. */
  async enter(request: SlotRequest): Promise<Leave> {
    return this.#mayTake(request) ? this.#take(request) : await this.#wait(request)
  }

  /** How many wait now, of all owners. */
  get waiting(): number {
    return this.#urgent.size + this.#not_urgent.size
  }

  async #wait(request: SlotRequest): Promise<Leave> {
    if (!this.#makePlace(request)) throw this.#options.refusal()
    return await new Promise<Leave>((admit, reject) => {
      const refuse = (): void => reject(this.#options.refusal())
      const queues = this.#queuesOf(request)
      const stopTimer = this.#options.startTimer(() => {
        // A request that was served meanwhile is no longer in the queue, and keeps its slot.
        if (queues.remove(waiting)) refuse()
      }, this.#options.wait_ms_max)
      const waiting = { ...request, admit, refuse, stopTimer }
      queues.push(waiting)
    })
  }

  #queuesOf({ urgent }: SlotRequest): OwnerQueues {
    return urgent ? this.#urgent : this.#not_urgent
  }

  #mayTake({ owner_id, urgent }: SlotRequest): boolean {
    const { slots_max, urgent_reserve, owner_reserve } = this.#options
    const own = this.#held_by.get(owner_id) ?? NONE_HELD
    if (this.#held.all >= slots_max || own.all >= slots_max - owner_reserve) return false
    const max = slots_max - urgent_reserve
    return urgent || (this.#held.not_urgent < max && own.not_urgent < max - owner_reserve)
  }

  #take({ owner_id, urgent }: SlotRequest): Leave {
    const own = this.#held_by.get(owner_id) ?? { ...NONE_HELD }
    this.#held_by.set(owner_id, own)
    const count = (change: 1 | -1): void => {
      for (const held of [this.#held, own]) {
        held.all += change
        if (!urgent) held.not_urgent += change
      }
    }
    count(1)
    let left = false
    return () => {
      if (left) return
      left = true
      count(-1)
      if (own.all === 0) this.#held_by.delete(owner_id)
      this.#serve()
    }
  }

  /** Gives free slots to waiting requests, until none of them may take one. */
  #serve(): void {
    const mayTake = (request: SlotRequest): boolean => this.#mayTake(request)
    while (this.#held.all < this.#options.slots_max) {
      const due = this.#urgent_in_a_row >= URGENT_IN_A_ROW_MAX
      const [first, second] = due
        ? [this.#not_urgent, this.#urgent]
        : [this.#urgent, this.#not_urgent]
      const next = first.next(mayTake) ?? second.next(mayTake)
      if (next === undefined) return
      this.#urgent_in_a_row = next.urgent ? this.#urgent_in_a_row + 1 : 0
      next.stopTimer()
      next.admit(this.#take(next))
    }
  }

  /** Whether one more may wait, if necessary by refusing another one. */
  #makePlace(request: SlotRequest): boolean {
    if (this.waiting < this.#options.waiting_max) return true
    const displaced = this.#displacedBy(request)
    if (displaced === undefined) return false
    this.#queuesOf(displaced).remove(displaced)
    displaced.stopTimer()
    displaced.refuse()
    return true
  }

  /**
   * In a full queue an owner with fewer waiting takes a place from the owner with the most, so that
   * one owner cannot use up another's share. Between equal shares, urgent work goes first.
   */
  #displacedBy({ owner_id, urgent }: SlotRequest): Waiting | undefined {
    const waitingOf = (owner: string): number =>
      this.#urgent.lengthOf(owner) + this.#not_urgent.lengthOf(owner)
    const most = longest([...this.#urgent.owners(), ...this.#not_urgent.owners()], waitingOf)
    if (most !== undefined && waitingOf(most) > waitingOf(owner_id) + 1) {
      return this.#not_urgent.newestOf(most) ?? this.#urgent.newestOf(most)
    }
    if (!urgent) return undefined
    const other = longest(this.#not_urgent.owners(), (owner) => this.#not_urgent.lengthOf(owner))
    return other === undefined ? undefined : this.#not_urgent.newestOf(other)
  }
}

function longest(
  owners: Iterable<string>,
  lengthOf: (owner: string) => number,
): string | undefined {
  let found: string | undefined
  let length = 0
  for (const owner of owners) {
    if (lengthOf(owner) <= length) continue
    found = owner
    length = lengthOf(owner)
  }
  return found
}

/** One queue for each owner. Of one owner the first is served first, and owners take turns. */
class OwnerQueues {
  /** The owner whose turn is next comes first; only owners that wait are in it. */
  readonly #queues = new Map<string, Waiting[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  owners(): Iterable<string> {
    return this.#queues.keys()
  }

  lengthOf(owner_id: string): number {
    return this.#queues.get(owner_id)?.length ?? 0
  }

  newestOf(owner_id: string): Waiting | undefined {
    return this.#queues.get(owner_id)?.at(-1)
  }

  push(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.owner_id)
    if (queue === undefined) this.#queues.set(waiting.owner_id, [waiting])
    else queue.push(waiting)
    this.#size += 1
  }

  /** Takes out the first of the next owner who may be served; that owner is then last in turn. */
  next(mayTake: (request: SlotRequest) => boolean): Waiting | undefined {
    for (const [owner_id, queue] of this.#queues) {
      const [first] = queue
      if (first === undefined || !mayTake(first)) continue
      queue.shift()
      this.#size -= 1
      this.#queues.delete(owner_id)
      if (queue.length > 0) this.#queues.set(owner_id, queue)
      return first
    }
    return undefined
  }

  /** Whether it still waited. */
  remove(waiting: Waiting): boolean {
    const queue = this.#queues.get(waiting.owner_id) ?? []
    const at = queue.lastIndexOf(waiting)
    if (at < 0) return false
    queue.splice(at, 1)
    this.#size -= 1
    if (queue.length === 0) this.#queues.delete(waiting.owner_id)
    return true
  }
}
