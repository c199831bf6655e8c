// Chooses which process is killed or paused next, and counts its requests and jobs at that moment.
import { setTimeout as sleep } from 'node:timers/promises'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import type { Client } from './client.ts'
import type { Deployment } from './deployment.ts'
import type { Random } from './random.ts'
import type { Supervised } from './supervised.ts'

export interface InjectedFault {
  /** Since the load began. */
  at_ms: number
  who: string
  how: 'kill' | 'pause' | 'crash point'
  in_flight: number
}

const PAUSE_SHARE = 0.12
const CRASHED_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 100

export class Killing {
  readonly injected: InjectedFault[] = []
  /** How long jobs of a killed worker waited before another worker claimed them. */
  readonly resumed_ms: number[] = []
  readonly missed_points: string[] = []
  readonly #deployment: Deployment
  readonly #client: Client
  readonly #random: Random
  readonly #pauses = new Set<Promise<void>>()
  readonly #watches = new Set<Promise<void>>()

  constructor(deployment: Deployment, client: Client, random: Random) {
    this.#deployment = deployment
    this.#client = client
    this.#random = random
  }

  /** Kills or pauses one running process, API or worker by chance. */
  async injectFault(pause_ms: { min: number; max: number }): Promise<void> {
    const { apis, workers } = this.#deployment
    const side = this.#random.chance(0.6) ? apis.map(({ process }) => process) : workers
    const victim = await this.#oneUp(side)
    const in_flight = await this.#inFlight(victim)
    // One process of each kind may be paused at a time, so that the service still answers.
    const pausing = this.#random.chance(PAUSE_SHARE) && !side.some(({ paused }) => paused)
    if (pausing) {
      const pause = victim.pause(this.#random.between(pause_ms.min, pause_ms.max))
      this.#pauses.add(pause.finally(() => this.#pauses.delete(pause)))
    } else {
      await this.#watch(victim)
      victim.kill()
    }
    this.#note(victim.name, pausing ? 'pause' : 'kill', in_flight)
  }

  /** Makes a process crash at a named point, and waits until it gets there. */
  async dieAt(point: string): Promise<void> {
    const victim = await this.#oneUp(this.#deployment.apis.map(({ process }) => process))
    const { starts } = victim
    victim.sendLine(`crash ${point}`)
    const end = performance.now() + CRASHED_WITHIN_MS
    let in_flight = 0
    while (victim.starts === starts && victim.ready && performance.now() < end) {
      in_flight = await this.#inFlight(victim)
      await sleep(LOOK_EVERY_MS)
    }
    if (victim.starts === starts && victim.ready) {
      victim.sendLine('crash none')
      this.missed_points.push(point)
    } else this.#note(victim.name, 'crash point', Math.max(1, in_flight))
  }

  /** Waits for the end of every pause and every watch. */
  async finish(): Promise<void> {
    await Promise.all([...this.#pauses, ...this.#watches])
  }

  #note(who: string, how: InjectedFault['how'], in_flight: number): void {
    this.injected.push({ at_ms: performance.now() - this.#client.began, who, how, in_flight })
  }

  async #oneUp(side: readonly Supervised[]): Promise<Supervised> {
    for (;;) {
      const up = side.filter(({ ready, paused }) => ready && !paused)
      if (up.length > 0) return this.#random.pick(up)
      await sleep(20)
    }
  }

  /** Requests at an API process, jobs claimed by a worker. */
  async #inFlight(victim: Supervised): Promise<number> {
    const api = this.#deployment.apis.find(({ process }) => process === victim)
    if (api !== undefined) return this.#client.in_flight.get(api.url) ?? 0
    return (await this.#jobsOf(victim)).length
  }

  async #jobsOf({ pid }: Supervised): Promise<string[]> {
    const { db } = this.#deployment.parts.ctx
    const rows = await withTransaction(db, async (tx) => {
      return await tx.query<{ id: string }>(
        `select job.id::text as id
         from ${jobsSchema(db)}._private_jobs as job
         join gapura.worker on worker.id = job.locked_by
         where worker.description like '% ' || $1::text`,
        [String(pid)],
      )
    })
    return rows.map(({ id }) => id)
  }

  /** Records when another worker claims the jobs of this one, or when they are done. */
  async #watch(victim: Supervised): Promise<void> {
    const jobs = await this.#jobsOf(victim)
    if (jobs.length === 0) return
    const watch = this.#untilTaken(jobs)
    this.#watches.add(watch.finally(() => this.#watches.delete(watch)))
  }

  async #untilTaken(jobs: readonly string[]): Promise<void> {
    const { db } = this.#deployment.parts.ctx
    const killed_at = performance.now()
    for (;;) {
      await sleep(LOOK_EVERY_MS * 3)
      const held = await withTransaction(db, async (tx) => {
        return await tx.query<{ id: string }>(
          `select id::text as id
           from ${jobsSchema(db)}._private_jobs
           where id = any($1::bigint[])
             and locked_by is not null
             and attempts = 1`,
          [jobs],
        )
      })
      if (held.length > 0) continue
      this.resumed_ms.push(performance.now() - killed_at)
      return
    }
  }
}
