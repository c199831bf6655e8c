// Groups the writes of many callers: items that arrive while a group is being written form the next
// group. An item that arrives while nothing is being written is written at once, alone.
import { AsyncLocalStorage } from 'node:async_hooks'
import { RequestProblem } from './problem.ts'

export interface GroupLimits {
  /** How many groups are written at the same time. */
  flights: number
  group_max: number
  /** How many items may wait. Further items are refused with `too_many_requests`. */
  waiting_max: number
}

/** The outcome of one item. */
export type Outcome<Result> = { done: true; result: Result } | { done: false; error: unknown }

/** Writes a group and returns the outcome of each item by its id. */
type WriteGroup<Item, Result> = (
  items: readonly Item[],
) => Promise<ReadonlyMap<string, Outcome<Result>>>

interface GroupWriter<Item, Result> {
  hand: (item: Item) => Promise<Result>
  drain: () => Promise<void>
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export function groupWriter<Item extends { id: string }, Result>(
  write: WriteGroup<Item, Result>,
  { flights, group_max, waiting_max }: GroupLimits,
  /**
   * What an item is about: two items about one subject are never in two groups at the same time.
   */
  subjectOf?: (item: Item) => string,
): GroupWriter<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  const flying = new Set<Promise<void>>()
  const flown = new Set<string>()
  // A group serves many requests: it must not run in the async context of the last one.
  const outside = AsyncLocalStorage.snapshot()
  let woken = false
  const launch = (): void => {
    woken = false
    while (flying.size < flights) {
      const { group, left } = board(waiting, group_max, ({ item }) =>
        flown.has(subjectOf?.(item) ?? ''),
      )
      if (group.length === 0) return
      waiting = left
      const subjects = group.flatMap(({ item }) => subjectOf?.(item) ?? [])
      for (const subject of subjects) flown.add(subject)
      const flight = fly(write, group).finally(() => {
        flying.delete(flight)
        for (const subject of subjects) flown.delete(subject)
        launch()
      })
      flying.add(flight)
    }
  }
  return {
    hand: async (item) => {
      if (waiting.length >= waiting_max) throw new RequestProblem('too_many_requests')
      return await new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (woken) return
        woken = true
        // Wait until the items that arrived on other sockets in this turn of the event loop are
        // here.
        outside(() => setImmediate(launch))
      })
    },
    drain: async () => {
      while (waiting.length > 0 || flying.size > 0) {
        if (flying.size === 0) outside(launch)
        await Promise.all(flying)
      }
    },
  }
}

/**
 * The next group, in the order of arrival. An item whose subject is in a running group is skipped:
 * it would wait for a lock and delay its whole group.
 */
function board<One>(waiting: readonly One[], group_max: number, isHeldBack: (one: One) => boolean) {
  const group: One[] = []
  const left: One[] = []
  for (const one of waiting) {
    const queue = group.length === group_max || isHeldBack(one) ? left : group
    queue.push(one)
  }
  return { group, left }
}

async function fly<Item extends { id: string }, Result>(
  write: WriteGroup<Item, Result>,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const outcomes = await write(group.map(({ item }) => item))
    for (const { item, resolve, reject } of group) {
      const outcome = outcomes.get(item.id)
      if (outcome === undefined)
        reject(new Error(`the group writer returned no outcome for ${item.id}`))
      else if (outcome.done) resolve(outcome.result)
      else reject(outcome.error)
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
