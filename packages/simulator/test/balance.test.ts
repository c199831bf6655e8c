// The merchant's balance: fees, VAT, cut-offs, payouts and what takes money back, and the two ways
// in which the gateway reports it.
import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Rig, textOf, type Answer, type Body } from './rig.ts'

const rig = new Rig().install()

const balance = async (): Promise<Body> => await rig.sim('GET /_sim/balance?limit=1000')
const lines = async (): Promise<[string, string][]> =>
  listOf(await balance(), 'lines').map((line) => [textOf(line, 'kind'), textOf(line, 'amount')])

async function paid(order_id: string, body: string, gross_amount = 100_000): Promise<string> {
  const id = idOf(await rig.charge(order_id, { ...BODIES[body], gross_amount }))
  await rig.act(id, 'pay')
  return id
}

describe('fees', () => {
  test.each([
    ['bca', 100_000, '-4000.00', '-440.00'],
    ['gopay', 100_000, '-2000.00', '-220.00'],
    ['gopay', 44_151, '-883.02', '-97.13'],
    ['qris', 10_001, '-70.01', '-7.70'],
    ['bca', 4_000, '-4000.00', undefined],
  ])('%s of %i keeps %s and %s', async (method, gross, fee, vat) => {
    await paid('order-1', method, gross)
    const kept = [['fee', fee], ...(vat === undefined ? [] : [['vat', vat]])]
    expect(await lines()).toEqual([['payment', `${gross}.00`], ...kept])
  })

  test('a reversed payment gives fee and VAT back; a refund and a chargeback do not', async () => {
    await rig.act(await paid('order-1', 'permata'), 'reverse')
    expect(await balance()).toMatchObject({ overall: '0.00' })
    await rig.act(await paid('order-2', 'gopay'), 'refund', { amount: 40_000 })
    expect(await balance()).toMatchObject({ overall: '57780.00' })
    const card = idOf(await rig.card('order-3', { authentication: false }))
    await rig.act(card, 'settle')
    await rig.act(card, 'chargeback')
    // 2.9 % of 44,000 and 2,000, with VAT.
    expect(await balance()).toMatchObject({ overall: '54143.64' })
  })
})

describe('cut-offs', () => {
  test('money becomes available after three business days: a weekend and a holiday are none', async () => {
    // Monday 5 January 2026; the 8th is the third business day after it.
    await paid('order-1', 'bca')
    await rig.advance({ days: 2 })
    expect(await balance()).toMatchObject({ effective: '0.00', pending: '95560.00' })
    await rig.advance({ days: 1 })
    expect(await balance()).toMatchObject({ effective: '95560.00', pending: '0.00' })
    // Tuesday 13 January: the 16th is a holiday and the 17th a Saturday, so Monday the 19th.
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-13 12:00:00' })
    await paid('order-2', 'bca')
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-18 23:59:59' })
    expect(await balance()).toMatchObject({ pending: '95560.00' })
    await rig.advance({ seconds: 2 })
    expect(await balance()).toMatchObject({ pending: '0.00', effective: '191120.00' })
  })

  test('the calendar is data: without holidays the same payment is available earlier', async () => {
    await rig.sim('PATCH /_sim/settings', { holidays: [] })
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-13 12:00:00' })
    await paid('order-1', 'bca')
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-16 00:00:01' })
    expect(await balance()).toMatchObject({ pending: '0.00' })
    const bad = await rig.refusedBySim('PATCH /_sim/settings', { holidays: ['tomorrow'] })
    expect(bad.body['error']).toMatch(/holidays/)
  })

  test('time advances by business days', async () => {
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-15 12:00:00' })
    await rig.advance({ business_days: 1 })
    expect(await rig.sim('GET /_sim/clock')).toMatchObject({ wib: '2026-01-19 12:00:00' })
  })
})

