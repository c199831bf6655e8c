import { isReversible, PAYMENT_TYPE, type PaymentType } from './payment_type.ts'
import type { FraudStatus, PaymentStatus } from './payment_status.ts'
import { nextJakartaDayAt } from './time.ts'

export interface CheckFacts {
  payment_type: PaymentType
  status: PaymentStatus
  fraud: FraudStatus | null
  bank: string | null
  store: string | null
  created_at: Date
  expiry_time: Date | null
  /** When we learned of the money; the gateway's own time may be long before a late report. */
  paid_at: Date | null
}

const DAY_S = 86_400
/**
 * The gateway expires in batches, up to 90 s late (gateway-protocol.md#notification-transport); an
 * earlier query would have to be repeated.
 */
const AFTER_EXPIRY_S = 120
/** Reversals arrive 1–5 minutes after the settlement (gateway-protocol.md#transaction-statuses). */
const REVERSAL_CHECK_S = 360
/** Cards settle next day at 16:00 WIB by default. */
const SETTLED_BY_HOUR = 17

/**
 * When to query the gateway about this payment next, or null if no query is needed. Computed from
 * the times of the plan, not from a count of attempts, so a check made early, late or twice leaves
 * the plan unchanged.
 */
export function nextCheckAt(facts: CheckFacts, now: Date): Date | null {
  switch (facts.status) {
    case 'initiated':
    case 'pending':
      return nextPendingCheck(facts, now)
    case 'authorize':
      return after(now, DAY_S)
    case 'capture':
      return nextJakartaDayAt(now, SETTLED_BY_HOUR)
    case 'settlement':
      // Settled and in review: not paid until the gateway's decision, so it is queried.
      return facts.fraud === 'challenge' ? after(now, DAY_S) : nextReversalCheck(facts, now)
    default:
      return null
  }
}

function nextPendingCheck(facts: CheckFacts, now: Date): Date {
  const { after_s, then_every_s } = PAYMENT_TYPE[facts.payment_type].checks
  const moments = after_s.map((seconds) => after(facts.created_at, seconds))
  if (facts.expiry_time !== null) moments.push(after(facts.expiry_time, AFTER_EXPIRY_S))
  // Without end: if every notification were lost, the checks alone must find the payment's end.
  moments.push(after(now, then_every_s))
  const ahead = moments.filter((moment) => moment > now).map((moment) => moment.getTime())
  return new Date(Math.min(...ahead))
}

function nextReversalCheck(facts: CheckFacts, now: Date): Date | null {
  if (!isReversible(facts)) return null
  const check = after(facts.paid_at ?? now, REVERSAL_CHECK_S)
  return check > now ? check : null
}

const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1_000)
