import { expect, test } from 'vitest'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()

/** A day on both clocks, with the sweeps that run in it. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await here.pass(24 * 60)
    await here.sync()
    await here.sweep()
  }
}

const faultsOf: Record<number, object> = {
  // The bank is unreachable at the first try; the gateway retries an hour later.
  3: { effect: 'status', match: { operation: 'subscription_charge' }, times: 1 },
  // Every notification of this month is lost, signed or not.
  5: { effect: 'lost', match: { operation: 'notification' } },
  7: { effect: 'doubled', match: { operation: 'notification' } },
  9: { effect: 'reordered', match: { operation: 'notification' } },
}

test('a year: twelve charges published once each, then inactive, and our records equal the gateway’s', async () => {
  await here.hearNotices()
  const { id } = await here.created()
  for (let month = 1; month <= 13; month++) {
    if (faultsOf[month]) await here.service.control('faults', faultsOf[month])
    // Cycles fall on the same day of each month; 31 days reach the next one every time.
    await passDays(31)
    await here.heal()
  }
  const published = (await here.eventsOf(id)).map(({ type }) => type)
  expect(published).toEqual([
    'subscription_created',
    ...Array.from({ length: 12 }, () => 'subscription_charged'),
    'subscription_disabled',
  ])
  const charged = (await here.eventsOf(id))
    .slice(1, 13)
    .map(({ object }) => object['current_interval'])
  expect(charged).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(await here.read(id)).toMatchObject({ status: 'inactive', current_interval: 12 })
  await agree(id, 12)
  expect(await here.alarmsOf(id)).toEqual([])
}, 120_000)

/** Every cycle of the gateway's ledger is a payment of ours with the same amount, and no other. */
async function agree(id: string, cycles: number): Promise<void> {
  const { gateway_name } = await here.rowOf(id)
  const ledger = await here.atGateway(String(gateway_name))
  const payments = await here.paymentsOf(id)
  expect(ledger).toHaveLength(cycles)
  const ours = payments.map((payment) => [payment['order_id'], Number(payment['captured'])])
  const theirs = ledger.map(([order_id, { captured }]) => [order_id, captured])
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs))
  expect(payments).toHaveLength(cycles)
  for (const payment of payments) {
    expect(payment['transaction_status']).toBe(
      await here.truthOf(String(payment['transaction_id'])),
    )
  }
}

test('a bank that denies: every try is a payment, nothing is charged, and the subscription ends', async () => {
  const token = await here.savedCard('4911111111111113')
  const { id } = await here.created({ token, interval_unit: 'day', retry_max_interval: 2 })
  await passDays(2)
  expect((await here.paymentsOf(id)).map((payment) => payment['transaction_status'])).toEqual([
    'deny',
    'deny',
    'deny',
  ])
  expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
    'subscription_created',
    'subscription_disabled',
  ])
  expect(await here.read(id)).toMatchObject({ status: 'inactive', current_interval: 0 })
})

test('GoPay: cycles are charged from the linked account', async () => {
  const { gateway } = here.service.ctx
  const account = await gateway.createPayAccount({
    payment_type: 'gopay',
    gopay_partner: { phone_number: '81234567890', country_code: '62' },
  })
  const account_id = String(account.account_id)
  await here.service.control(`pay_accounts/${account_id}/link`)
  const { metadata } = await gateway.getPayAccount(account_id)
  const options = (metadata as { payment_options: { token: string }[] }).payment_options
  const { id } = await here.created({
    payment_type: 'gopay',
    token: options[0]?.token,
    gopay: { account_id },
    interval_unit: 'day',
    max_interval: 2,
  })
  await passDays(3)
  expect(await here.read(id)).toMatchObject({ status: 'inactive', current_interval: 2 })
  await agree(id, 2)
})
