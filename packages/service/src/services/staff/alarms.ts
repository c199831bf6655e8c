import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { AuditAction } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { accountOf, bookedOf, SUSPENSE_LATE } from '../../domain/ledger.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import {
  listAlarms as listStored,
  type AlarmFilters,
  type AlarmSummary,
  takeAlarm as takeStored,
  noteAlarm as noteStored,
  closeAlarm as closeStored,
} from '../../store/staff/alarms.ts'
import { lateAmountOf, postBookings } from '../../store/ledger/postings.ts'
import { lockLatePayment } from '../../store/payments/locks.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit, type AuditedAction } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { staffList } from './staff_list.ts'
import { parseReason } from './staff_query.ts'

/** A page of open alarms, on request of closed ones too. For staff. */
export const listAlarms = staffList<AlarmFilters & { closed: boolean }, AlarmSummary>(
  'alarm.list',
  listStored,
)

/**
 * Assigns an open alarm to the caller, also if it had another assignee. Undefined if it is not
 * open.
 */
export async function takeAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  return await withTransaction(ctx.db, async (tx) => {
    const taken = await takeStored(tx, id, caller.owner_id)
    if (taken !== undefined) await recordAudit(tx, ctx, caller, alarmAudit('alarm.take', taken))
    return taken
  })
}

/** Adds a note to an open alarm. Undefined if it is not open. */
export async function noteAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  const line = `${caller.owner_id}: ${reason}`
  return await withTransaction(ctx.db, async (tx) => {
    const noted = await noteStored(tx, id, line)
    if (noted?.added === true) {
      await recordAudit(tx, ctx, caller, { ...alarmAudit('alarm.note', noted.alarm), reason })
    }
    return noted?.alarm
  })
}

/**
 * Closes an open alarm with the caller's id and note. Undefined if it is not open. About late money it
 * is the decision that the money is a sale; it may be refunded afterwards.
 */
export async function closeAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  const { reason: note } = parseReason(input)
  const closing = { closed_by: caller.owner_id, note }
  return await withTransaction(ctx.db, async (tx) => {
    // The payment is locked before the alarm, as by a report that opens one.
    const late = await lockLatePayment(tx, id)
    const closed = await closeStored(tx, id, closing)
    if (closed === undefined) return undefined
    if (late !== undefined) await acceptLateMoney(tx, late)
    await recordAudit(tx, ctx, caller, { ...alarmAudit('alarm.close', closed), reason: note })
    return closed
  })
}

/** Late money of a locked payment becomes a sale. What was decided before is not posted again. */
async function acceptLateMoney(tx: Tx, payment: GatewayPayment): Promise<void> {
  const amount = await lateAmountOf(tx, payment.id)
  if (amount <= 0n) return
  const now = await readClock(tx)
  const { id, version } = payment
  const posting = {
    kind: 'late_accepted',
    source: accountOf('sales', payment.owner_id),
    destination: SUSPENSE_LATE,
    amount,
    occurred_at: now,
  } as const
  const caused = { payment_id: id, object_kind: 'payment', object_id: id, version } as const
  await postBookings(tx, [{ ...caused, ...bookedOf(payment), postings: [posting] }], now)
}

/** The audit entry of an action on an alarm. */
const alarmAudit = (
  action: AuditAction,
  { id, kind, owner_id, subject_kind, subject_id }: GatewayAlarm,
): AuditedAction => ({
  action,
  subject_kind: 'alarm',
  subject_id: id,
  owner_id,
  detail: { kind, about: `${subject_kind} ${subject_id}` },
})
