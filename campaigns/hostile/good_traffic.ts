// Honest callers beside the hostile ones: measures how long they wait.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { chargeInput } from '../bench/charge_inputs.ts'
import { settlement } from '../bench/forgeries.ts'
import type { KnownPayment, World } from './input.ts'

export interface Waited {
  count: number
  failed: string[]
  p50_ms: number
  p99_ms: number
}

/** Time between two requests: they are few, and each is measured. */
const PAUSE_MS = 20

export class GoodTraffic {
  readonly #url: string
  readonly #world: World
  #times: number[] = []
  #failed: string[] = []
  #over = false
  #running: Promise<void> | undefined

  constructor(url: string, world: World) {
    this.#url = url
    this.#world = world
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Latencies since the last call. */
  take(): Waited {
    const sorted = this.#times.toSorted((one, other) => one - other)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    const failed = this.#failed
    this.#times = []
    this.#failed = []
    return { count: sorted.length, failed, p50_ms: at(0.5), p99_ms: at(0.99) }
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#over) {
      const made = await this.#ask('POST', '/charge/', chargeInput('qris'), 201)
      const id = String(made?.['id'])
      await this.#ask('GET', `/payments/${id}/`, undefined, 200)
      await this.#ask('GET', '/payments/?page_size=5', undefined, 200)
      if (made === undefined) continue
      const notice = settlement(made as unknown as KnownPayment, this.#world.server_key)
      await this.#ask('POST', '/notification/', notice, 200)
    }
  }

  async #ask(method: string, path: string, body: object | undefined, wanted: number) {
    await sleep(PAUSE_MS)
    const began = performance.now()
    try {
      const reply = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#world.honest_key}`,
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      this.#times.push(performance.now() - began)
      if (reply.status !== wanted) this.#failed.push(`${method} ${path} ${reply.status} ${text}`)
      return reply.status === wanted ? (JSON.parse(text) as Record<string, unknown>) : undefined
    } catch (error) {
      this.#failed.push(`${method} ${path} ${String(error)}`)
      return undefined
    }
  }
}
