// A refund that the gateway refused for now and still lists: it was made, once.
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { approveRefund } from '../../src/services/staff/refund_requests.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { afterEach, describe, expect, test } from 'vitest'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, fault, clearFaults, rowOf, settledWallet, caller } = bench
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
afterEach(clearFaults)

const refuseForNow = async () =>
  await fault('refund', 'status', {
    options: { http_status: 429, body: { status_code: '429', status_message: 'too many' } },
  })
const refundsOf = async (id: string) =>
  await service.database.sql(
    'select id, status from gapura.gateway_refund where payment_id = $1 order by created_at',
    [id],
  )
/** The gateway made it after all, under the key we sent. */
async function madeAfterAll(order_id: string, refund_key: unknown, amount: number) {
  await service.control(`transactions/${order_id}/refund`, { amount, refund_key })
}

describe('a refund refused with 429 that was made', () => {
  test('known before the repeat: a repeat of its key refunds nothing more', async () => {
    const { id, order_id } = await settledWallet()
    const request = requestOf('owner-1', 'limited')
    await refuseForNow()
    await expect(refundPayment(service.ctx, request, id, { amount: 30_000 })).rejects.toMatchObject(
      { code: 'gateway_rate_limited' },
    )
    const [first] = await refundsOf(id)
    await madeAfterAll(order_id, first?.['id'], 30_000)
    await getStatus(service.ctx, caller, id)
    expect(await rowOf(order_id)).toMatchObject({ refunded: '30000.00' })
    const again = bodyOf(await refundPayment(service.ctx, request, id, { amount: 30_000 }))
    expect(again['refund']).toMatchObject({ id: first?.['id'] })
    expect((await service.ledger(order_id))?.refunded).toBe(30_000)
  })

  test('of an approved request, known after the second try: both are recorded', async () => {
    const ctx = { ...service.ctx, refunds: { second_person_above: 20_000_00n, hold_ms: 3_600_000 } }
    const { id, order_id } = await settledWallet()
    const request = requestOf('owner-1', 'approved')
    await expect(refundPayment(ctx, request, id, { amount: 30_000 })).rejects.toMatchObject({
      code: 'refund_held',
    })
    const [held] = await service.database.sql(
      'select id from gapura.refund_request where payment_id = $1',
      [id],
    )
    await refuseForNow()
    await expect(
      approveRefund(ctx, dewi, String(held?.['id']), { reason: 'approved by test' }),
    ).rejects.toMatchObject({
      code: 'gateway_rate_limited',
    })
    await approveRefund(ctx, dewi, String(held?.['id']), { reason: 'approved by test' })
    const [first] = await refundsOf(id)
    await madeAfterAll(order_id, first?.['id'], 30_000)
    await getStatus(ctx, caller, id)
    expect(await rowOf(order_id)).toMatchObject({ refunded: '60000.00' })
  })
})
