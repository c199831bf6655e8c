// Processes that do nothing for a while, as on a stopped or starved machine.
import type { Random } from '../bench/random.ts'
import type { Conductor, Session } from './sessions.ts'
import { brokenConnection } from './sessions.ts'
import type { Owner, VirtualClock } from './virtual.ts'

const PAUSES_MS = [3_000, 20_000, 100_000, 200_000]

/** The part of a run that pauses need. */
interface Course {
  callers: Owner
  clock: VirtualClock
  conductor: Conductor
  note: (owner: Pick<Owner, 'name'>, what: string) => void
}

export class Pauses {
  readonly #sim: Course
  readonly #idle: Session[] = []

  constructor(sim: Course) {
    this.#sim = sim
  }

  /** One of these, or of all processes; the callers never pause. */
  pauseAny(random: Random, among?: readonly Owner[]): void {
    const { conductor, callers } = this.#sim
    const owners = among ?? [...new Set(conductor.pools.map(({ owner }) => owner))]
    const able = owners.filter((one) => one !== callers)
    if (able.length > 0) this.pause(random.pick(able), random.pick(PAUSES_MS))
  }

  /** The server ends the idle transactions of the process meanwhile. */
  pause(owner: Owner, ms: number): void {
    const { clock, conductor, callers } = this.#sim
    owner.paused_until = clock.now + ms
    this.#sim.note(owner, `pauses for ${ms} ms`)
    for (const session of conductor.sessions().filter(({ pool }) => pool.owner === owner)) {
      if (session.idle_timeout_ms === 0 || session.idle_timeout_ms >= ms) continue
      clock.set(callers, session.idle_timeout_ms, () => {
        const idle = session.in_transaction && session.state !== 'blocked'
        if (idle && !session.broken && owner.paused_until > clock.now) this.#idle.push(session)
      })
    }
  }

  pauseNamed(name: string, ms: number): void {
    const pool = this.#sim.conductor.pools.find(({ owner }) => owner.name === name)
    if (pool !== undefined) this.pause(pool.owner, ms)
  }

  /** The server has ended these sessions; their process learns of it when it goes on. */
  async endIdle(): Promise<void> {
    for (const session of this.#idle.splice(0)) {
      if (session.broken) continue
      this.#sim.note(session, 'its transaction was idle for too long')
      await this.#sim.conductor.cut(session)
      const { owner } = session.pool
      for (const { reject } of session.statements)
        this.#sim.clock.set(owner, 1, () => reject(brokenConnection()))
    }
  }
}
