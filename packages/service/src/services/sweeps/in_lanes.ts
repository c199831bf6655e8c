import type { Logger } from '../context.ts'

interface Lanes<Item> {
  lanes: number
  aborted?: AbortSignal | undefined
  log: Logger
  /** What the log calls one that broke. */
  name: (item: Item) => object
}

/** Works on several side by side; one that breaks is logged and keeps no other waiting. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { lanes, aborted, log, name }: Lanes<Item>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.values()
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      if (aborted?.aborted === true) return
      try {
        results.push(await work(item))
      } catch (error) {
        log.error(
          { ...name(item), error: error instanceof Error ? error.name : 'unknown' },
          'check',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
