import type { Caller } from '../domain/caller.ts'
import { refundRequestPage, type StaffQuery } from '../http/staff_pages.ts'
import type { Context } from '../services/context.ts'
import { RequestProblem } from '../services/problem.ts'
import { approveRefund, declineRefund } from '../services/staff/decide_refund.ts'
import {
  representRefundRequest,
  type RefundRequestRepresentation,
} from '../services/staff/list_refund_requests.ts'
import type { Outcome } from '../services/requests.ts'
import { isRefunded, type Refunded } from './api.ts'
import { bodyOf } from './api_calls.ts'

/** Refunds that take two people (ADR 0010). */
export interface RefundStaff {
  listRefundRequests: (caller: Caller, query?: StaffQuery) => ReturnType<typeof refundRequestPage>
  /** Agrees to a held refund, as another person than who asked for it, and makes it: `{ reason? }`. */
  approveRefund: (caller: Caller, id: string, input?: unknown) => Promise<Refunded>
  /** `{ reason }`: says no to it. */
  declineRefund: (
    caller: Caller,
    id: string,
    input: unknown,
  ) => Promise<RefundRequestRepresentation>
}

export type Work<Result> = (ctx: Context, caller: Caller) => Promise<Result | undefined>

/** How a call of staff is carried out; what is not there is thrown as `not_found`. */
export interface Carrying {
  done: <Result>(caller: Caller, work: Work<Result>) => Promise<Result>
  one: <Result>(caller: Caller, id: string, work: Work<Result>) => Promise<Result>
  given: (input: unknown) => unknown
}

export const refundStaff = ({ done, one, given }: Carrying): RefundStaff => ({
  listRefundRequests: async (caller, query = {}) =>
    await done(caller, async (at, who) => await refundRequestPage(at, who, query)),
  approveRefund: async (caller, id, input = {}) =>
    await one(caller, id, async (at, who) =>
      refundedOf(await approveRefund(at, who, id, given(input))),
    ),
  declineRefund: async (caller, id, input) =>
    await one(caller, id, async (at, who) => {
      const declined = await declineRefund(at, who, id, given(input))
      return declined && representRefundRequest(declined)
    }),
})

/** The body of a refund that was made, now or before; what it was refused with is thrown. */
function refundedOf(outcome: Outcome | undefined): Refunded | undefined {
  if (outcome === undefined) return undefined
  if (outcome.kind === 'problem') throw new RequestProblem(outcome.code)
  return bodyOf(outcome.reply, isRefunded)
}
