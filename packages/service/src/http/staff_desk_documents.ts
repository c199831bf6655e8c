import { OVERVIEW_QUERY } from '../services/staff/read_overview.ts'
import * as queries from '../services/staff/staff_query.ts'
import type { Route } from './route.ts'
import { AT_GATEWAY, titled, type RouteDocument } from './route_document.ts'
import * as routes from './staff_desk_routes.ts'
import * as shapes from './staff_desk_schemas.ts'
import { ALARM } from './staff_payment_schemas.ts'

const read = { status: 200, errors: [] } as const
const list = { status: 200, errors: ['invalid_request'] } as const
const reason = {
  status: 200,
  errors: [],
  body: titled('ReasonInput', queries.REASON_INPUT),
} as const
const release = {
  status: 200,
  errors: [],
  body: titled('ReleaseInput', queries.RELEASE_INPUT),
  repeat: 'an event is released once; a repeat is `not_found`.',
  reply: shapes.RELEASED,
} as const

export const STAFF_DESK_DOCUMENTS: readonly (readonly [Route, RouteDocument])[] = [
  [
    routes.getStaffOverviewRoute,
    {
      ...list,
      operation: 'get_staff_overview',
      summary: 'Read what came in, what went back and how payers fared, over days in Jakarta',
      query: OVERVIEW_QUERY,
      reply: shapes.OVERVIEW,
    },
  ],
  [
    routes.listStaffNotificationsRoute,
    {
      ...list,
      operation: 'list_staff_notifications',
      summary: 'List the inbox, newest first',
      query: queries.NOTIFICATION_QUERY,
      reply: shapes.NOTIFICATION_PAGE,
    },
  ],
  [
    routes.getStaffNotificationRoute,
    {
      ...read,
      operation: 'get_staff_notification',
      summary: 'Read a notification with its payload',
      reply: shapes.NOTIFICATION_DETAIL,
    },
  ],
  [
    routes.replayStaffNotificationRoute,
    {
      ...read,
      operation: 'replay_staff_notification',
      repeat: 'a repeat finds its effect there already.',
      summary: 'Weigh a kept notification once more, as if it came this moment',
      reply: shapes.REPLAYED,
    },
  ],
  [
    routes.listStaffOperationsRoute,
    {
      ...list,
      operation: 'list_staff_operations',
      summary: 'List operations without a known outcome, or all about one object',
      query: queries.OPERATION_QUERY,
      reply: shapes.OPERATION_PAGE,
    },
  ],
  [
    routes.resolveStaffOperationRoute,
    {
      operation: 'resolve_staff_operation',
      repeat: 'an operation ends once; a repeat is refused and says how it ended.',
      summary: "End an operation by hand; the gateway's word goes before",
      body: titled('HandInput', queries.HAND_INPUT),
      status: 200,
      reply: shapes.RESOLVED,
      errors: AT_GATEWAY,
    },
  ],
  [
    routes.listStaffAlarmsRoute,
    {
      ...list,
      operation: 'list_staff_alarms',
      summary: 'List open alarms, or the closed ones with them',
      query: queries.ALARM_QUERY,
      reply: shapes.ALARM_PAGE,
    },
  ],
  [
    routes.takeStaffAlarmRoute,
    {
      ...read,
      operation: 'take_staff_alarm',
      repeat: 'a repeat by the same person changes nothing but the time.',
      summary: 'Say that one looks after an open alarm',
      reply: ALARM,
    },
  ],
  [
    routes.noteStaffAlarmRoute,
    {
      ...reason,
      operation: 'note_staff_alarm',
      repeat: 'the same text by the same person twice in a row is one note.',
      summary: 'Write down what was found about an open alarm',
      reply: ALARM,
    },
  ],
  [
    routes.closeStaffAlarmRoute,
    {
      ...reason,
      operation: 'close_staff_alarm',
      repeat: 'an alarm is closed once; a repeat is `not_found`.',
      summary: 'Close an alarm, with what was found',
      reply: ALARM,
    },
  ],
  [
    routes.listStaffEventsRoute,
    {
      ...list,
      operation: 'list_staff_events',
      summary: 'List events that subscribers failed at',
      query: queries.DEAD_EVENT_QUERY,
      reply: shapes.DEAD_EVENT_PAGE,
    },
  ],
  [
    routes.retryStaffEventRoute,
    { ...release, operation: 'retry_staff_event', summary: 'Have a dead event told again' },
  ],
  [
    routes.skipStaffEventRoute,
    { ...release, operation: 'skip_staff_event', summary: 'Pass a dead event over for good' },
  ],
  [
    routes.listStaffKeysRoute,
    {
      ...list,
      operation: 'list_staff_keys',
      summary: "List every owner's API keys; the keys themselves are not kept",
      query: queries.KEY_QUERY,
      reply: shapes.KEY_PAGE,
    },
  ],
  [
    routes.getStaffHealthRoute,
    {
      ...read,
      operation: 'get_staff_health',
      summary: 'Read what waits, since when, and who works on it',
      reply: shapes.HEALTH,
    },
  ],
  [
    routes.getStaffPulseRoute,
    {
      ...read,
      operation: 'get_staff_pulse',
      summary: 'Read when something last happened, to know whether to ask for more',
      reply: shapes.PULSE,
    },
  ],
]
