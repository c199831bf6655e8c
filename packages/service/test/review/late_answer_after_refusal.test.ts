// Staff end a refund as refused, and then the gateway's answer to it arrives: the refund was made.
import { afterEach, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { factsOf } from '../../src/gateway/facts.ts'
import { recordDone } from '../../src/services/operations/record.ts'
import { PAYMENT_ACTIONS } from '../../src/services/payments/operations.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { listOpenOperations } from '../../src/store/operations/rows.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, fault, clearFaults, later, rowOf, settledWallet } = bench
const staff: Caller = { owner_id: 'staff-1', staff: true, scopes: SCOPES }
afterEach(clearFaults)

test('the refund is recorded, and a repeat of its key gets it instead of the refusal', async () => {
  const { id, order_id } = await settledWallet()
  const request = requestOf('owner-1', 'late-answer')
  const refund = { amount: 30_000, reason: 'broken' }
  await fault('refund', 'drop_before')
  await expect(refundPayment(service.ctx, request, id, refund)).rejects.toMatchObject({
    code: 'outcome_unknown',
  })
  const [operation] = await service.database.do((tx) => listOpenOperations(tx, id))
  const subject = await service.database.do((tx) => findPaymentById(tx, id))
  if (operation === undefined || subject === undefined) throw new Error('not written')
  await later(70_000)
  await resolveOperation(service.ctx, staff, operation.id, { outcome: 'refused', reason: 'absent' })
  expect(await rowOf(order_id)).toMatchObject({ refunded: '0.00', reserved: '0.00' })
  await expect(refundPayment(service.ctx, request, id, refund)).resolves.toMatchObject({
    replayed: true,
    reply: { body: { code: 'refund_denied' } },
  })

  const made = { amount: 30_000, refund_key: operation.refund_id }
  await service.control(`transactions/${order_id}/refund`, made)
  const asked_at = performance.now()
  const answer = factsOf(await service.ctx.gateway.getStatus(order_id))
  if (answer === undefined) throw new Error('no facts')
  const attempt = { operation, subject, source: 'action' as const, request }
  await recordDone(service.ctx, PAYMENT_ACTIONS.refund, { attempt, answer, asked_at })

  expect(await rowOf(order_id)).toMatchObject({ refunded: '30000.00', reserved: '0.00' })
  const repeated = bodyOf(await refundPayment(service.ctx, request, id, refund))
  expect(repeated['refund']).toMatchObject({ id: operation.refund_id, status: 'succeeded' })
  expect((await service.ledger(order_id))?.refunded).toBe(30_000)
})
