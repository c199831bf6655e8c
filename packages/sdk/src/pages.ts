/** One page. The cursors go into `page()` or into the `cursor` of a later list. */
export interface Page<Item> {
  results: Item[]
  nextCursor: string | undefined
  previousCursor: string | undefined
}

/** A list that is not requested yet. */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** One page only: the first, or the one a cursor names. */
  page: (cursor?: string) => Promise<Page<Item>>
}

/** As the service sends it: links to the neighbours, filters and all. */
export interface LinkedPage<Item> {
  results: Item[]
  next: string | null
  previous: string | null
}

/** Pages that follow themselves; the next one is asked for when the last item was taken. */
export function pagesOf<Item>(
  ask: (cursor: string | undefined) => Promise<LinkedPage<Item>>,
): Pages<Item> {
  const page = async (cursor?: string): Promise<Page<Item>> => {
    const { results, next, previous } = await ask(cursor)
    return { results, nextCursor: cursorOf(next), previousCursor: cursorOf(previous) }
  }
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined
      do {
        const { results, nextCursor } = await page(cursor)
        yield* results
        // A cursor that leads to itself would loop without end.
        if (nextCursor !== undefined && nextCursor === cursor) {
          throw new Error('the service gave the same cursor twice')
        }
        cursor = nextCursor
      } while (cursor !== undefined)
    },
  }
}

/** Only the cursor is taken: behind a proxy the link's path may be another than ours. */
function cursorOf(link: string | null): string | undefined {
  const query = link?.split('?')[1]
  return new URLSearchParams(query).get('cursor') ?? undefined
}
