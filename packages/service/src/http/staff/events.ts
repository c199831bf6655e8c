// Events that a subscriber failed at; later events of the same object wait behind them.
import { OPERATOR_EVENTS } from '../../domain/operator_event.ts'
import { OBJECT_KINDS, SIGNALS } from '../../domain/signals.ts'
import { listDeadEvents, retryDeadEvent, skipDeadEvent } from '../../services/staff/dead_events.ts'
import { retireEventSubscriber } from '../../services/staff/retire_subscriber.ts'
import {
  DEAD_EVENT_QUERY,
  parseDeadEventQuery,
  RELEASE_INPUT,
  RETIREMENT_INPUT,
} from '../../services/staff/staff_query.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { inProcess, route } from '../platform/route.ts'
import {
  count,
  named,
  oneOf,
  pageOf,
  text,
  time,
  timeOrNull,
  titled,
  uuid,
} from '../platform/schema.ts'

const dead = {
  subscriber: text('The subscriber that failed.'),
  object_kind: oneOf([...OBJECT_KINDS, 'operator'], 'What kind of object the event is about.'),
  object_id: uuid('The object the event is about; its later events wait.'),
  owner_id: text('The owner of the object.'),
  event_id: uuid('The id of the event.'),
  sequence: count('The number of the event among the events of its object, from 1.'),
  attempts: count('How often the event was delivered in vain.'),
  error: text('What the subscriber failed with the last time.'),
  retry_at: timeOrNull('When it is delivered again; null: it waits for a staff member.'),
}

export const RELEASED = named('ReleasedEvent', { ...dead, died_at: time('When it last failed.') })

export const DEAD_EVENT_PAGE = pageOf(
  'DeadEventPage',
  named('DeadEvent', {
    ...dead,
    id: uuid('The id of the entry: one subscriber and one object.'),
    type: oneOf([...SIGNALS, ...OPERATOR_EVENTS], 'The type of the event.'),
    created_at: time('When it last failed.'),
  }),
)

const releasing = {
  method: 'POST',
  access: 'staff',
  scope: 'staff:act',
  input: titled('ReleaseInput', RELEASE_INPUT),
  repeat: 'an event is released once; a repeat is `not_found`.',
  reply: RELEASED,
} as const

export const events = {
  listDeadEvents: listRoute(
    {
      path: '/staff/events/',
      operation: 'list_staff_events',
      summary: 'List dead events, which a subscriber failed to handle',
      access: 'staff',
      scope: 'staff:read',
      query: DEAD_EVENT_QUERY,
      reply: DEAD_EVENT_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseDeadEventQuery, find: listDeadEvents },
  ),

  retryEvent: route({
    ...releasing,
    path: '/staff/events/retry/',
    operation: 'retry_staff_event',
    summary: 'Deliver a dead event again',
    run: async (ctx, { request, input }) => await retryDeadEvent(ctx, request.caller, input),
  }),

  skipEvent: route({
    ...releasing,
    path: '/staff/events/skip/',
    operation: 'skip_staff_event',
    summary: 'Skip a dead event permanently',
    run: async (ctx, { request, input }) => await skipDeadEvent(ctx, request.caller, input),
  }),

  /** In-process and on the command line: code is removed by those who deploy it. */
  retireSubscriber: inProcess({
    method: 'POST',
    path: '/staff/subscribers/retire/',
    access: 'staff',
    scope: 'staff:act',
    input: RETIREMENT_INPUT,
    repeat: 'a subscriber is retired once; a repeat is `invalid_request`.',
    run: async (ctx, { request, input }) => await retireEventSubscriber(ctx, request.caller, input),
  }),
}
