// Expected fees (ADR 0034): the rate card, and where its figures are shown.
import { expect, test } from 'vitest'
import { dewi, useLedger } from './ledger_bench.ts'

const { staff, charged, control, look, settledWallet, sql } = useLedger()

test('the card begins with published rates, marked as such', async () => {
  const { rounding, rates } = await staff().listFeeRates(dewi)
  expect(rounding).toBe('half_up')
  expect(rates).toContainEqual(
    expect.objectContaining({
      payment_type: 'bank_transfer',
      channel: null,
      percent: '0',
      fixed_amount: '4000.00',
      vat_percent: '11',
      borne_by: 'merchant',
      origin: 'documented',
    }),
  )
  expect(rates.some(({ origin }) => origin === 'third_party')).toBe(true)
})

test('a paid payment shows fee, VAT and payout; one that is not paid shows none', async () => {
  const waiting = await charged('gopay')
  expect((await staff().getPayment(dewi, waiting.id)).expected.expected_fee).toBeNull()
  const { id } = await settledWallet()
  expect((await staff().getPayment(dewi, id)).expected).toEqual({
    expected_fee: '3000.00',
    expected_vat: '330.00',
    expected_net: '146670.00',
  })
})

test('the rate of a bank goes before that of its method, from its day on', async () => {
  const given = { payment_type: 'bank_transfer', channel: 'bca', percent: '1.25' } as const
  const set = await staff().setFeeRate(dewi, {
    ...given,
    valid_from: '2026-01-31',
    reason: 'contract',
  })
  expect(set).toMatchObject({ percent: '1.25', origin: 'merchant', updated_by: 'dewi' })
  // The same day again replaces it.
  await staff().setFeeRate(dewi, { ...given, valid_from: '2026-01-31', percent: '1.5' })
  const { rates } = await staff().listFeeRates(dewi)
  expect(rates.filter(({ channel }) => channel === 'bca')).toMatchObject([{ percent: '1.5' }])
  const { id, order_id } = await charged('bank_transfer')
  await control(order_id, 'pay')
  await look(id)
  expect((await staff().getPayment(dewi, id)).expected.expected_fee).toBe('2250.00')
  const audit = await staff().listAudit(dewi, { action: 'fee_rate.set' })
  expect(audit).toHaveLength(2)
})

test('the export has the three columns, the overview what each method costs', async () => {
  const { chunks } = await staff().exportPayments(dewi, { payment_type: 'gopay' })
  let text = ''
  for await (const chunk of chunks) text += chunk
  expect(text.split('\r\n', 1)[0]).toMatch(/"expected_fee","expected_vat","expected_net"$/)
  expect(text).toContain('"3000.00","330.00","146670.00"')
  const { costs } = await staff().getOverview(dewi, {})
  expect(costs).toContainEqual({
    payment_type: 'gopay',
    count: 1,
    amount: '150000.00',
    expected_fee: '3000.00',
    expected_vat: '330.00',
    unrated: 0,
  })
})

test('the overview costs what was paid in its days at the rate of each day, whenever it was created', async () => {
  const rate = { payment_type: 'shopeepay', percent: '1' } as const
  await staff().setFeeRate(dewi, { ...rate, valid_from: '2026-03-01' })
  await staff().setFeeRate(dewi, { ...rate, valid_from: '2026-03-11', percent: '3' })
  const paid = [
    ['2026-02-27', '2026-03-01'],
    ['2026-03-02', '2026-03-10'],
    ['2026-03-09', '2026-03-11'],
    ['2026-03-12', '2026-03-13'],
    // Outside: paid the day before, and the day after.
    ['2026-02-20', '2026-02-28'],
    ['2026-03-20', '2026-03-21'],
  ]
  for (const [created, at] of paid) {
    const { id, order_id } = await charged('shopeepay')
    await control(order_id, 'pay')
    await look(id)
    const moved = [id, `${created} 12:00+07`]
    const times = 'set created_at = $2::timestamptz, paid_at = $3::timestamptz where id = $1'
    for (const table of ['gateway_payment', 'gateway_payment_state'])
      await sql(`update gapura.${table} ${times}`, [...moved, `${at} 00:00+07`])
    const term = 'set created_at = $2::timestamptz where payment_id = $1'
    await sql(`update gapura.gateway_payment_term ${term}`, moved)
  }
  const { costs } = await staff().getOverview(dewi, { from: '2026-03-01', until: '2026-03-20' })
  // Two at 1 % and two at 3 % of 150,000.
  expect(costs).toEqual([
    {
      payment_type: 'shopeepay',
      count: 4,
      amount: '600000.00',
      expected_fee: '12000.00',
      expected_vat: '1320.00',
      unrated: 0,
    },
  ])
})

test.each([
  { percent: '101' },
  { percent: '1.23456' },
  { fixed_amount: -1 },
  { valid_from: '2026-02-30' },
  { channel: 'B C A' },
])('a rate with %j is refused', async (given) => {
  const input = { payment_type: 'qris', valid_from: '2026-01-31', ...(given as object) } as const
  await expect(staff().setFeeRate(dewi, input)).rejects.toMatchObject({ code: 'invalid_request' })
})
