// Virtual time is real time plus an offset, or stands still when frozen. Everything that happens
// later is an event in one queue, so an advance by a week runs its events in order: an expiry, the
// notification it causes, that notification's retry two minutes after.
import { DueQueue } from './due_queue.ts'

// Node's timers wrap to 1 ms beyond this.
const TIMER_MS_MAX = 2_147_483_647

/** Virtual time and everything that is still to happen in it. */
export class Clock {
  #queue = new DueQueue()
  #offset = 0
  #pinned: number | undefined
  #frozen: boolean
  #timer: NodeJS.Timeout | undefined
  #armed_for = Infinity
  #pump_queued = false
  #moving = false
  #advances: Promise<void> = Promise.resolve()
  #running = new Set<Promise<void>>()
  #closed = false

  constructor({ frozen, start }: { frozen: boolean; start?: number | undefined }) {
    this.#frozen = frozen
    if (start !== undefined) this.#offset = start - Date.now()
    if (frozen) this.#pinned = start ?? Date.now()
  }

  now(): number {
    return this.#pinned ?? Date.now() + this.#offset
  }

  get frozen(): boolean {
    return this.#frozen
  }

  get due_count(): number {
    return this.#queue.size
  }

  nextAt(): number | undefined {
    return this.#queue.nextAt()
  }

  schedule(at: number, run: () => void | Promise<void>): void {
    this.#queue.push(at, run)
    // During an advance the loop itself reads the queue.
    if (!this.#moving) this.#arm()
  }

  /** Resolves when nothing that is due now is still waiting or running. */
  async idle(): Promise<void> {
    this.#pump()
    while (this.#running.size > 0) {
      await Promise.all(this.#running)
      this.#pump()
    }
  }

  /** Advances to the target and runs every due event. Advances run one after another. */
  async moveTo(target: number): Promise<void> {
    await this.#moveInTurn(() => target)
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#moveInTurn(() => this.now() + milliseconds)
  }

  /** Stops or restarts time, once the advances in progress are done. */
  async setFrozen(frozen: boolean): Promise<void> {
    await this.#inTurn(() => {
      const now = this.now()
      this.#frozen = frozen
      this.#offset = now - Date.now()
      this.#pinned = frozen ? now : undefined
      clearTimeout(this.#timer)
      this.#armed_for = Infinity
      this.#arm()
    })
  }

  async #moveInTurn(target: () => number): Promise<void> {
    await this.#inTurn(async () => {
      await this.#move(target())
    })
  }

  async #inTurn(work: () => void | Promise<void>): Promise<void> {
    const earlier = this.#advances
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#advances = promise
    await earlier
    try {
      await work()
    } finally {
      resolve()
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #move(target: number): Promise<void> {
    // A send in progress may schedule a retry inside the span that is about to pass.
    await this.idle()
    this.#moving = true
    this.#pinned = Math.min(this.now(), target)
    for (let at = this.#queue.nextAt(); at !== undefined && at <= target && !this.#closed;) {
      // A receiver may be slow, so the events of one instant share the wait.
      this.#pinned = Math.max(this.#pinned, at)
      await Promise.all(this.#takeDue())
      at = this.#queue.nextAt()
    }
    this.#offset = target - Date.now()
    this.#pinned = this.#frozen ? target : undefined
    this.#moving = false
    // The old timer was set for the time before the advance.
    this.#armed_for = Infinity
    this.#arm()
  }

  #takeDue(): Promise<void>[] {
    const started: Promise<void>[] = []
    const now = this.now()
    for (let event = this.#queue.popDue(now); event; event = this.#queue.popDue(now)) {
      const running = event.run()
      if (running) started.push(running)
    }
    return started
  }

  #arm(): void {
    const at = this.#queue.nextAt()
    if (at === undefined || this.#closed) return
    const wait = at - this.now()
    if (wait <= 0) {
      if (this.#pump_queued) return
      this.#pump_queued = true
      // A turn later, so the reply of the call that caused the event is written first.
      setImmediate(() => {
        this.#pump_queued = false
        this.#pump()
      })
      return
    }
    if (this.#frozen || at >= this.#armed_for) return
    clearTimeout(this.#timer)
    this.#armed_for = at
    this.#timer = setTimeout(
      () => {
        this.#armed_for = Infinity
        this.#pump()
      },
      Math.min(wait, TIMER_MS_MAX),
    ).unref()
  }

  #pump(): void {
    if (this.#moving || this.#closed) return
    for (const running of this.#takeDue()) {
      const tracked = running.finally(() => {
        this.#running.delete(tracked)
      })
      this.#running.add(tracked)
    }
    this.#arm()
  }
}
