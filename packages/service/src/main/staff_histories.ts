import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { readPaymentHistory, type PaymentHistory } from '../services/staff/payment_history.ts'
import { readObjectHistory, type ObjectHistory } from '../services/staff/object_history.ts'

type Read<Result> = (caller: Caller, id: string) => Promise<Result>

/** Why an object is in its state, for staff. */
export interface StaffHistories {
  paymentHistory: Read<PaymentHistory>
  invoiceHistory: Read<ObjectHistory>
  subscriptionHistory: Read<ObjectHistory>
}

type One = <Result>(
  caller: Caller,
  id: string,
  work: (ctx: Context, caller: Caller) => Promise<Result | undefined>,
) => Promise<Result>

export const staffHistories = (one: One): StaffHistories => {
  const historyOf =
    (kind: 'invoice' | 'subscription'): Read<ObjectHistory> =>
    async (caller, id) =>
      await one(caller, id, async (at, who) => await readObjectHistory(at, who, { kind, id }))
  return {
    paymentHistory: async (caller, id) =>
      await one(caller, id, async (at, who) => await readPaymentHistory(at, who, id)),
    invoiceHistory: historyOf('invoice'),
    subscriptionHistory: historyOf('subscription'),
  }
}
