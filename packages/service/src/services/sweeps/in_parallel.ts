import type { Logger } from '../context.ts'

interface Parallel<Item> {
  /** How many items are worked on at the same time. */
  at_once: number
  aborted?: AbortSignal | undefined
  log: Logger
  /** The log fields that identify an item whose work failed. */
  name: (item: Item) => object
}

/** Works on several items at the same time. A failure is logged and does not stop the others. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { at_once, aborted, log, name }: Parallel<Item>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (aborted?.aborted === true) return
      try {
        results.push(await work(item))
      } catch (error) {
        log.error(
          { ...name(item), error: error instanceof Error ? error.name : 'unknown' },
          'check failed',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return results
}
