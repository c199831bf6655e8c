import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../domain/caller.ts'
import type { Context } from '../context.ts'
import { readFeedPage, type FeedPage, type FeedQuery } from './read_feed.ts'

/** How soon the end of the feed is read again: doubles from the first to the second. */
const POLL_MS_MIN = 100
const POLL_MS_MAX = 1_000

/**
 * The feed page by page, also when a page is empty, until the signal. Refusals are thrown before the
 * first page; a failure of the database later ends it with that failure, and the reader comes again.
 */
export async function followFeed(
  ctx: Context,
  caller: Caller,
  query: FeedQuery,
  ended: AbortSignal,
): Promise<AsyncIterable<FeedPage>> {
  const first = await readFeedPage(ctx, caller, query)
  return pagesFrom(
    first,
    ended,
    async (after) => await readFeedPage(ctx, caller, { ...query, after }),
  )
}

async function* pagesFrom(
  first: FeedPage,
  ended: AbortSignal,
  read: (after: string) => Promise<FeedPage>,
): AsyncGenerator<FeedPage> {
  let page = first
  let idle_ms = POLL_MS_MIN
  for (;;) {
    yield page
    idle_ms = page.events.length > 0 ? POLL_MS_MIN : Math.min(idle_ms * 2, POLL_MS_MAX)
    if (!page.has_more) await sleep(idle_ms, undefined, { signal: ended }).catch(() => undefined)
    if (ended.aborted) return
    page = await read(page.next)
  }
}
