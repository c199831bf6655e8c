/** One page of the feed. Store `next` in the transaction that handles the events. */
export interface FeedPage<Item> {
  events: Item[]
  /** The `after` of the next page, also if this one is empty. */
  next: string
  /** Whether the next page can be read at once; if not, wait before you ask for it. */
  hasMore: boolean
  /** Since when events are stored. */
  retainedSince: string
}

/** The feed, not requested yet. As an iterable it ends where nothing more is stored at present. */
export interface Feed<Item> extends AsyncIterable<Item & { id: string }> {
  /** One page only: the first, or the one behind a cursor. */
  page: (after?: string) => Promise<FeedPage<Item & { id: string }>>
}

/** An event as the service sends it; `data.id` names it. */
export interface Identified {
  data: { id: string }
}

interface SentPage<Item> {
  results: Item[]
  next: string
  has_more: boolean
  retained_since: string
}

export function feedOf<Item extends Identified>(
  ask: (after: string | undefined) => Promise<SentPage<Item>>,
): Feed<Item> {
  const page: Feed<Item>['page'] = async (after) => {
    const { results, next, has_more, retained_since } = await ask(after)
    // Where `verifyEvent` has it too.
    const events = results.map((event) => ({ ...event, id: event.data.id }))
    return { events, next, hasMore: has_more, retainedSince: retained_since }
  }
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let after: string | undefined
      for (;;) {
        const { events, next, hasMore } = await page(after)
        yield* events
        if (!hasMore) return
        // A cursor that leads to itself would loop without end.
        if (next === after) throw new Error('the service gave the same cursor twice')
        after = next
      }
    },
  }
}
