// A failing run made smaller, and its trace as a story.
import type { SeedResult } from './run.ts'
import type { SeedOrder } from './scenarios.ts'

const RUNS_MAX = 24

/** Whatever can be left out without losing the failure: stories, processes, the last faults. */
export async function shrink(
  failing: { order: SeedOrder; result: SeedResult },
  run: (order: SeedOrder) => Promise<SeedResult>,
): Promise<{ order: SeedOrder; result: SeedResult }> {
  let smallest = failing
  for (let runs = 0, at = 0; runs < RUNS_MAX; runs++) {
    const order = smallerThan(smallest)[at]
    if (order === undefined) break
    const result = await run(order)
    if (result.broken.length === 0) at += 1
    else {
      smallest = { order, result }
      at = 0
    }
  }
  return smallest
}

function smallerThan({ order, result }: { order: SeedOrder; result: SeedResult }): SeedOrder[] {
  const { stories, workers, apis } = order
  const until = Math.min(order.faults_until, result.steps)
  return [
    ...(stories > 1
      ? [
          { ...order, stories: 1 },
          { ...order, stories: stories - 1 },
        ]
      : []),
    ...(apis > 1 ? [{ ...order, apis: apis - 1 }] : []),
    ...(workers > 1 ? [{ ...order, workers: workers - 1 }] : []),
    ...[0.25, 0.5, 0.75, 0.9].map((share) => ({
      ...order,
      faults_until: Math.floor(until * share),
    })),
  ]
}

const ASIDE = /← \d+ rows|connects$|a timer fires| begin isolation| select | rollback$/

/** What happened, without reads, replies and timers. */
export const storyOf = (trace: readonly string[]): string[] =>
  trace.filter((line) => !ASIDE.test(line))
