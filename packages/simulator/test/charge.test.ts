import { describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()

const EXTRAS: [string, string[], number][] = [
  ['bca', ['va_numbers', 'fraud_status'], 24 * 60],
  ['bni', ['va_numbers'], 24 * 60],
  ['bri', ['va_numbers'], 24 * 60],
  ['cimb', ['va_numbers'], 24 * 60],
  ['permata', ['permata_va_number'], 24 * 60],
  ['echannel', ['bill_key', 'biller_code'], 24 * 60],
  ['indomaret', ['payment_code', 'store'], 24 * 60],
  ['alfamart', ['payment_code', 'store'], 24 * 60],
  ['gopay', ['actions'], 15],
  ['qris', ['actions', 'qr_string', 'acquirer'], 15],
  ['shopeepay', ['actions'], 15],
  ['dana', ['actions'], 15],
  ['akulaku', ['redirect_url'], 120],
  ['kredivo', ['redirect_url'], 24 * 60],
]

const minutesBetween = (from: string, to: string): number =>
  (Date.parse(`${to.replace(' ', 'T')}Z`) - Date.parse(`${from.replace(' ', 'T')}Z`)) / 60_000

describe('POST /v2/charge', () => {
  test.each(EXTRAS)(
    '201 opens %s with %j and its default expiry',
    async (name, extras, minutes) => {
      const body = await rig.charge('order-1', BODIES[name] ?? {})
      expect(body).toMatchObject({
        status_code: '201',
        transaction_status: 'pending',
        order_id: 'order-1',
        gross_amount: '44000.00',
        currency: 'IDR',
        transaction_time: '2026-01-05 12:00:00',
      })
      expect(body['transaction_id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
      for (const extra of extras) expect(body).toHaveProperty(extra)
      expect(minutesBetween(textOf(body, 'transaction_time'), textOf(body, 'expiry_time'))).toBe(
        minutes,
      )
    },
  )

  test('201 opens OVO for 65 seconds and no longer', async () => {
    const body = await rig.charge('order-1', BODIES['ovo'] ?? {})
    expect(body).toMatchObject({ status_code: '201', payer_phone_number: '081234567890' })
    await rig.advance({ seconds: 64 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'pending' })
    await rig.advance({ seconds: 1 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'expire' })
  })

  test('Indomaret reports no fraud status', async () => {
    expect(await rig.charge('order-1', BODIES['indomaret'] ?? {})).not.toHaveProperty(
      'fraud_status',
    )
  })

  test('the links of a reply lead to pages that exist', async () => {
    for (const name of ['gopay', 'qris', 'shopeepay', 'dana', 'akulaku', 'kredivo']) {
      const body = await rig.charge(`order-${name}`, BODIES[name] ?? {})
      const links = listOf(body, 'actions').map((action) => textOf(action, 'url'))
      if (body['redirect_url'] !== undefined) links.push(textOf(body, 'redirect_url'))
      const pages = links.filter((url) => url.includes('/_sim/') || url.endsWith('/qr-code'))
      expect(pages.length).toBeGreaterThan(0)
      for (const url of pages) expect((await fetch(url)).status).toBe(200)
    }
  })

  test('custom fields and metadata come back in status', async () => {
    const metadata = { gapura_payment_id: 'p-1' }
    await rig.charge('order-1', { ...BODIES['bca'], custom_field1: 'one', metadata })
    expect(await rig.status('order-1')).toMatchObject({ custom_field1: 'one', metadata })
  })
})

describe('an order id', () => {
  test('406 while its transaction is active or paid', async () => {
    await rig.charge('order-1', BODIES['bca'] ?? {})
    expect(await rig.charge('order-1', BODIES['bca'] ?? {})).toMatchObject({ status_code: '406' })
    await rig.act('order-1', 'pay')
    expect(await rig.charge('order-1', BODIES['bca'] ?? {})).toMatchObject({ status_code: '406' })
  })

  test.each(['cancel', 'expire'])('is free again after %s, with a new transaction', async (end) => {
    const first = await rig.charge('order-1', BODIES['bca'] ?? {})
    await rig.wire(`POST /v2/order-1/${end}`)
    const second = await rig.charge('order-1', BODIES['bca'] ?? {})
    expect(second['status_code']).toBe('201')
    expect(second['transaction_id']).not.toBe(first['transaction_id'])
    expect(await rig.status('order-1')).toMatchObject({ transaction_id: second['transaction_id'] })
    expect(await rig.status(idOf(first))).toMatchObject({ transaction_status: end })
  })
})
