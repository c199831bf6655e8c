import { expect, test } from 'vitest'
import type { GatewaySubscription } from '../../src/domain/subscription.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  changeSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  lockSubscription,
  type SubscriptionChange,
} from '../../src/store/subscriptions/rows.ts'
import { newSubscription, ownerOf, STAFF, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

test('a subscription is read back with every property as it was written', async () => {
  const given = newSubscription()
  const change: Required<SubscriptionChange> = {
    gateway_subscription_id: 'gateway-1',
    name: 'Yearly',
    amount: 60_000_00n,
    interval: 2,
    start_time: new Date('2026-11-14T00:00:00.123Z'),
    next_execution_at: new Date('2026-12-14T00:00:00Z'),
    retry_interval: null,
    retry_interval_unit: null,
    retry_max_interval: null,
    status: 'active',
    next_check_at: new Date('2026-11-15T00:00:00Z'),
  }
  await here.do(async (tx) => {
    const subscription = there(await insertSubscription(tx, given))
    expect(subscription).toMatchObject({ ...given, status: 'initiated', version: 1 })
    const changed = there(await changeSubscription(tx, subscription, change))
    const { created_at, updated_at } = changed
    const whole: GatewaySubscription = {
      ...given,
      ...change,
      current_interval: 0,
      last_payment_id: null,
      version: 2,
      created_at,
      updated_at,
    }
    expect(changed).toEqual(whole)
    expect(await lockSubscription(tx, given.id)).toEqual(whole)
    expect(await changeSubscription(tx, subscription, { status: 'inactive' })).toBeUndefined()
    expect(await lockSubscription(tx, newId())).toBeUndefined()
  })
})

test('a minted name is never used twice', async () => {
  const twice = here.do(async (tx) => {
    await insertSubscription(tx, newSubscription({ gateway_name: 'same' }))
    await insertSubscription(tx, newSubscription({ gateway_name: 'same' }))
  })
  await expect(twice).rejects.toThrow('gateway_subscription_gateway_name')
})

test('only the owner and staff see a subscription, alone and in lists', async () => {
  await here.do(async (tx) => {
    const { id } = there(await insertSubscription(tx, newSubscription({ owner_id: 'seen' })))
    const request = { cursor: null, page_size: 100 }
    expect(await findSubscription(tx, ownerOf('other'), id)).toBeUndefined()
    expect(await findSubscription(tx, ownerOf('seen'), id)).toMatchObject({ id })
    expect((await listSubscriptions(tx, ownerOf('other'), {}, request)).results).toEqual([])
    const active = await listSubscriptions(tx, ownerOf('seen'), { status: 'active' }, request)
    expect(active.results).toEqual([])
    const all = await listSubscriptions(tx, STAFF, { status: 'initiated' }, request)
    expect(all.results.map((subscription) => subscription.id)).toContain(id)
  })
})
