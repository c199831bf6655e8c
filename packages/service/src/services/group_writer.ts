// Many callers, each with one thing to write and wait for: whatever has gathered while the last
// group was on its way goes into the next one. Nobody waits for company: where nothing is under way
// a thing is written at once, alone.
import { AsyncLocalStorage } from 'node:async_hooks'
import { RequestProblem } from './problem.ts'

export interface GroupLimits {
  /** Groups under way at once. */
  flights: number
  group_max: number
  /** How many may wait. Whoever comes then is told to come again. */
  waiting_max: number
}

/** What became of one item. */
export type Outcome<Result> = { done: true; result: Result } | { done: false; error: unknown }

/** Writes a group and tells of each item, by its id. */
export type WriteGroup<Item, Result> = (
  items: readonly Item[],
) => Promise<ReadonlyMap<string, Outcome<Result>>>

export interface GroupWriter<Item, Result> {
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
  /** What an item is about: two about one thing are never in two groups under way at once. */
  subjectOf?: (item: Item) => string,
): GroupWriter<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  const flying = new Set<Promise<void>>()
  const flown = new Set<string>()
  // A group belongs to no one request: it must not run in the async context of whoever came last.
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
        // After what has arrived on the other sockets in this turn of the loop.
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
 * The next group, in the order of arrival. Whoever is held back is passed over: it would wait for a
 * lock, and its whole group with it.
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
      if (outcome === undefined) reject(new Error(`${item.id} was written without an outcome`))
      else if (outcome.done) resolve(outcome.result)
      else reject(outcome.error)
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
