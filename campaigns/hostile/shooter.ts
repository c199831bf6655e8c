// Makes the inputs of every category, sends them, judges each answer, and counts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CampaignArguments } from '../bench/arguments.ts'
import type { Random } from '../bench/random.ts'
import { callerInput } from './caller_inputs.ts'
import { runChain } from './chains.ts'
import { seedOf, type Seed } from './findings.ts'
import { CATEGORIES, type Category, type HostileInput, type World } from './input.ts'
import { jsonInput } from './json_inputs.ts'
import { judge } from './judge.ts'
import { Line, send, type Heard } from './lines.ts'
import { moneyInput } from './money_inputs.ts'
import { schemaInput } from './schema_inputs.ts'
import type { Target } from './target.ts'
import { textInput } from './text_inputs.ts'
import { webhookInput } from './webhook_inputs.ts'
import { wireInput } from './wire_inputs.ts'

/** The share of each category. */
const SHARES: Readonly<Record<Category, number>> = {
  money: 0.18,
  json: 0.14,
  text: 0.14,
  schema: 0.13,
  webhook: 0.2,
  wire: 0.06,
  caller: 0.05,
  chain: 0.06,
  gateway: 0.04,
}

const GENERATORS: Partial<Record<Category, (random: Random, world: World) => HostileInput>> = {
  money: moneyInput,
  json: jsonInput,
  text: textInput,
  schema: schemaInput,
  webhook: webhookInput,
  wire: wireInput,
  caller: callerInput,
}
const MADE = CATEGORIES.filter((category) => category in GENERATORS)

const FOUND_MAX = 40
/** Requests in flight of a paced flood, so that a service that stops answering is noticed. */
const UNDER_WAY_MAX = 200

interface ShooterOrder {
  given: CampaignArguments
  random: Random
  target: Target
  secrets: readonly string[]
}

export class Shooter {
  readonly counts = new Map<Category, number>(CATEGORIES.map((category) => [category, 0]))
  readonly statuses = new Map<number | string, number>()
  readonly found = new Map<string, { times: number; seed: Seed }>()
  readonly #order: ShooterOrder
  readonly #end: number

  constructor(order: ShooterOrder) {
    this.#order = order
    this.#end = performance.now() + order.given.seconds_max * 1_000
  }

  get sum(): number {
    return [...this.counts.values()].reduce((total, count) => total + count, 0)
  }

  /** Until its share of every category has been sent. */
  async shootAll(line: Line): Promise<void> {
    for (;;) {
      const open = MADE.filter((category) => this.#left(category))
      if (open.length === 0) return
      await this.#shoot(this.#make(open), line)
    }
  }

  /** A fixed rate for a fixed time, whether they are answered or not. */
  async paced(lines: readonly Line[], { rate, ms }: { rate: number; ms: number }): Promise<void> {
    const under_way = new Set<Promise<unknown>>()
    const began = performance.now()
    for (let at = 0; at < (rate * ms) / 1_000; at++) {
      const wait_ms = began + (at * 1_000) / rate - performance.now()
      if (wait_ms > 1) await sleep(wait_ms)
      if (under_way.size >= UNDER_WAY_MAX) await Promise.race(under_way)
      const line = lines[at % lines.length]
      if (line === undefined) return
      const shot = this.#shoot(this.#make(MADE), line).finally(() => under_way.delete(shot))
      under_way.add(shot)
    }
    await Promise.all(under_way)
  }

  async chains(category: 'chain' | 'gateway', port: number): Promise<void> {
    const { random, target } = this.#order
    const line = new Line(port)
    const pay = async (order_id: string): Promise<void> => {
      await target.deployment.witness.control(`transactions/${order_id}/pay`)
    }
    while (this.#left(category)) {
      await runChain({
        category,
        random,
        world: target.world,
        shoot: async (input) => await this.#shoot(input, line),
        ...(category === 'chain' && { pay }),
      })
    }
    line.close()
  }

  #left(category: Category): boolean {
    const in_time = performance.now() < this.#end && this.found.size < FOUND_MAX
    return (this.counts.get(category) ?? 0) < this.#order.given.n * SHARES[category] && in_time
  }

  #make(from: readonly Category[]): HostileInput {
    const { random, target } = this.#order
    const make = GENERATORS[random.pick(from)] ?? moneyInput
    return make(random, target.world)
  }

  /** Sends one, judges the answer, and keeps what is wrong with it. */
  async #shoot(input: HostileInput, line: Line): Promise<Heard> {
    this.counts.set(input.category, (this.counts.get(input.category) ?? 0) + 1)
    const heard = await send(line, input)
    const status = typeof heard === 'string' ? heard : heard.status
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    for (const fault of judge(input, heard, this.#order)) this.#keep(input, heard, fault)
    return heard
  }

  #keep(input: HostileInput, heard: Heard, fault: string): void {
    const { world, gateway } = this.#order.target
    const said = typeof heard === 'string' ? '' : heard.body.slice(0, 200)
    const kind = `${input.category}: ${fault}, ${input.name}`
    const answer = input.category === 'gateway' ? gateway.recent.at(-1)?.answer : undefined
    const known = this.found.get(kind)
    if (known === undefined)
      this.found.set(kind, {
        times: 1,
        seed: seedOf(input, `${fault} ${said}`, world, answer),
      })
    else known.times += 1
  }
}