describe('payouts', () => {
  beforeEach(async () => {
    await paid('order-1', 'bca')
    await rig.advance({ business_days: 3 })
  })

  test('asked for after 11:00, the money is at the bank on the next business day at 15:00', async () => {
    const asked = await rig.sim('POST /_sim/payouts')
    expect(asked).toMatchObject({ amount: '95560.00', status: 'REQUESTED' })
    expect(textOf(asked, 'bank_reference')).toMatch(/^WLST[0-9a-f]{14}$/)
    expect(await balance()).toMatchObject({ effective: '0.00', overall: '0.00' })
    await rig.advance({ business_days: 1 })
    await rig.advance({ hours: 3 })
    const [payout = {}] = listOf(await rig.sim('GET /_sim/payouts'), 'payouts')
    expect(payout).toMatchObject({ status: 'SUCCESS', succeeded_at: '2026-01-09T08:00:00.000Z' })
  })

  test('one that fails, even after it was paid, gives the money back', async () => {
    const { id } = await rig.sim('POST /_sim/payouts')
    await rig.sim(`POST /_sim/payouts/${String(id)}/complete`)
    await rig.sim(`POST /_sim/payouts/${String(id)}/fail`)
    expect(await balance()).toMatchObject({ effective: '95560.00' })
    await rig.refusedBySim(`POST /_sim/payouts/${String(id)}/fail`)
  })

  test.each([
    ['more than is available', '2026-01-08 12:00:00', { amount: 95_561 }, /only 95560.00/],
    ['less than the least', '2026-01-08 12:00:00', { amount: 49_999 }, /least/],
    ['after midnight', '2026-01-09 00:30:00', {}, /between 00:00 and 01:00/],
  ])('%s is refused', async (_, now, body, reason) => {
    await rig.sim('POST /_sim/clock/set', { now })
    const refused = await rig.refusedBySim('POST /_sim/payouts', body)
    expect(refused.body['error']).toMatch(reason)
  })
})

test('the balance of a window is opening and closing, and windows join', async () => {
  const mutation = async (day: string): Promise<Body> => {
    const at = (time: string) => encodeURIComponent(`${day}T${time}+07:00`)
    const query = `currency=IDR&start_time=${at('00:00:00')}&end_time=${at('23:59:59')}`
    return (await rig.wire(`GET /v1/balance/mutation?${query}`)).body
  }
  await paid('order-1', 'gopay', 44_151)
  await rig.advance({ days: 1 })
  await paid('order-2', 'bca')
  await rig.advance({ days: 1 })
  const [first, second] = [await mutation('2026-01-05'), await mutation('2026-01-06')]
  expect(first).toMatchObject({ opening_balance_overall: 0, closing_balance_overall: 43_170.85 })
  expect(second).toMatchObject({
    opening_balance_overall: 43_170.85,
    closing_balance_overall: 138_730.85,
    closing_balance_pending: 138_730.85,
  })
  const unzoned = 'currency=IDR&start_time=2026-01-05T00:00:00&end_time=2026-01-05T23:59:59'
  expect((await rig.wire(`GET /v1/balance/mutation?${unzoned}`)).http_status).toBe(400)
})

