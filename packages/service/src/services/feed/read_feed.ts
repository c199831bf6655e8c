// The feed: the outbox as another system reads it, by a cursor that it keeps itself.
import { Type } from 'typebox'
import { seesAll, type Caller } from '../../domain/caller.ts'
import { publishedEvent } from '../../domain/published_event.ts'
import { OPERATOR_EVENTS } from '../../domain/operator_event.ts'
import { SIGNALS } from '../../domain/signals.ts'
import { withLackingParts, type OutboxEvent } from '../../events/snapshot.ts'
import { envelopeOf } from '../../events/subscribers.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import {
  FEED_SCAN_MAX,
  findScanEdge,
  readFeedEvents,
  readFeedState,
  type FeedFilter,
  type FeedState,
} from '../../store/events/feed.ts'
import {
  EVENTS_PAGE_MAX,
  hasEventsBehind,
  readEventHorizon,
  type EventPlace,
  type EventType,
} from '../../store/events/outbox.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { decodeFeedCursor, encodeFeedCursor, type FeedCursor } from './feed_cursor.ts'

const LIMIT_DEFAULT = 100
const TYPES_LENGTH_MAX = 1_000

export const EVENT_QUERY = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Where to continue: the `next` of the last page, or `now`; without it, from the oldest event that is stored.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TYPES_LENGTH_MAX,
        description: 'Only events of these types, with commas between them.',
      }),
    ),
    owner_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Only events of this owner; staff see those of every owner without it.',
      }),
    ),
    limit: Type.Optional(
      Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,3}$' })], {
        description: `The most events of one page: 1 to ${EVENTS_PAGE_MAX}, ${LIMIT_DEFAULT} by default.`,
      }),
    ),
  },
  { additionalProperties: false },
)

export interface FeedQuery {
  /** `now`, or a cursor; null for the oldest stored event. */
  after: string | null
  filter: FeedFilter
  limit: number
}

const parseQuery = requestParser(EVENT_QUERY)
const TYPES: readonly EventType[] = [...SIGNALS, ...OPERATOR_EVENTS]
/** Operator events are for staff, and only where they are named. */
const isTypeFor = (caller: Caller, text: string): text is EventType =>
  (seesAll(caller) ? TYPES : SIGNALS).some((type) => type === text)

/** What a caller asks for, or `invalid_request` with every fault. */
export function parseFeedQuery(caller: Caller, given: unknown): FeedQuery {
  const { after, types, owner_id, limit: asked } = parseQuery(given)
  const limit = Number(asked ?? LIMIT_DEFAULT)
  const names = types === undefined ? SIGNALS : types.split(',').map((name) => name.trim())
  const own = owner_id === undefined || owner_id === caller.owner_id
  refuseFaults([
    ...(limit >= 1 && limit <= EVENTS_PAGE_MAX
      ? []
      : [{ field: 'limit', message: `1 to ${EVENTS_PAGE_MAX}` }]),
    ...(names.every((name) => isTypeFor(caller, name))
      ? []
      : [{ field: 'types', message: `must be of ${SIGNALS.join(', ')}` }]),
    ...(own || seesAll(caller)
      ? []
      : [{ field: 'owner_id', message: 'must be your own, or left out' }]),
  ])
  const all = seesAll(caller) && owner_id === undefined
  const owner = all ? null : (owner_id ?? caller.owner_id)
  return {
    after: after ?? null,
    filter: { owner_id: owner, types: names.filter((name) => isTypeFor(caller, name)) },
    limit,
  }
}

export type FeedEvent = ReturnType<typeof publishedEvent<ReturnType<typeof envelopeOf>>>

export interface FeedPage {
  /** Each event with the cursor of the place behind it. */
  events: { cursor: string; event: FeedEvent }[]
  next: string
  has_more: boolean
  retained_since: Date
}

/**
 * The next page of the feed. An event that commits late is never behind a cursor, because only what
 * is below the oldest running transaction is read.
 */
