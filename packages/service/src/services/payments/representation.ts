import type { GatewayPayment } from '../../domain/payment.ts'
import {
  NO_SAVED_CARD,
  representPayment,
  type PaymentParts,
  type PaymentRepresentation,
  type RefundRepresentation,
  type SavedCardFields,
} from '../../domain/payment_representation.ts'
import type { SavedCard } from '../../gateway/facts.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import {
  findPayment,
  findPaymentById,
  listItemsOfPayments,
  listPaymentItems,
} from '../../store/payments/rows.ts'
import { listRefunds, listRefundsOfPayments } from '../../store/refunds/rows.ts'
import type { ObjectAccess } from '../operations/operation_type.ts'

/** For the reply to the request that asked for it, and for nothing that is stored or logged. */
export const revealSavedCard = (saved: SavedCard | undefined): SavedCardFields =>
  saved === undefined
    ? NO_SAVED_CARD
    : {
        saved_token_id: saved.token.reveal(),
        saved_token_id_expired_at: saved.expires_at?.toISOString() ?? null,
      }

/** The reply to a refund: the payment after it, and the refund. */
export interface Refunded {
  payment: PaymentRepresentation
  refund: RefundRepresentation
}

/** What the caller of this function has read already. */
interface KnownParts extends Partial<Pick<PaymentParts, 'items' | 'refunds'>> {
  now?: Date
}

/** The full form of a payment as it is in this transaction. */
export async function representWithin(
  tx: Tx,
  payment: GatewayPayment,
  known: KnownParts = {},
): Promise<PaymentRepresentation> {
  const [items, refunds, now] = await Promise.all([
    known.items ?? listPaymentItems(tx, payment.id),
    known.refunds ?? listRefunds(tx, payment.id),
    known.now ?? readClock(tx),
  ])
  return representPayment({ payment, items, refunds }, now)
}

/** The full forms of several payments, their missing parts read together. By the ids. */
export async function representTogether(
  tx: Tx,
  several: readonly ({ payment: GatewayPayment } & KnownParts)[],
  now: Date,
): Promise<ReadonlyMap<string, PaymentRepresentation>> {
  const lacking = (part: 'items' | 'refunds'): string[] =>
    several.flatMap(({ payment, [part]: known }) => (known === undefined ? payment.id : []))
  const [items, refunds] = await Promise.all([
    listItemsOfPayments(tx, lacking('items')),
    listRefundsOfPayments(tx, lacking('refunds')),
  ])
  const shown = several.map(({ payment, ...known }) => {
    const parts = {
      payment,
      items: known.items ?? items.get(payment.id) ?? [],
      refunds: known.refunds ?? refunds.get(payment.id) ?? [],
    }
    return [payment.id, representPayment(parts, now)] as const
  })
  return new Map(shown)
}

/** How operations reach a payment. */
export const PAYMENT_ACCESS: ObjectAccess<GatewayPayment> = {
  subject_kind: 'payment',
  find: findPayment,
  findById: findPaymentById,
  lock: lockPayment,
  represent: representWithin,
}