describe('the transaction history', () => {
  let keys: Body
  let token = ''
  let made = 0

  const stamp = '2026-01-05T12:00:00+07:00'

  async function buyToken(): Promise<Answer> {
    const key = createPrivateKey(textOf(keys, 'private_key'))
    const text = Buffer.from(`${textOf(keys, 'client_id')}|${stamp}`)
    return await rig.wire(
      'POST /v1.0/access-token/b2b',
      { grantType: 'client_credentials' },
      {
        'x-client-key': textOf(keys, 'client_id'),
        'x-timestamp': stamp,
        'x-signature': sign('RSA-SHA256', text, key).toString('base64'),
      },
    )
  }

  async function ask(path: string, body: Body, more: Record<string, string> = {}): Promise<Answer> {
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    const text = ['POST', path, token, digest, stamp].join(':')
    const hmac = createHmac('sha512', textOf(keys, 'client_secret')).update(text)
    return await rig.wire(`POST ${path}`, body, {
      authorization: `Bearer ${token}`,
      'x-timestamp': stamp,
      'x-signature': hmac.digest('base64'),
      'x-partner-id': textOf(keys, 'partner_id'),
      'x-external-id': `e-${(made += 1)}`,
      'channel-id': '12345',
      ...more,
    })
  }
  const LIST = '/v1.0/transaction-history-list'
  const listed = async (body: Body): Promise<Body[]> =>
    listOf((await ask(LIST, body)).body, 'detailData')

  beforeEach(async () => {
    keys = await rig.sim('POST /_sim/bi_snap/keys')
    token = textOf((await buyToken()).body, 'accessToken')
  })

  test('a payment and a payout as lines, with the fee that was kept', async () => {
    const id = await paid('order-1', 'bca')
    await rig.advance({ business_days: 3 })
    token = textOf((await buyToken()).body, 'accessToken')
    const { id: payout_id, bank_reference } = await rig.sim('POST /_sim/payouts')
    const [payment, withdrawal] = await listed({ sortOrder: 'ASC' })
    expect(payment).toMatchObject({
      dateTime: '2026-01-05T12:00:00+07:00',
      amount: { value: '95560.00', currency: 'IDR' },
      type: 'PAYMENT',
      additionalInfo: {
        referenceNo: id,
        partnerReferenceNo: 'order-1',
        status: 'SETTLEMENT',
        channel: 'bank_transfer',
        fee: { value: '4440.00' },
      },
    })
    expect(withdrawal).toMatchObject({
      amount: { value: '95560.00' },
      type: 'RECEIVE_MONEY',
      additionalInfo: { referenceNo: payout_id, partnerReferenceNo: bank_reference },
    })
    const detail = await ask('/v1.0/transaction-history-detail', {
      additionalInfo: { referenceNo: payout_id },
    })
    expect(detail.body['additionalInfo']).toMatchObject({ withdrawal: { bankCode: '008' } })
  })

  test('pages hold every line once; a shifted page leaves one out, a repeated line is extra', async () => {
    for (let index = 0; index < 7; index += 1)
      await rig.charge(`order-${index}`, BODIES['qris'] ?? {})
    const pages = async (): Promise<string[]> => {
      const found: string[] = []
      for (let pageNumber = 0; pageNumber < 3; pageNumber += 1) {
        for (const line of await listed({ pageSize: 3, pageNumber, sortOrder: 'ASC' })) {
          found.push(textOf(line['additionalInfo'] as Body, 'partnerReferenceNo'))
        }
      }
      return found
    }
    expect(new Set(await pages()).size).toBe(7)
    await rig.fault({ effect: 'shifted_page', times: 1 })
    expect(new Set(await pages()).size).toBe(6)
    await rig.fault({ effect: 'repeated_lines', times: 1 })
    const repeated = await pages()
    expect([repeated.length, new Set(repeated).size]).toEqual([8, 7])
  })

  test.each([
    ['another token', { authorization: 'Bearer other' }, '4011201'],
    ['a wrong signature', { 'x-signature': 'AAAA' }, '4011200'],
    ['another partner', { 'x-partner-id': 'other' }, '4001202'],
    ['no channel', { 'channel-id': '' }, '4001202'],
  ])('%s is refused', async (_, headers, code) => {
    expect((await ask(LIST, {}, headers)).body['responseCode']).toBe(code)
  })

  test('an external id counts once a day, and a token fifteen minutes', async () => {
    expect((await ask(LIST, {}, { 'x-external-id': 'same' })).http_status).toBe(200)
    expect((await ask(LIST, {}, { 'x-external-id': 'same' })).body['responseCode']).toBe('4091200')
    await rig.advance({ minutes: 15 })
    expect((await ask(LIST, {})).body['responseCode']).toBe('4011201')
  })

  test('keys that were replaced buy no token', async () => {
    const old = keys
    await rig.sim('POST /_sim/bi_snap/keys')
    keys = old
    expect((await buyToken()).body['responseCode']).toBe('4017300')
  })
})
