// Which of the possible steps comes next. In half of the runs some sessions, calls and timers are
// slow for a while: with equal chances no process would ever be far behind another.
import { seeded, type Random } from '../bench/random.ts'

const DRAWN_ANEW_EVERY = 120
const SLOW_SHARE = 0.3
const SLOW_WEIGHT = 0.02
/** In a rush the first is at once behind all others at so many steps, among the first so many. */
const CHANGES_MAX = 3
const CHANGED_WITHIN = 150

/** One of the things that could happen next, and whose it is. */
export interface Action {
  of: string
  run: () => Promise<void> | void
}

export class Pace {
  readonly #random: Random
  #uneven: boolean
  readonly #weights = new Map<string, number>()
  #picks = 0
  /** By priority instead of chance: a session goes on until it waits (PCT). */
  #priorities: Map<string, number> | undefined
  readonly #changes = new Set<number>()

  constructor(seed: number) {
    this.#random = seeded(seed * 17 + 11)
    this.#uneven = this.#random.chance(0.5)
  }

  /** From now on few steps matter: equal chances in half of the runs, priorities in the others. */
  rush(): void {
    this.#uneven = false
    this.#picks = 0
    this.#changes.clear()
    if (this.#random.chance(0.5)) return
    this.#priorities = new Map()
    const changes = Math.floor(this.#random.between(0, CHANGES_MAX + 1))
    for (let change = 0; change < changes; change++)
      this.#changes.add(Math.floor(this.#random.between(1, CHANGED_WITHIN)))
  }

  /** From now on all have equal chances, so that the end is reached. */
  even(): void {
    this.#uneven = false
    this.#priorities = undefined
  }

  pick(actions: readonly Action[]): Action {
    if (this.#priorities) return this.#first(actions, this.#priorities)
    if (!this.#uneven) return this.#random.pick(actions)
    this.#picks += 1
    if (this.#picks % DRAWN_ANEW_EVERY === 0) this.#weights.clear()
    const weights = actions.map(({ of }) => this.#weightOf(of))
    let left = this.#random.between(
      0,
      weights.reduce((sum, weight) => sum + weight, 0),
    )
    const at = weights.findIndex((weight) => (left -= weight) < 0)
    return actions[at] ?? this.#random.pick(actions)
  }

  #first(actions: readonly Action[], priorities: Map<string, number>): Action {
    const priorityOf = ({ of }: Action): number => {
      const priority = priorities.get(of) ?? this.#random.fraction()
      priorities.set(of, priority)
      return priority
    }
    this.#picks += 1
    const [first, ...others] = actions.toSorted((one, two) => priorityOf(two) - priorityOf(one))
    if (first === undefined) return this.#random.pick(actions)
    if (!this.#changes.has(this.#picks)) return first
    priorities.set(first.of, -this.#picks)
    return others[0] ?? first
  }

  #weightOf(of: string): number {
    const known = this.#weights.get(of)
    if (known !== undefined) return known
    const weight = this.#random.chance(SLOW_SHARE) ? SLOW_WEIGHT : 1
    this.#weights.set(of, weight)
    return weight
  }
}
