// What staff look after beside payments: the inbox, operations, alarms, events, keys, and how it all
// is.
import { closeAlarm } from '../services/alarms/close_alarm.ts'
import { noteAlarm } from '../services/alarms/note_alarm.ts'
import { takeAlarm } from '../services/alarms/take_alarm.ts'
import { retryDeadEvent, skipDeadEvent } from '../services/events/release_dead_event.ts'
import { readNotification } from '../services/staff/read_notification.ts'
import { replayNotification } from '../services/staff/replay_notification.ts'
import { resolveOperation } from '../services/staff/resolve_operation.ts'
import { replied } from '../services/requests.ts'
import { readHealth, readPulse } from '../services/staff/read_health.ts'
import { readOverview } from '../services/staff/read_overview.ts'
import { withLinks } from './pages.ts'
import { found, refuseInput, type Asked, type CallerRoute } from './route.ts'
import * as pages from './staff_pages.ts'

const read = { method: 'GET', access: 'caller', scope: 'staff:read', staff: true } as const
const act = { method: 'POST', access: 'caller', scope: 'staff:act', staff: true } as const

type Page = typeof pages.keyPage | typeof pages.alarmPage

export const listed = (path: CallerRoute['path'], list: ListPage): CallerRoute => ({
  ...read,
  path,
  run: async (ctx, { request, query, path: here }) =>
    replied(200, withLinks(await list(ctx, request.caller, query), here, query)),
})

type ListPage = (
  ...parameters: Parameters<Page>
) => Promise<{ next: string | null; previous: string | null; results: object[] }>

export const listStaffNotificationsRoute = listed('/staff/notifications/', pages.notificationPage)
export const listStaffOperationsRoute = listed('/staff/operations/', pages.operationPage)
export const listStaffAlarmsRoute = listed('/staff/alarms/', pages.alarmPage)
export const listStaffEventsRoute = listed('/staff/events/', pages.deadEventPage)
export const listStaffKeysRoute = listed('/staff/keys/', pages.keyPage)

export const getStaffNotificationRoute: CallerRoute = {
  ...read,
  path: '/staff/notifications/{pk}/',
  run: async (ctx, { request, id }) => found(await readNotification(ctx, request.caller, id)),
}

export const replayStaffNotificationRoute: CallerRoute = {
  ...act,
  path: '/staff/notifications/{pk}/replay/',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return found(await replayNotification(ctx, request.caller, id))
  },
}

export const resolveStaffOperationRoute: CallerRoute = {
  ...act,
  path: '/staff/operations/{pk}/resolve/',
  run: async (ctx, { request, id, input }) =>
    found(await resolveOperation(ctx, request.caller, id, input)),
}

export const takeStaffAlarmRoute: CallerRoute = {
  ...act,
  path: '/staff/alarms/{pk}/take/',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return found(alarmOf(await takeAlarm(ctx, request.caller, id)))
  },
}

export const closeStaffAlarmRoute: CallerRoute = {
  ...act,
  path: '/staff/alarms/{pk}/close/',
  run: async (ctx, { request, id, input }) =>
    found(alarmOf(await closeAlarm(ctx, request.caller, id, input))),
}

export const noteStaffAlarmRoute: CallerRoute = {
  ...act,
  path: '/staff/alarms/{pk}/note/',
  run: async (ctx, { request, id, input }) =>
    found(alarmOf(await noteAlarm(ctx, request.caller, id, input))),
}

/** Under the name the list gives it. */
function alarmOf(alarm: Awaited<ReturnType<typeof closeAlarm>>): object | undefined {
  if (alarm === undefined) return undefined
  const { opened_at: created_at, ...rest } = alarm
  return { ...rest, created_at }
}

const releasing =
  (release: typeof retryDeadEvent): CallerRoute['run'] =>
  async (ctx, { request, input }: Asked) =>
    found(await release(ctx, request.caller, input))

export const retryStaffEventRoute: CallerRoute = {
  ...act,
  path: '/staff/events/retry/',
  run: releasing(retryDeadEvent),
}

export const skipStaffEventRoute: CallerRoute = {
  ...act,
  path: '/staff/events/skip/',
  run: releasing(skipDeadEvent),
}

export const getStaffHealthRoute: CallerRoute = {
  ...read,
  path: '/staff/health/',
  run: async (ctx, { request }) => replied(200, await readHealth(ctx, request.caller)),
}

export const getStaffPulseRoute: CallerRoute = {
  ...read,
  path: '/staff/pulse/',
  run: async (ctx, { request }) => replied(200, await readPulse(ctx, request.caller)),
}

export const getStaffOverviewRoute: CallerRoute = {
  ...read,
  path: '/staff/overview/',
  run: async (ctx, { request, query }) =>
    replied(200, await readOverview(ctx, request.caller, query)),
}

export const STAFF_DESK_ROUTES: readonly CallerRoute[] = [
  getStaffOverviewRoute,
  listStaffNotificationsRoute,
  getStaffNotificationRoute,
  replayStaffNotificationRoute,
  listStaffOperationsRoute,
  resolveStaffOperationRoute,
  listStaffAlarmsRoute,
  takeStaffAlarmRoute,
  noteStaffAlarmRoute,
  closeStaffAlarmRoute,
  listStaffEventsRoute,
  retryStaffEventRoute,
  skipStaffEventRoute,
  listStaffKeysRoute,
  getStaffHealthRoute,
  getStaffPulseRoute,
]
