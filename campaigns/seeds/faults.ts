// The faults of a run.
import { seeded } from '../bench/random.ts'

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
}

export type FaultName = keyof typeof FAULT_SHARES
export type FaultShares = Partial<Record<FaultName, number>>

/** A fault is left out of a run, rare or ordinary: with all of them at once few stories get far. */
const FACTORS = [0, 0.3, 1, 1]

/** Each fault of a rush in half of the runs, and none that its scenario does not name. */
export function rushSharesOf(seed: number, given: FaultShares): Record<FaultName, number> {
  const random = seeded(seed * 13 + 5)
  const none = Object.keys(FAULT_SHARES).map((fault) => [fault, 0])
  const some = Object.entries(given).map(([fault, share]) => [
    fault,
    random.chance(0.5) ? share : 0,
  ])
  return Object.fromEntries([...none, ...some]) as Record<FaultName, number>
}

/** The shares of one run: those of its scenario, each times a factor that the seed chooses. */
export function sharesOf(seed: number, given: FaultShares): Record<FaultName, number> {
  const random = seeded(seed * 13 + 3)
  // Some runs have no fault at all: only the order of the steps differs.
  const calm = random.chance(0.1) ? 0 : 1
  const shares = Object.entries({ ...FAULT_SHARES, ...given }).map(([fault, share]) => [
    fault,
    share * random.pick(FACTORS) * calm,
  ])
  return Object.fromEntries(shares) as Record<FaultName, number>
}
