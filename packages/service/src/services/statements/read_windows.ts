// Reads the gateway's own statements day by day. The days are rows and the rows are the queue: a
// process that dies leaves its place in the row, and the next one goes on there.
import { GatewayError } from '../../domain/errors.ts'
import {
  CLOSED_AFTER_MS,
  nextReadAt,
  spanOf,
  WINDOW_SOURCES,
  type WindowSource,
} from '../../domain/statement.ts'
import { jakartaDay } from '../../domain/time.ts'
import { HISTORY_PAGE_MAX } from '../../gateway/statements.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { insertLines, type NewLine } from '../../store/statements/lines.ts'
import {
  claimDueWindows,
  failWindow,
  finishWindow,
  moveWindow,
  planWindows,
  type StatementWindow,
} from '../../store/statements/windows.ts'
import type { Context, StatementContext } from '../context.ts'
import { sweepPages, type SweepOptions } from '../sweeps/sweep_pages.ts'
import { balanceLine, historyLines } from './gateway_lines.ts'

type WindowsRead = Record<'read' | 'partial' | 'unreachable', number>

const DAY_MS = 86_400_000
const LEASE_MS = 120_000
const RETRY_MS_MIN = 60_000
const RETRY_MS_MAX = 3_600_000
/** A million lines a day; beyond this the answers are no list. */
const PAGES_MAX = 20_000
/**
 * A day of several pages is read until a whole pass brings nothing new: pages can shift while they
 * are read, and a line that slipped between two of them is on the next pass.
 */
const PASSES_MAX = 5

/** Reads every day that is due. Does nothing without credentials and settings for it. */
export async function readStatements(ctx: Context, options: SweepOptions): Promise<WindowsRead> {
  const counts = { read: 0, partial: 0, unreachable: 0 }
  const { statements } = ctx
  const sources = statements === undefined ? [] : sourcesOf(statements)
  if (statements === undefined || sources.length === 0) return counts
  await plan(ctx, sources, statements.days_back)
  return await sweepPages<StatementWindow, keyof WindowsRead>(
    ctx,
    options,
    {
      claim: async (tx, page) => await claimDueWindows(tx, { ...page, sources }),
      lease_ms: LEASE_MS,
      check: async (window) => await readWindow(ctx, statements, window, options),
      name: ({ source, day }) => ({ statement: source, day }),
    },
    counts,
  )
}

const sourcesOf = ({ client, balance }: StatementContext): WindowSource[] =>
  WINDOW_SOURCES.filter((source) => (source === 'balance_api' ? balance : client.reads_history))

/** Only days that are over, and for some time: the gateway may post late. */
async function plan(
  ctx: Context,
  sources: readonly WindowSource[],
  days_back: number,
): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    const last = (await readClock(tx)).getTime() - DAY_MS - CLOSED_AFTER_MS
    const days = {
      first_day: jakartaDay(new Date(last - Math.max(0, days_back - 1) * DAY_MS)),
      last_day: jakartaDay(new Date(last)),
    }
    for (const source of sources) await planWindows(tx, source, days)
  })
}

async function readWindow(
  ctx: Context,
  statements: StatementContext,
  window: StatementWindow,
  options: SweepOptions,
): Promise<keyof WindowsRead> {
  try {
    const read = window.source === 'balance_api' ? readBalance : readHistory
    return await read(ctx, statements, window, options)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const wait_ms = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(window.failures, 10))
    await withTransaction(ctx.db, async (tx) => {
      await failWindow(tx, window, { error: error.code, wait_ms })
    })
    const { source: statement, day } = window
    ctx.log.warn({ statement, day, code: error.code }, 'statement not read, and is retried')
    return 'unreachable'
  }
}

async function readBalance(
  ctx: Context,
  { client }: StatementContext,
  window: StatementWindow,
  { budget }: SweepOptions,
): Promise<'read'> {
  await budget.take()
  const reply = await client.getBalanceMutation(spanOf(window.day))
  const line = balanceLine(window.day, reply, (value) => ctx.gateway.redact(value))
  await withTransaction(ctx.db, async (tx) => {
    await store(tx, window, [line])
    await finishWindow(tx, window, nextReadAt(window.day, await readClock(tx)))
  })
  return 'read'
}

type Tx = Parameters<typeof insertLines>[0]

const store = async (
  tx: Tx,
  { source }: StatementWindow,
  lines: readonly NewLine[],
): Promise<number> => await insertLines(tx, { side: 'gateway', source, import_id: null, lines })

/** Page by page from the stored place; lines and place are stored together. */
async function readHistory(
  ctx: Context,
  { client }: StatementContext,
  window: StatementWindow,
  { budget, aborted }: SweepOptions,
): Promise<'read' | 'partial'> {
  let place: Place | 'done' = window
  while (place !== 'done') {
    if (aborted?.aborted === true) return 'partial'
    const here: Place = place
    const { page } = here
    if (page >= PAGES_MAX) throw new Error('the history has more pages than a day can have')
    await budget.take()
    const rows = await pageOf(client, window.day, page)
    const lines = historyLines(rows, (value) => ctx.gateway.redact(value))
    place = await withTransaction(ctx.db, async (tx): Promise<Place | 'done'> => {
      const changes = await store(tx, window, lines)
      const next = nextPlace(here, { changes, full: rows.length >= HISTORY_PAGE_MAX })
      const now = await readClock(tx)
      if (next === 'done') await finishWindow(tx, window, nextReadAt(window.day, now))
      else if (next === 'restless') await finishWindow(tx, window, later(now))
      else await moveWindow(tx, window, { ...next, lease_ms: LEASE_MS })
      return next === 'restless' ? 'done' : next
    })
  }
  return 'read'
}

const later = (now: Date): Date => new Date(now.getTime() + RETRY_MS_MAX)

/** A window without lines may be answered as not found. */
async function pageOf(
  client: StatementContext['client'],
  day: string,
  page: number,
): Promise<readonly unknown[]> {
  try {
    return (await client.listHistory(spanOf(day), page)).detailData ?? []
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'gateway_not_found') return []
    throw error
  }
}

type Place = Pick<StatementWindow, 'page' | 'pass' | 'pass_changes'>

/** Where a reading goes on after a page. `restless`: every pass brought something new. */
function nextPlace(
  { page, pass, pass_changes }: Place,
  { changes, full }: { changes: number; full: boolean },
): Place | 'done' | 'restless' {
  const so_far = pass_changes + changes
  if (full) return { page: page + 1, pass, pass_changes: so_far }
  // One page is one answer, in which nothing can shift.
  if (so_far === 0 || page === 0) return 'done'
  if (pass + 1 >= PASSES_MAX) return 'restless'
  return { page: 0, pass: pass + 1, pass_changes: 0 }
}
