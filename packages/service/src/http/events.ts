// The event feed, as pages and as server-sent events (event-feed.md).
import { Type } from 'typebox'
import { OPERATOR_EVENTS } from '../domain/operator_event.ts'
import { SIGNALS, SOURCES } from '../domain/signals.ts'
import { followFeed } from '../services/feed/follow_feed.ts'
import {
  EVENT_QUERY,
  parseFeedQuery,
  readFeedPage,
  type FeedPage,
} from '../services/feed/read_feed.ts'
import { refuseValue } from './platform/json_body.ts'
import { route } from './platform/route.ts'
import {
  anyObject,
  count,
  listOf,
  named,
  oneOf,
  part,
  text,
  textOrNull,
  time,
  uuid,
  yesOrNo,
} from './platform/schema.ts'

const EVENT = named('PublishedEvent', {
  type: oneOf(
    [...SIGNALS, ...OPERATOR_EVENTS],
    'What happened; later releases may add to the list.',
  ),
  timestamp: time('When it happened.'),
  data: part(
    named('PublishedEventData', {
      id: uuid('The id of the event, the same wherever it is published: deduplicate by it.'),
      sequence: count(
        'The number of the event among the events of its object, from 1 without gaps.',
      ),
      object: anyObject(
        'The payment, invoice or subscription as it stood at that moment, in the form that its own route replies with.',
      ),
      previous_status: textOrNull('The status of the object before.'),
      source: oneOf(SOURCES, 'Where the change came from.'),
      notification_id: Type.Optional(uuid('The notification that caused it, if one did.')),
      refund: Type.Optional(anyObject('Of `payment_refunded`: the refund that was made.')),
    }),
    'The event itself.',
  ),
})

export const EVENT_PAGE = named('EventPage', {
  results: listOf(EVENT, 'The events, in order for each object.'),
  next: text('The cursor for `after` of the next request, also when this page is empty.'),
  has_more: yesOrNo('Whether the next page can be read at once; if not, wait before you ask.'),
  retained_since: time('Since when events are stored; older ones were dropped by retention.'),
})

const HEARTBEAT_MS = 15_000
const RECONNECT_MS = 2_000

/** As the browser's EventSource reads it. The id without data moves the reader's position only. */
async function* serverSentEvents(pages: AsyncIterable<FeedPage>): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n\n`
  let written_at = performance.now()
  for await (const { events, next } of pages) {
    const idle = performance.now() - written_at >= HEARTBEAT_MS
    if (events.length === 0 && !idle) continue
    const lines = events.map(
      ({ cursor, event }) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    yield `${lines.join('')}id: ${next}\n: heartbeat\n\n`
    written_at = performance.now()
  }
}

export const feed = {
  listEvents: route({
    method: 'GET',
    path: '/events/',
    operation: 'list_events',
    summary: 'Read the event feed from a cursor on, or follow it with `Accept: text/event-stream`',
    scope: null,
    query: EVENT_QUERY,
    reply: EVENT_PAGE,
    errors: ['invalid_request'],
    problems: ['cursor_expired'],
    run: async (ctx, { request: { caller }, query }) => {
      refuseValue(query)
      const page = await readFeedPage(ctx, caller, parseFeedQuery(caller, query))
      const { events, ...rest } = page
      return { results: events.map(({ event }) => event), ...rest }
    },
    live: async (ctx, { request: { caller }, query, last_event_id, ended }) => {
      refuseValue(query)
      const after = last_event_id === undefined ? {} : { after: last_event_id }
      const asked = parseFeedQuery(caller, { ...query, ...after })
      return serverSentEvents(await followFeed(ctx, caller, asked, ended))
    },
  }),
}
