// Scheduled exports: what staff are reminded of by mail, and to which addresses (ADR 0037).
import { Type } from 'typebox'
import {
  EXPORT_DAYS_OF,
  EXPORT_FORMATS,
  EXPORT_LANGUAGES,
  EXPORT_PERIODS,
  exportDueAt,
  periodOf,
  type ExportSchedule,
} from '../../domain/export_schedule.ts'
import { PAYMENT_STATUSES } from '../../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { gatewayError } from '../../domain/errors.ts'
import { jakartaDay } from '../../domain/time.ts'
import type { Caller } from '../../domain/caller.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import * as store from '../../store/staff/export_schedules.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit, type AuditedAction } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { keptTextParser } from '../validation.ts'
import { parseReason } from './staff_query.ts'

const maybe = Type.Optional
const closed = { additionalProperties: false }

/** The filters of an export that name no customer: a schedule is kept for long. */
export const SCHEDULE_FILTERS = {
  status: maybe(Type.Enum([...PAYMENT_STATUSES], { description: 'Only payments in this status.' })),
  payment_type: maybe(
    Type.Enum([...PAYMENT_TYPES], { description: 'Only payments with this payment method.' }),
  ),
  bank: maybe(
    Type.String({ pattern: '^[a-z0-9_]{2,20}$', description: 'Only payments by this bank.' }),
  ),
  owner_id: maybe(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only payments of this owner.' }),
  ),
}

export const EXPORT_SCHEDULE_INPUT = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 80,
      pattern: '\\S',
      description: 'The name in the list; no other schedule may have it. It is in no mail.',
    }),
    every: Type.Enum([...EXPORT_PERIODS], { description: 'How long the period of one export is.' }),
    format: Type.Enum([...EXPORT_FORMATS], { description: 'The form of the file.' }),
    day_of: maybe(
      Type.Enum([...EXPORT_DAYS_OF], {
        description: 'Which day counts: `paid`, by default, or `created`.',
      }),
    ),
    language: maybe(
      Type.Enum([...EXPORT_LANGUAGES], { description: 'Of the mail; `id` by default.' }),
    ),
    recipients: Type.Array(
      Type.String({
        examples: ['finance@shop.example'],
        pattern: '^[^\\s@<>,;"]{1,120}@[^\\s@<>,;"]{1,120}$',
        description: 'An address.',
      }),
      {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description: 'Who gets the mail. The link in it takes a sign-in as staff.',
      },
    ),
    ...SCHEDULE_FILTERS,
  },
  closed,
)

const parseSchedule = keptTextParser(EXPORT_SCHEDULE_INPUT)

const represent = ({ filters, attempts, ...schedule }: ExportSchedule) => ({
  id: schedule.id,
  name: schedule.name,
  every: schedule.every,
  format: schedule.format,
  day_of: schedule.day_of,
  language: schedule.language,
  recipients: schedule.recipients,
  status: filters['status'] ?? null,
  payment_type: filters['payment_type'] ?? null,
  bank: filters['bank'] ?? null,
  owner_id: filters['owner_id'] ?? null,
  created_by: schedule.created_by,
  created_at: schedule.created_at.toISOString(),
  period_from: schedule.period_from,
  due_at: schedule.due_at.toISOString(),
  sent_at: schedule.sent_at?.toISOString() ?? null,
  failed: attempts > 0,
})

const audited = (
  action: AuditedAction['action'],
  { id, every, format, filters, recipients }: ExportSchedule,
): AuditedAction => ({
  action,
  subject_kind: 'export_schedule',
  subject_id: id,
  // How many, not which: addresses do not belong in the audit.
  detail: { every, format, filters, recipients: recipients.length },
})

/** Every schedule, and whether the mail for it is set up. For staff. */
export async function listExportSchedules(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, store.listExportSchedules)
  return { by_mail: ctx.exports_by_mail === true, results: found.map(represent) }
}

/** The first mail is about the period that the schedule is made in. */
export async function createExportSchedule(ctx: Context, caller: Caller, input: unknown) {
  requireStaff(caller, 'staff:act')
  const { name, every, format, recipients, ...given } = parseSchedule(input)
  const { day_of = 'paid', language = 'id', ...filters } = given
  return await withTransaction(ctx.db, async (tx) => {
    const period_from = periodOf(every, jakartaDay(await readClock(tx)))
    const made = await store.insertExportSchedule(tx, {
      id: newId(),
      name: name.trim(),
      every,
      format,
      day_of,
      language,
      recipients,
      filters,
      created_by: caller.owner_id,
      period_from,
      due_at: exportDueAt(every, period_from),
    })
    if (made === undefined) {
      throw gatewayError('invalid_request', {
        errors: [{ field: 'name', message: 'another schedule has it' }],
      })
    }
    await recordAudit(tx, ctx, caller, audited('export_schedule.create', made))
    return represent(made)
  })
}

/** Ends a schedule and removes its addresses. Undefined if there is none. */
export async function deleteExportSchedule(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
) {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  return await withTransaction(ctx.db, async (tx) => {
    const deleted = await store.deleteExportSchedule(tx, id)
    if (deleted === undefined) return undefined
    await recordAudit(tx, ctx, caller, { ...audited('export_schedule.delete', deleted), reason })
    return represent(deleted)
  })
}
