// An outcome that stays unknown opens an alarm within a day, also while it is sent again.
import { afterEach, expect, test } from 'vitest'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { useFaults } from '../services/fault_bench.ts'
import { requestOf } from '../services/service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, fault, clearFaults, later, alarmsOf, settledWallet } = bench
const HOUR = 3_600_000
afterEach(clearFaults)

test('a refund that the gateway never answers clearly, though it answers reads, opens an alarm', async () => {
  const { id } = await settledWallet()
  await fault('refund', 'status', {
    times: null,
    options: { http_status: 200, body: { status_code: '500', status_message: 'sorry' } },
  })
  await expect(
    refundPayment(service.ctx, requestOf('owner-1', 'unclear'), id, { amount: 30_000 }),
  ).rejects.toMatchObject({ code: 'outcome_unknown' })
  for (let hours = 0; hours < 30; hours++) {
    await later(HOUR)
    await resolveOperations(service.ctx, 10)
  }
  expect(await alarmsOf(id)).toContain('outcome_unknown')
})
