export interface DueEvent {
  at: number
  sequence: number
  run: () => void | Promise<void>
}

const before = (a: DueEvent, b: DueEvent): boolean =>
  a.at < b.at || (a.at === b.at && a.sequence < b.sequence)

/** A binary heap of events, earliest first; events of one instant leave in the order they came. */
export class DueQueue {
  #heap: DueEvent[] = []
  #sequence = 0

  push(at: number, run: DueEvent['run']): void {
    this.#sequence += 1
    const event = { at, sequence: this.#sequence, run }
    let index = this.#heap.length
    this.#heap.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.#heap[parent]
      if (above === undefined || before(above, event)) break
      this.#heap[index] = above
      index = parent
    }
    this.#heap[index] = event
  }

  nextAt(): number | undefined {
    return this.#heap[0]?.at
  }

  /** Takes the earliest event if it is due at the given time. */
  popDue(now: number): DueEvent | undefined {
    const [first] = this.#heap
    if (first === undefined || first.at > now) return undefined
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) this.#sink(last)
    return first
  }

  #sink(event: DueEvent): void {
    let index = 0
    for (;;) {
      const leftIndex = 2 * index + 1
      const left = this.#heap[leftIndex]
      const right = this.#heap[leftIndex + 1]
      if (left === undefined) break
      const smaller = right !== undefined && before(right, left) ? right : left
      if (before(event, smaller)) break
      this.#heap[index] = smaller
      index = smaller === left ? leftIndex : leftIndex + 1
    }
    this.#heap[index] = event
  }

  get size(): number {
    return this.#heap.length
  }
}
