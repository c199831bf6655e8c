import type { CheckoutRepresentation } from './checkout_representation.ts'
import type { InvoiceRepresentation } from './invoice_representation.ts'
import type { PaymentRepresentation, RefundRepresentation } from './payment_representation.ts'
import type { SubscriptionRepresentation } from './subscription_representation.ts'
import type { CheckoutSignal, InvoiceSignal, PaymentSignal, Signal, Source } from './signals.ts'

interface ObjectOf {
  payment: PaymentRepresentation
  invoice: InvoiceRepresentation
  subscription: SubscriptionRepresentation
  checkout: CheckoutRepresentation
}

type KindOf<S extends Signal> = S extends PaymentSignal
  ? 'payment'
  : S extends InvoiceSignal
    ? 'invoice'
    : S extends CheckoutSignal
      ? 'checkout'
      : 'subscription'

/**
 * The one envelope of every signal (ADR 0013). `id` is what a subscriber deduplicates by. It can be
 * written as JSON.
 */
export interface SignalEnvelope<S extends Signal = Signal> {
  id: string
  type: S
  /** Counts the events of this object from 1, without gaps: the order to handle them in. */
  sequence: number
  occurred_at: Date
  /** What HTTP replies with, as it stood when the transition committed, not as it is now. */
  object: ObjectOf[KindOf<S>]
  previous_status: string | null
  source: Source
  notification_id?: string
  /**
   * The refund that a `payment_refunded` is about. If one report lists several new ones, the last of
   * them; all are in `object.refunds`.
   */
  refund?: RefundRepresentation
}
