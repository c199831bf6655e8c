import type { GatewayAlarm } from '../domain/alarm.ts'
import type { Caller } from '../domain/caller.ts'
import { NO_TELEMETRY } from '../domain/telemetry.ts'
import { checkedCaller } from '../http/caller.ts'
import { isUuid } from '../http/cursors.ts'
import { requestIdOf } from '../http/request_id.ts'
import { refuseValue } from '../http/json_body.ts'
import {
  alarmPage,
  deadEventPage,
  notificationPage,
  operationPage,
  type StaffQuery,
} from '../http/staff_pages.ts'
import { listAudit } from '../services/staff/list_audit.ts'
import { closeAlarm } from '../services/alarms/close_alarm.ts'
import { contextFor, type Context } from '../services/context.ts'
import {
  retryDeadEvent,
  skipDeadEvent,
  type StandingStill,
} from '../services/events/release_dead_event.ts'
import { replayNotification, type Replayed } from '../services/staff/replay_notification.ts'
import { resolveOperation, type Resolved } from '../services/staff/resolve_operation.ts'
import { adoptOrder } from '../services/staff/adopt_order.ts'
import type { PaymentRepresentation } from '../services/payments/representation.ts'
import { erasePerson, type Erasure } from '../services/privacy/erase_person.ts'
import { RequestProblem } from '../services/problem.ts'
import { requireStaff } from '../services/access/staff_caller.ts'
import { storeTrouble } from '../services/store_trouble.ts'
import type { AuditListed } from '../store/audit/entries.ts'
import type { DeadEvent } from '../store/events/dead_events.ts'
import type { Parts } from './compose.ts'
import { refundStaff, type Carrying, type RefundStaff, type Work } from './refund_staff.ts'
import { staffHistories, type StaffHistories } from './staff_histories.ts'

type Page<List extends (...parameters: never[]) => unknown> = (
  caller: Caller,
  query?: StaffQuery,
) => ReturnType<List>

type Act<Result> = (caller: Caller, id: string) => Promise<Result>
type ActOn<Result> = (caller: Caller, id: string, input: unknown) => Promise<Result>

/**
 * What staff do beside the payments' own actions. The caller is a person of staff, and her
 * `owner_id` is the name under which it is kept that she did it. Failures throw as the API's do;
 * what is not there is a RequestProblem `not_found`.
 */
export interface GapuraStaff extends StaffHistories, RefundStaff {
  listNotifications: Page<typeof notificationPage>
  listOperations: Page<typeof operationPage>
  listAlarms: Page<typeof alarmPage>
  listDeadEvents: Page<typeof deadEventPage>
  /** Who did what: `{ actor?, subject_id?, action?, since?, before_seq?, limit? }`, newest first. */
  listAudit: (caller: Caller, query?: StaffQuery) => Promise<AuditListed[]>
  /** Weighs a kept notification once more, as if it came this moment. */
  replayNotification: Act<Replayed>
  /** `{ outcome: 'look' | 'done' | 'refused', reason, transaction_id?, gateway_id? }` */
  resolveOperation: ActOn<Resolved>
  /** `{ reason }` */
  closeAlarm: ActOn<GatewayAlarm>
  retryEvent: (caller: Caller, which: StandingStill) => Promise<DeadEvent>
  skipEvent: (caller: Caller, which: StandingStill) => Promise<DeadEvent>
  /** `{ order_id, owner_id, reason }`: brings an order made elsewhere under our roof. */
  adoptOrder: (caller: Caller, input: unknown) => Promise<PaymentRepresentation>
  /** `{ email | owner_id, reason, dry_run? }`: takes out what is kept about a person (I-37). */
  erasePerson: (caller: Caller, input: unknown) => Promise<Erasure>
}

/** As a step of its own, so that its lines in the log and in the audit carry one id. */
async function marked<Result>(
  { telemetry }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  const known = telemetry?.marks?.()['request_id']
  const marks = { request_id: known ?? requestIdOf(undefined) }
  const step = { name: 'staff', kind: 'server', attributes: {}, marks } as const
  return await (telemetry ?? NO_TELEMETRY).trace(step, work)
}

/** How every call of staff is carried out. */
function carrying({ ctx, ready }: Parts): Carrying {
  const done = async <Result>(caller: Caller, work: Work<Result>): Promise<Result> => {
    try {
      await ready()
      const result = await marked(ctx, async () => {
        const checked = checkedCaller(caller)
        return await work(contextFor(ctx, checked.owner_id), checked)
      })
      if (result === undefined) throw new RequestProblem('not_found')
      return result
    } catch (error) {
      throw storeTrouble(error) ?? error
    }
  }
  return {
    done,
    /** What is no UUID is no object of ours; the database would call it an error. */
    one: async (caller, id, work) =>
      await done(caller, async (...given) => (isUuid(id) ? await work(...given) : undefined)),
    given: (input) => {
      refuseValue(input)
      return input
    },
  }
}

export function createStaff(parts: Parts): GapuraStaff {
  const { done, one, given } = carrying(parts)
  return {
    listNotifications: async (caller, query = {}) =>
      await done(caller, async (at, who) => await notificationPage(at, who, query)),
    listOperations: async (caller, query = {}) =>
      await done(caller, async (at, who) => await operationPage(at, who, query)),
    listAlarms: async (caller, query = {}) =>
      await done(caller, async (at, who) => await alarmPage(at, who, query)),
    listDeadEvents: async (caller, query = {}) =>
      await done(caller, async (at, who) => await deadEventPage(at, who, query)),
    ...staffHistories(one),
    listAudit: async (caller, query = {}) =>
      await done(caller, async (at, who) => await listAudit(at, who, given(query))),
    ...refundStaff({ done, one, given }),
    replayNotification: async (caller, id) =>
      await one(caller, id, async (at, who) => await replayNotification(at, who, id)),
    resolveOperation: async (caller, id, input) =>
      await one(caller, id, async (at, who) => await resolveOperation(at, who, id, given(input))),
    closeAlarm: async (caller, id, input) =>
      await one(caller, id, async (at, who) => await closeAlarm(at, who, id, given(input))),
    retryEvent: async (caller, which) =>
      await one(caller, which.object_id, async (at, who) => {
        requireStaff(who, 'staff:act')
        return await retryDeadEvent(at, who, given(which))
      }),
    skipEvent: async (caller, which) =>
      await one(caller, which.object_id, async (at, who) => {
        requireStaff(who, 'staff:act')
        return await skipDeadEvent(at, who, given(which))
      }),
    adoptOrder: async (caller, input) =>
      await done(caller, async (at, who) => await adoptOrder(at, who, given(input))),
    erasePerson: async (caller, input) =>
      await done(caller, async (at, who) => await erasePerson(at, who, given(input))),
  }
}
