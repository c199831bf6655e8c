import { describe, expect, test } from 'vitest'
import { BODIES, idOf, Rig, type Body } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}
const withKey = (key: string): Record<string, string> => ({ 'idempotency-key': key })

describe('Idempotency-Key', () => {
  test('replays the same reply for five minutes, whatever the body says', async () => {
    const first = await rig.charge('order-1', bca, withKey('key-1'))
    expect(await rig.charge('order-2', BODIES['gopay'] ?? {}, withKey('key-1'))).toEqual(first)
    expect(await rig.status('order-2')).toMatchObject({ status_code: '404' })
    await rig.advance({ minutes: 5 })
    expect(await rig.charge('order-1', bca, withKey('key-1'))).toMatchObject({ status_code: '406' })
  })

  test('is one space for all operations', async () => {
    const first = await rig.charge('order-1', bca, withKey('key-1'))
    const cancelled = await rig.wire('POST /v2/order-1/cancel', undefined, withKey('key-1'))
    expect(cancelled.body).toEqual(first)
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'pending' })
  })

  test('is ignored in silence above 46 characters', async () => {
    for (const [length, status_code] of [
      [46, '201'],
      [47, '406'],
    ] as const) {
      const order_id = `order-${length}`
      await rig.charge(order_id, bca, withKey('k'.repeat(length)))
      const again = await rig.charge(order_id, bca, withKey('k'.repeat(length)))
      expect(again).toMatchObject({ status_code })
    }
  })

  test('does not replay a refusal or a denial', async () => {
    const bad = { ...bca, bank_transfer: { bank: 'none' } }
    expect(await rig.charge('order-1', bad, withKey('key-1'))).toMatchObject({ status_code: '400' })
    expect(await rig.charge('order-1', bca, withKey('key-1'))).toMatchObject({ status_code: '201' })
    const card = async (number: string) => ({
      payment_type: 'credit_card',
      credit_card: { token_id: await rig.token(number) },
    })
    const denied = await rig.charge('order-2', await card('4911111111111113'), withKey('key-2'))
    expect(denied).toMatchObject({ status_code: '202' })
    const accepted = await rig.charge('order-2', await card('4811111111111114'), withKey('key-2'))
    expect(accepted).toMatchObject({ status_code: '200' })
  })

  test.each(['permata', 'indomaret'])('does not work for %s', async (name) => {
    await rig.charge('order-1', BODIES[name] ?? {}, withKey('key-1'))
    const again = await rig.charge('order-1', BODIES[name] ?? {}, withKey('key-1'))
    expect(again).toMatchObject({ status_code: '406' })
  })

  test('HTTP 202 while the first request is still running', async () => {
    await rig.fault({ effect: 'delay', times: 1, options: { ms: 600 } })
    const first = rig.charge('order-1', bca, withKey('key-1'))
    let during: { http_status: number; body: Body } = { http_status: 200, body: {} }
    // The first request may not have arrived yet; ask with another order until it has.
    for (let tries = 0; tries < 50 && during.http_status !== 202; tries += 1) {
      await rig.sim('GET /_sim/clock')
      const page = await rig.sim('GET /_sim/faults')
      if (!JSON.stringify(page).includes('"struck":1')) continue
      during = await rig.wire('POST /v2/charge', bca, withKey('key-1'))
    }
    expect(during.http_status).toBe(202)
    const reply = await first
    expect(reply).toMatchObject({ status_code: '201' })
    expect(await rig.charge('order-1', bca, withKey('key-1'))).toEqual(reply)
  })

  test('finds the reply that was lost on the way', async () => {
    await rig.fault({ effect: 'drop_after', times: 1 })
    await expect(rig.charge('order-1', bca, withKey('key-1'))).rejects.toThrow('fetch failed')
    const found = await rig.status('order-1')
    const replayed = await rig.charge('order-1', bca, withKey('key-1'))
    expect(idOf(replayed)).toBe(idOf(found))
    expect(replayed).toMatchObject({ status_code: '201' })
  })
})
