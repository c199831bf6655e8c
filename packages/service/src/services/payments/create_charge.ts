// A charge: validated, stored, sent, recorded. If the process dies anywhere, what is stored is
// enough for the resolver to finish it.
import type { GatewayOperation } from '../../domain/operation.ts'
import { findPaymentById } from '../../store/payments/rows.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { performOperation } from '../operations/perform.ts'
import { unclearOutcome } from '../operations/record.ts'
import { replied, type Outcome, type Request } from '../requests.ts'
import { CHARGE, findCharge } from './charge_operation.ts'
import { parseChargeOrder } from './charge_order.ts'
import { chargeRequest } from './charge_request.ts'
import { refreshPayment } from './check_status.ts'
import { prepareCharge } from './prepare_charge.ts'
import { representWithin } from './read_payment.ts'

/** Creates a charge at the gateway and stores it. One intent leads to at most one charge. */
export async function createCharge(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const order = parseChargeOrder(input)
  ctx.reached('charge.validated')
  return await performOperation(ctx, request, {
    type: CHARGE,
    prepare: async (instead_of) => {
      ctx.reached('charge.slot_taken')
      return await prepareCharge(ctx, request, { order, instead_of })
    },
    inputFor: ({ id: payment_id, order_id }) => ({
      payload: chargeRequest(order, { payment_id, order_id }),
    }),
    beforeRetry: async (operation) => await findGivenUp(ctx, operation),
  })
}

/**
 * Queries the gateway once more for a charge that was given up, before its intent is tried again:
 * if the gateway has it after all, that payment is the reply.
 */
async function findGivenUp(
  ctx: Context,
  operation: GatewayOperation,
): Promise<Outcome | undefined> {
  if (operation.reply?.['error'] !== CHARGE.given_up_as) return undefined
  const { subject_id } = operation
  const given_up = await withReadTransaction(ctx.db, (tx) => findPaymentById(tx, subject_id))
  const seen = given_up && (await findCharge(ctx, given_up))
  if (seen?.kind === 'unknown') throw unclearOutcome(operation)
  if (given_up === undefined || seen?.kind !== 'seen') return undefined
  await refreshPayment(ctx, given_up, 'charge')
  return await withTransaction(ctx.db, async (tx) => {
    const payment = await findPaymentById(tx, subject_id)
    return payment && replied(201, await representWithin(tx, payment))
  })
}
