// A refund that the gateway refused for now and still lists: it was made, once.
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { alarmAbout } from '../../src/services/payments/record_step.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { approveRefund } from '../../src/services/staff/refund_requests.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { afterEach, describe, expect, test } from 'vitest'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, fault, clearFaults, rowOf, settledWallet, resolve, caller } = bench
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

  test.each([['as the only one'], ['beside another']])(
    'known with the second try: both are recorded, and its alarm stays open, %s',
    async (how) => {
      const is_open_already = how === 'beside another'
      const { id, order_id } = await settledWallet()
      const request = requestOf('owner-1', `twice ${how}`)
      await refuseForNow()
      const refund = async () => await refundPayment(service.ctx, request, id, { amount: 30_000 })
      await expect(refund()).rejects.toMatchObject({ code: 'gateway_rate_limited' })
      const [first] = await refundsOf(id)
      await fault('refund', 'drop_after', { times: 2 })
      await fault('get_status', 'drop_before', { times: 9 })
      await expect(refund()).rejects.toMatchObject({ code: 'outcome_unknown' })
      await clearFaults()
      await madeAfterAll(order_id, first?.['id'], 30_000)
      const payment = { id, owner_id: 'owner-1' }
      const unclear = 'refund: the gateway has not shown whether it was carried out'
      if (is_open_already)
        await service.database.do(
          async (tx) => await alarmAbout(tx, payment, 'outcome_unknown', unclear),
        )
      await resolve()
      expect(await rowOf(order_id)).toMatchObject({ refunded: '60000.00', reserved: '0.00' })
      const open = await service.database.sql(
        'select detail from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
        [id],
      )
      const made = `a refund of ${order_id} was refused, and the gateway lists it as made`
      expect(open).toEqual([{ detail: is_open_already ? `${unclear}; ${made}` : made }])
    },
  )

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
