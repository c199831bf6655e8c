import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { readEventHorizon } from '../../store/events/outbox.ts'
import { fillNextEntries } from '../../store/search/entries.ts'
import type { Context } from '../context.ts'

const PAGE_MAX = 500
/** Pages in one round; the next round follows in a second. */
const PAGES_MAX = 40

/** Fills the table that staff search by with what changed since: how many events were read. */
export async function fillSearch(ctx: Pick<Context, 'db'>): Promise<number> {
  let filled = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    // Before the transaction: its own number would be among the running ones.
    const horizon = await withReadTransaction(ctx.db, readEventHorizon)
    const done = await withTransaction(ctx.db, async (tx) => {
      return await fillNextEntries(tx, PAGE_MAX, horizon)
    })
    filled += done
    if (done < PAGE_MAX) break
  }
  return filled
}
