// The order id of a refused payment may belong to another owner by now.
import { afterEach, expect, test } from 'vitest'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, fault, clearFaults, rowOf, alarmsOf } = bench
afterEach(clearFaults)

/** Refused for the first owner, and made for the second under the same order id. */
async function takenByAnother(second: string) {
  const order_id = service.fresh('shared')
  const body = { status_code: '429', status_message: 'too many' }
  await fault('charge', 'status', { options: { http_status: 429, body } })
  const input = await chargeOf('gopay', { order_id })
  await expect(createCharge(service.ctx, input, requestOf('owner-1'))).rejects.toMatchObject({
    code: 'gateway_rate_limited',
  })
  const refused = String((await rowOf(order_id))?.['id'])
  const made = bodyOf(await createCharge(service.ctx, input, requestOf(second)))
  return { refused, made }
}

test('the status of a refused payment shows nothing of another owner’s transaction', async () => {
  const { refused, made } = await takenByAnother('owner-2')
  const { caller } = requestOf('owner-1')
  const answer = await getStatus(service.ctx, caller, refused).catch((error: unknown) => error)
  expect(JSON.stringify(answer)).not.toContain(String(made['transaction_id']))
})

test('the status of a refused payment that was charged again opens no alarm', async () => {
  const { refused } = await takenByAnother('owner-1')
  const { caller } = requestOf('owner-1')
  await getStatus(service.ctx, caller, refused).catch((error: unknown) => error)
  expect(await alarmsOf(refused)).toEqual([])
})
