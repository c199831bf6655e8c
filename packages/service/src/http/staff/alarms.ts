// What a staff member must look at, and what was found about it.
import { ALARM_KINDS, ALARM_SUBJECT_KINDS } from '../../domain/alarm.ts'
import { closeAlarm, listAlarms, noteAlarm, takeAlarm } from '../../services/staff/alarms.ts'
import { ALARM_QUERY, parseAlarmQuery, REASON_INPUT } from '../../services/staff/staff_query.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { route } from '../platform/route.ts'
import {
  named,
  oneOf,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
} from '../platform/schema.ts'

export const ALARM = named('Alarm', {
  id: uuid('The id of the alarm.'),
  kind: oneOf(ALARM_KINDS, 'What happened; the runbook says what to do about each kind.'),
  subject_kind: oneOf(ALARM_SUBJECT_KINDS, 'What kind of object the alarm is about.'),
  subject_id: uuid('The object the alarm is about.'),
  owner_id: textOrNull('The owner of the object; null where no owner is known.'),
  detail: text('What was seen, in words.'),
  created_at: time('When the alarm was opened.'),
  closed_at: timeOrNull('When the alarm was closed; null while it is open.'),
  closed_by: textOrNull('The staff member or process that closed the alarm.'),
  note: textOrNull('What was found, one line for each note.'),
  taken_at: timeOrNull('Since when a staff member works on the alarm.'),
  taken_by: textOrNull('The staff member who works on the alarm.'),
})

export const ALARM_PAGE = pageOf('AlarmPage', ALARM)

const acting = {
  method: 'POST',
  access: 'staff',
  scope: 'staff:act',
  reply: ALARM,
} as const

/** Under the names of the list. */
function alarmOf(alarm: Awaited<ReturnType<typeof closeAlarm>>) {
  if (alarm === undefined) return undefined
  const { opened_at: created_at, ...rest } = alarm
  return { ...rest, created_at }
}

export const alarms = {
  listAlarms: listRoute(
    {
      path: '/staff/alarms/',
      operation: 'list_staff_alarms',
      summary: 'List open alarms, optionally with closed alarms',
      access: 'staff',
      scope: 'staff:read',
      query: ALARM_QUERY,
      reply: ALARM_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseAlarmQuery, find: listAlarms },
  ),

  takeAlarm: route({
    ...acting,
    path: '/staff/alarms/{pk}/take/',
    operation: 'take_staff_alarm',
    summary: 'Acknowledge an open alarm',
    repeat: 'a repeat by the same staff member changes only the time.',
    run: async (ctx, { request, id }) => alarmOf(await takeAlarm(ctx, request.caller, id)),
  }),

  noteAlarm: route({
    ...acting,
    path: '/staff/alarms/{pk}/note/',
    operation: 'note_staff_alarm',
    summary: 'Add a note to an open alarm',
    input: titled('ReasonInput', REASON_INPUT),
    repeat: 'the same text twice in a row by the same staff member is stored as one note.',
    run: async (ctx, { request, id, input }) =>
      alarmOf(await noteAlarm(ctx, request.caller, id, input)),
  }),

  closeAlarm: route({
    ...acting,
    path: '/staff/alarms/{pk}/close/',
    operation: 'close_staff_alarm',
    summary: 'Close an alarm with a reason',
    input: titled('ReasonInput', REASON_INPUT),
    repeat: 'an alarm is closed once; a repeat is `not_found`.',
    run: async (ctx, { request, id, input }) =>
      alarmOf(await closeAlarm(ctx, request.caller, id, input)),
  }),
}
