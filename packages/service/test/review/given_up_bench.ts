// Shared by the tests of charges that were given up and exist at the gateway.
import { afterEach, beforeEach, expect } from 'vitest'
import { gatewayError } from '../../src/domain/errors.ts'
import type { Context } from '../../src/services/context.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { useFaults } from '../services/fault_bench.ts'
import { requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'

const BUDGET = { take: async () => undefined }

/** The gateway makes the charge and answers with an error of its own. */
export const answering500 = (ctx: Context): Context =>
  holdUp(ctx, 'charge', 'after_answer', async () => {
    throw gatewayError('outcome_unknown', {
      operation: 'charge',
      gateway: { http_status: 200, status_code: '500', status_message: 'Internal error' },
    })
  })

/** A service whose gateway sends no notification by itself. */
export function useGivenUp() {
  const bench = useFaults({ breaker_rest_ms: 1, timeout_ms_max: 5_000 })
  const { service, chargeOf, mute, clearFaults, later } = bench
  beforeEach(mute)
  afterEach(clearFaults)

  const rowsOf = async (order_id: string) =>
    await service.database.sql(
      `select id, transaction_status, refused, captured_amount::text as captured
       from gapura.gateway_payment where order_id = $1 order by created_at`,
      [order_id],
    )
  const sweep = async () => await checkPendingPayments(service.ctx, { budget: BUDGET })

  /** A charge that exists at the gateway and was given up here, because a late read said 404. */
  async function givenUp(payment_type = 'gopay') {
    const order_id = service.fresh('given-up')
    const input = await chargeOf(payment_type, { order_id })
    await bench.denyKnowing(10)
    const request = requestOf('owner-1', `key-of-${order_id}`)
    const charge = createCharge(answering500(service.ctx), input, request)
    await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown' })
    await later(120_000)
    await resolveOperations(service.ctx, 10)
    await clearFaults()
    await mute()
    const [row] = await rowsOf(order_id)
    expect(row).toMatchObject({ transaction_status: 'failure', refused: true })
    return { id: String(row?.['id']), order_id, input, request }
  }

  return { ...bench, rowsOf, sweep, givenUp }
}