export async function readFeedPage(
  ctx: Context,
  caller: Caller,
  query: FeedQuery,
): Promise<FeedPage> {
  const plain = query.after === 'now' ? undefined : await readBelow(ctx, query)
  // Nothing but events behind a transaction that still runs. Most often it is unrelated.
  const page =
    plain === undefined || plain.held_back
      ? await readBelow(ctx, query, await withReadTransaction(ctx.db, readEventHorizon))
      : plain
  const shown = page.events.map(({ id, owner_id }) => ({ id, owner_id }))
  await recordListRead(ctx, caller, 'event.list', shown)
  const { cluster, retained_since } = page.state
  const events = page.events.map((event) => ({
    cursor: encodeFeedCursor({ ...event, cluster, read_until: event.occurred_at, retained_since }),
    event: publishedEvent(envelopeOf(event)),
  }))
  return { events, next: encodeFeedCursor(page.next), has_more: page.has_more, retained_since }
}

interface RawPage {
  events: OutboxEvent[]
  next: FeedCursor
  has_more: boolean
  /** Whether events were committed that cannot be read yet. */
  held_back: boolean
  state: FeedState
}

const BEGINNING: EventPlace = {
  xid: '0',
  object_id: '00000000-0000-0000-0000-000000000000',
  sequence: 0,
}

/** One transaction, so that all its statements see the same events. */
const readBelow = async (
  ctx: Context,
  { after: given, filter, limit }: FeedQuery,
  horizon?: string,
): Promise<RawPage> =>
  await withReadTransaction(ctx.db, async (tx) => {
    const state = await readFeedState(tx)
    const { cluster, retained_since, now } = state
    const cursorAt = (place: EventPlace, read_until: Date): FeedCursor => {
      const { xid, object_id, sequence } = place
      return { xid, object_id, sequence, cluster, read_until, retained_since }
    }
    if (given === 'now' && horizon !== undefined) {
      const next = cursorAt({ ...BEGINNING, xid: horizon }, now)
      return { events: [], next, has_more: false, held_back: false, state }
    }
    const after = given === null ? cursorAt(BEGINNING, retained_since) : valid(given, state)
    const below = { after, ...(horizon !== undefined && { horizon }) }
    const stored = await readFeedEvents(tx, filter, { ...below, limit })
    const events = await withLackingParts(tx, stored)
    const last = events.at(-1)
    if (last !== undefined && events.length === limit) {
      const next = cursorAt(last, last.occurred_at)
      return { events, next, has_more: true, held_back: false, state }
    }
    const edge = await findScanEdge(tx, below)
    if (edge !== undefined) {
      const has_more = edge.scanned === FEED_SCAN_MAX
      const next = cursorAt(edge, has_more ? edge.occurred_at : now)
      return { events, next, has_more, held_back: false, state }
    }
    const held_back = await hasEventsBehind(tx, after)
    const next = cursorAt(after, held_back ? after.read_until : now)
    return { events, next, has_more: false, held_back, state }
  })

/** The cursor; `cursor_expired` if its reader might miss events. */
function valid(given: string, { cluster, retained_since, newest }: FeedState): FeedCursor {
  const cursor = decodeFeedCursor(given)
  // Numbers of another cluster, or of a future that a restore has undone, say nothing here.
  const foreign = cursor.cluster !== cluster || BigInt(cursor.xid) > BigInt(newest)
  const dropped = cursor.retained_since < retained_since && isBefore(cursor, retained_since)
  if (foreign || dropped) throw new RequestProblem('cursor_expired')
  return cursor
}

/** An event has the time at which its transaction began, which may be earlier than its place. */
const TRANSACTION_MS_MAX = 3_600_000

const isBefore = ({ read_until }: FeedCursor, retained_since: Date): boolean =>
  read_until.getTime() - TRANSACTION_MS_MAX < retained_since.getTime()
