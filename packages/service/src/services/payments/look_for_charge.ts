import { GatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { Context } from '../context.ts'

/** What the gateway has under our order id. */
export type Sighting =
  | { kind: 'ours'; facts: TransactionFacts }
  | { kind: 'stranger' }
  | { kind: 'nothing' }
  | { kind: 'unknown' }

/**
 * Asks the gateway for the order of a charge whose outcome is unclear. It is ours only if it
 * carries our payment's id and our amount; an order id alone proves nothing (ADR 0003). DANA
 * cannot be asked by order id, so about it nothing is ever concluded from a 404.
 */
export async function lookForCharge(ctx: Context, payment: GatewayPayment): Promise<Sighting> {
  const by_id = payment.transaction_id
  if (payment.payment_type === 'dana' && by_id === null) return { kind: 'unknown' }
  try {
    const options = payment.payment_type === 'dana' ? { snap_source: true } : {}
    const facts = factsOf(await ctx.gateway.getStatus(by_id ?? payment.order_id, options))
    if (facts === undefined) return { kind: 'unknown' }
    return isOurs(payment, facts) ? { kind: 'ours', facts } : { kind: 'stranger' }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { kind: error.code === 'gateway_not_found' ? 'nothing' : 'unknown' }
  }
}

const isOurs = (payment: GatewayPayment, { payment_id, gross_amount }: TransactionFacts): boolean =>
  payment_id === payment.id && (gross_amount === null || gross_amount >= payment.gross_amount)
