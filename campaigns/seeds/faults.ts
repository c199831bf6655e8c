// The faults of a run.
import { seeded, type Random } from '../bench/random.ts'

/** How often each fault is chosen where it could happen. */
export const FAULT_SHARES = {
  'process dies before a statement': 0.002,
  'process dies before a commit': 0.015,
  'process dies after a commit': 0.02,
  'process pauses': 0.004,
  'process pauses after a commit': 0.004,
  'process pauses before a reply of the gateway': 0.01,
  'process pauses while it delivers an event': 0.01,
  'connection lost before a commit': 0.01,
  'reply to a commit lost': 0.02,
  'gateway call lost before the work': 0.06,
  'gateway reply lost after the work': 0.1,
  'gateway answers 500 without the work': 0.03,
  'gateway answers 500 after the work': 0.03,
  'proxy answers 502 after the work': 0.02,
  'gateway does not show a charge yet': 0.3,
  'gateway answers from a slow replica': 0.15,
  'notification lost': 0.12,
  'notification doubled': 0.25,
  'answer to a caller lost': 0.1,
  'clock jumps': 0.006,
  'gateway cannot be reached': 0.01,
  'webhook lost on its way': 0.1,
  'reply to a webhook lost': 0.1,
  'receiver answers 500': 0.1,
}

export type FaultName = keyof typeof FAULT_SHARES
export type FaultShares = Partial<Record<FaultName, number>>

/** A fault is left out of a run, rare or ordinary: with all of them at once few stories get far. */
const FACTORS = [0, 0.3, 1, 1]

/** Each fault of a rush in half of the runs, and none that its scenario does not name. */
function rushSharesOf(seed: number, given: FaultShares): Record<FaultName, number> {
  const random = seeded(seed * 13 + 5)
  const none = Object.keys(FAULT_SHARES).map((fault) => [fault, 0])
  const some = Object.entries(given).map(([fault, share]) => [
    fault,
    random.chance(0.5) ? share : 0,
  ])
  return Object.fromEntries([...none, ...some]) as Record<FaultName, number>
}

/** The shares of one run: those of its scenario, each times a factor that the seed chooses. */
function sharesOf(seed: number, given: FaultShares): Record<FaultName, number> {
  const random = seeded(seed * 13 + 3)
  // Some runs have no fault at all: only the order of the steps differs.
  const calm = random.chance(0.1) ? 0 : 1
  const shares = Object.entries({ ...FAULT_SHARES, ...given }).map(([fault, share]) => [
    fault,
    share * random.pick(FACTORS) * calm,
  ])
  return Object.fromEntries(shares) as Record<FaultName, number>
}

/** Each rush of a seed has faults of its own. */
const SEEDS_APART = 1_000_003

export interface FaultOrder {
  seed: number
  /** Instead of the ordinary ones. */
  shares: FaultShares
  /** The faults of a rush in total, which begin with it; undefined in a long run. */
  rush_faults_max?: number | undefined
}

/** Draws the faults of a run, and counts them. */
export class Faults {
  readonly counts = new Map<FaultName, number>()
  readonly #order: FaultOrder
  readonly #random: Random
  #shares: Record<FaultName, number>
  #left: number
  #rushes = 0

  constructor(order: FaultOrder, random: Random) {
    const { seed, shares, rush_faults_max } = order
    this.#order = order
    this.#random = random
    this.#shares = sharesOf(seed, shares)
    this.#left = rush_faults_max === undefined ? Number.POSITIVE_INFINITY : 0
  }

  rush(): void {
    const { seed, shares, rush_faults_max = 0 } = this.#order
    this.#shares = rushSharesOf(seed + this.#rushes * SEEDS_APART, shares)
    this.#rushes += 1
    this.#left = rush_faults_max
  }

  calm(): void {
    this.#left = 0
  }

  /** Counts it only if it changes something: a commit that wrote nothing may be lost unnoticed. */
  happens(fault: FaultName, has_effect = true): boolean {
    if (this.#left <= 0 || !this.#random.chance(this.#shares[fault])) return false
    this.#left -= 1
    if (has_effect) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
    return true
  }
}
