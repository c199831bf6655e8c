import type { Evidence } from '../../domain/answer.ts'
import { CHECKOUT_STATUSES } from '../../domain/checkout.ts'
import { decideCheckoutTransition } from '../../domain/checkout_transitions.ts'
import { INVOICE_STATUSES } from '../../domain/invoice.ts'
import { decideInvoiceTransition } from '../../domain/invoice_transitions.ts'
import { decideTransition } from '../../domain/payment_transitions.ts'
import {
  FRAUD_STATUSES,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type ReportedStatus,
} from '../../domain/payment_status.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription.ts'
import {
  decideSubscriptionTransition,
  SUBSCRIPTION_ACTION,
} from '../../domain/subscription_transitions.ts'
import type { StepMade } from '../../store/invariants/steps.ts'

/**
 * Whether the transition tables allow this transition from this source. They are called, never
 * repeated here.
 */
export function isPossible({ object_kind, from_status, to_status, source }: StepMade): boolean {
  if (from_status === null) return to_status === 'initiated'
  const evidence = source === 'notification' ? 'report' : 'gateway_answer'
  return JUDGES[object_kind](from_status, to_status, evidence)
}

type Judge = (from: string, to: string, evidence: Evidence) => boolean

const among = <Word extends string>(words: readonly Word[], word: string): Word | undefined =>
  words.find((known) => known === word)

const judgePayment: Judge = (from, to, evidence) => {
  const known = among(PAYMENT_STATUSES, from)
  const reported = among(PAYMENT_STATUSES, to)
  if (known === undefined || reported === undefined || reported === 'initiated') return false
  return someReport(known, reported, evidence)
}

const FRAUD = [...FRAUD_STATUSES, null]

/**
 * Some transitions depend on the fraud status or on a growing sum; the history has only statuses.
 */
const someReport = (status: PaymentStatus, to: ReportedStatus, evidence: Evidence): boolean =>
  FRAUD.some((before) =>
    FRAUD.some((fraud) => {
      const known = { status, fraud: before, was_paid: false, refunded_amount: 0n }
      return (
        decideTransition(known, { status: to, fraud, refund_amount: 1n }, evidence).kind === 'move'
      )
    }),
  )

const judgeInvoice: Judge = (from, to, evidence) => {
  const known = among(INVOICE_STATUSES, from)
  const reported = among(INVOICE_STATUSES, to)
  if (known === undefined || reported === undefined || reported === 'initiated') return false
  return decideInvoiceTransition(known, reported, evidence).kind === 'move'
}

const judgeSubscription: Judge = (from, to, evidence) => {
  const known = among(SUBSCRIPTION_STATUSES, from)
  const reported = among(SUBSCRIPTION_STATUSES, to)
  if (known === undefined || reported === undefined || reported === 'initiated') return false
  // With an unchanged status: its amount was changed, or its gateway id became known.
  if (known === reported) return known !== 'failure'
  const acted = Object.values(SUBSCRIPTION_ACTION).some(
    (action) => action.to === to && action.from.includes(known),
  )
  if (acted) return true
  if (reported === 'disabled' || reported === 'cancelled') return false
  // The signed notification of a cycle proves that a creation which was given up was carried out.
  if (known === 'failure' && reported === 'active') return true
  return decideSubscriptionTransition(known, reported, evidence).kind === 'move'
}

const judgeCheckout: Judge = (from, to) => {
  const known = among(CHECKOUT_STATUSES, from)
  const next = among(CHECKOUT_STATUSES, to)
  if (known === undefined || next === undefined || next === 'initiated') return false
  return decideCheckoutTransition(known, next).kind === 'move'
}

const JUDGES: Readonly<Record<ObjectKind, Judge>> = {
  payment: judgePayment,
  invoice: judgeInvoice,
  subscription: judgeSubscription,
  checkout: judgeCheckout,
}
