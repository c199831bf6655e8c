// A process that was paused between writing a call and sending it does not send it: another process
// may have ended the operation meanwhile.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Context, CrashPoint } from '../../src/services/context.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { useFaults } from '../services/fault_bench.ts'
import { requestOf } from '../services/service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, mute, clearFaults, charged, settledWallet, rowOf } = bench
const PAUSE_MS = 6_000
beforeEach(mute)
afterEach(async () => {
  vi.restoreAllMocks()
  await clearFaults()
})

/** Pauses the process at this point. */
function pausedAt(point: CrashPoint): Context {
  const now = performance.now.bind(performance)
  let paused_ms = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + paused_ms)
  const reached = (at: CrashPoint): void => {
    if (at === point) paused_ms = PAUSE_MS
  }
  return { ...service.ctx, reached }
}

test('a charge: does not send, and the outcome stays unknown', async () => {
  const order_id = service.fresh('paused')
  const input = await chargeOf('bank_transfer', { order_id })
  const charge = createCharge(pausedAt('charge.before_send'), input, requestOf())
  await expect(charge).rejects.toMatchObject({ code: 'outcome_unknown' })
  expect(await service.ledger(order_id)).toBeUndefined()
})

test('a refund: does not send, and its amount stays reserved', async () => {
  const { id, order_id } = await settledWallet()
  const ctx = pausedAt('refund.written_down')
  const refund = refundPayment(ctx, requestOf(), id, { amount: 10_000 })
  await expect(refund).rejects.toMatchObject({ code: 'outcome_unknown' })
  expect((await service.ledger(order_id))?.refunded).toBe(0)
  expect(await rowOf(order_id)).toMatchObject({ reserved: '10000.00' })
})

test('a cancel: does not send', async () => {
  const { id, order_id } = await charged('bank_transfer')
  const cancel = cancelPayment(pausedAt('action.written_down'), requestOf(), id)
  await expect(cancel).rejects.toMatchObject({ code: 'outcome_unknown' })
  const { transaction_status } = await service.ctx.gateway.getStatus(order_id)
  expect(transaction_status).toBe('pending')
})
