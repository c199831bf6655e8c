// What an attacker without a key can do with genuine notifications: repeat them, cut them at other
// places (ADR 0004), or send another status of the same code (ADR 0004).
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { ORDER_ROWS_MAX } from '../../src/store/notifications/rows.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { caller } = requestOf()

const charged = async (order_id: string, gross_amount: number) => {
  const input = { payment_type: 'qris', order_id, gross_amount }
  return bodyOf(await createCharge(service.ctx, input, requestOf()))
}
const statusOf = async (id: string) =>
  (await readPayment(service.ctx, caller, id))?.transaction_status
/** Ours alone: the simulator's own report of the charge may come between. */
const rowsOf = async (order_id: string) =>
  await service.database.sql(
    `select id, effect, reason from gapura.gateway_notification
     where order_id = $1 and transaction_status <> 'pending' order by received_at, id`,
    [order_id],
  )

function notice(order_id: string, gross_amount: string, more: object = {}) {
  const fields = { order_id, status_code: '200', gross_amount }
  const signature_key = signNotification(fields, service.simulator.server_key)
  return { ...fields, signature_key, transaction_status: 'settlement', ...more }
}

describe('digits that move between signed fields', () => {
  test('a report that could be of another order of ours is looked up first', async () => {
    const dear = await charged('wander-1', 20_050_000)
    const cheap = await charged('wander-1200', 50_000)
    // Signed for the cheap one; the same characters say that the expensive one is paid.
    const { signature_key } = notice('wander-1200', '50000.00')
    const forged = { ...notice('wander-1', '20050000.00'), signature_key }
    await receiveNotification(service.ctx, forged)
    expect(await statusOf(dear.id)).toBe('pending')
    expect((await rowsOf('wander-1')).at(-1)).toMatchObject({
      effect: 'deferred',
      reason: 'confirmed_first',
    })
    await receiveNotification(service.ctx, notice('wander-1200', '50000.00'))
    expect(await statusOf(cheap.id)).toBe('pending')
  })

  test('without such an order the report is applied', async () => {
    const alone = await charged('lonely-1', 20_050_000)
    await receiveNotification(service.ctx, notice('lonely-1', '20050000.00'))
    expect(await statusOf(alone.id)).toBe('settlement')
  })
})

describe('the same notification again', () => {
  test('is stored up to a limit per order and day, and then counted under the first of its kind', async () => {
    const { id } = await charged('again-a', 150_000)
    const said = notice('again-a', '150000.00')
    const first = await receiveNotification(service.ctx, said)
    for (let times = 1; times < ORDER_ROWS_MAX + 10; times++) {
      await receiveNotification(service.ctx, said)
    }
    const rows = await rowsOf('again-a')
    expect(rows.length).toBeGreaterThanOrEqual(ORDER_ROWS_MAX - 1)
    expect(rows.length).toBeLessThanOrEqual(ORDER_ROWS_MAX)
    expect(await receiveNotification(service.ctx, said)).toEqual(first)
    const dressed = { ...said, note: 'new' }
    await expect(receiveNotification(service.ctx, dressed)).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    expect(await rowsOf('again-a')).toHaveLength(rows.length)
    expect(await statusOf(id)).toBe('settlement')
  }, 60_000)

  test('but one that changes the payment is stored and applied, however full its order is', async () => {
    const { id } = await charged('moves-a', 150_000)
    const odd = notice('moves-a', '150000.00', { transaction_status: 'no such word' })
    for (let times = 0; times < ORDER_ROWS_MAX + 5; times++) {
      await receiveNotification(service.ctx, { ...odd, times }).catch(() => undefined)
    }
    await receiveNotification(service.ctx, notice('moves-a', '150000.00'))
    expect(await statusOf(id)).toBe('settlement')
    expect((await rowsOf('moves-a')).at(-1)).toMatchObject({ effect: 'applied' })
  }, 60_000)
})

describe('another status of the code 200, where value is confirmed', () => {
  const words = ['settlement', 'capture', 'authorize', 'chargeback', 'refund'] as const
  test.each(words)(
    '%s: nothing changes before the gateway was asked',
    async (transaction_status) => {
      const ctx = withInbox({ ...service.ctx, confirm_notifications: true })
      const order_id = `word-${transaction_status}`
      const { id } = await charged(order_id, 150_000)
      const refunds = [{ refund_key: 'elsewhere', refund_amount: '150000.00' }]
      await receiveNotification(ctx, notice(order_id, '150000.00', { transaction_status, refunds }))
      expect(await statusOf(id)).toBe('pending')
      expect((await rowsOf(order_id)).at(-1)).toMatchObject({ effect: 'deferred' })
    },
  )
})
