// A caller that may no longer see a payment learns nothing of it, also while the gateway is down.
import { expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'

const { service, later, settledWallet } = useFaults({ breaker_rest_ms: 1 })
const asked = (staff: boolean) => ({
  ...requestOf('desk', 'of-staff'),
  caller: { owner_id: 'desk', staff, scopes: SCOPES },
})

test('a former staff member repeats a refund made for an owner: not_found', async () => {
  const { id } = await settledWallet()
  bodyOf(await refundPayment(service.ctx, asked(true), id, { amount: 10_000 }))
  await later(25 * 3_600_000)
  await service.database.sql('delete from gapura.operation_reply')
  const not_found = { kind: 'problem', code: 'not_found' }
  expect(await refundPayment(service.ctx, asked(false), id, { amount: 10_000 })).toEqual(not_found)
  const gateway = new Proxy(service.ctx.gateway, {
    get: (target, name) =>
      name === 'available' ? false : (Reflect.get(target, name, target) as unknown),
  })
  const away = await refundPayment({ ...service.ctx, gateway }, asked(false), id, {
    amount: 10_000,
  })
  expect(away).toEqual(not_found)
})
