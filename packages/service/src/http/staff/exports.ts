// The routes of scheduled exports (dashboard.md#scheduled-exports).
import {
  EXPORT_DAYS_OF,
  EXPORT_FORMATS,
  EXPORT_LANGUAGES,
  EXPORT_PERIODS,
} from '../../domain/export_schedule.ts'
import {
  createExportSchedule,
  deleteExportSchedule,
  EXPORT_SCHEDULE_INPUT,
  listExportSchedules,
} from '../../services/staff/export_schedules.ts'
import { REASON_INPUT } from '../../services/staff/staff_query.ts'
import { route } from '../platform/route.ts'
import {
  listOf,
  named,
  oneOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  yesOrNo,
} from '../platform/schema.ts'

const SCHEDULE = named('ExportSchedule', {
  id: uuid('The id of the schedule.'),
  name: text('Its name in the list.'),
  every: oneOf(EXPORT_PERIODS, 'How long the period of one export is.'),
  format: oneOf(EXPORT_FORMATS, 'The form of the file.'),
  day_of: oneOf(EXPORT_DAYS_OF, 'Whether the day counts on which a payment was created or paid.'),
  language: oneOf(EXPORT_LANGUAGES, 'Of the mail.'),
  recipients: listOf(text('An address.'), 'Who gets the mail.'),
  status: textOrNull('Only payments in this status.'),
  payment_type: textOrNull('Only payments with this payment method.'),
  bank: textOrNull('Only payments by this bank.'),
  owner_id: textOrNull('Only payments of this owner.'),
  created_by: text('Who made it.'),
  created_at: time('When it was made.'),
  period_from: text('The first day in Jakarta of the period whose mail comes next.'),
  due_at: time('When that mail is sent.'),
  sent_at: timeOrNull('When the last mail was sent; null: none yet.'),
  failed: yesOrNo('Whether sending failed and is tried again every five minutes.'),
})

export const SCHEDULE_LIST = named('ExportScheduleList', {
  by_mail: yesOrNo(
    'Whether a channel of e-mail and the public address are set up; else none is sent.',
  ),
  results: listOf(SCHEDULE, 'All schedules, by name.'),
})

const acting = { method: 'POST', access: 'staff', scope: 'staff:act' } as const

export const exports_by_mail = {
  listExportSchedules: route({
    method: 'GET',
    access: 'staff',
    scope: 'staff:read',
    path: '/staff/exports/',
    operation: 'list_staff_exports',
    summary: 'List the scheduled exports',
    reply: SCHEDULE_LIST,
    run: async (ctx, { request }) => await listExportSchedules(ctx, request.caller),
  }),

  createExportSchedule: route({
    ...acting,
    path: '/staff/exports/',
    operation: 'create_staff_exports',
    summary: 'Send a mail with a link to an export at the end of each day, week or month',
    input: titled('ExportScheduleInput', EXPORT_SCHEDULE_INPUT),
    status: 201,
    reply: SCHEDULE,
    errors: ['invalid_request'],
    repeat: 'a second one of the same name is `invalid_request`.',
    example: {
      month: {
        summary: 'What was paid in each month, as a workbook',
        value: {
          name: 'Monthly closing',
          every: 'month',
          format: 'xlsx',
          status: 'settlement',
          recipients: ['finance@shop.example'],
        },
      },
    },
    run: async (ctx, { request, input }) => await createExportSchedule(ctx, request.caller, input),
  }),

  deleteExportSchedule: route({
    ...acting,
    path: '/staff/exports/{pk}/delete/',
    operation: 'delete_staff_exports',
    summary: 'End a scheduled export and remove its addresses, with a reason',
    input: titled('ReasonInput', REASON_INPUT),
    reply: SCHEDULE,
    errors: ['invalid_request'],
    repeat: 'it is gone: a repeat is `not_found`.',
    run: async (ctx, { request, id, input }) =>
      await deleteExportSchedule(ctx, request.caller, id, input),
  }),
}
