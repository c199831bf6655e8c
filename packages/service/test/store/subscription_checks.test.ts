import { expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import {
  checkSubscriptionSoon,
  claimDueSubscriptions,
  hintSubscription,
  planSubscriptionCheck,
} from '../../src/store/subscriptions/checks.ts'
import { countCycle, listUnknownCycles } from '../../src/store/subscriptions/cycles.ts'
import {
  changeSubscription,
  findSubscriptionById,
  insertSubscription,
} from '../../src/store/subscriptions/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { addPayment, newSubscription, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const LEASE = { limit: 100, lease_ms: 120_000 }

const added = async (gateway_subscription_id: string | null) =>
  await here.do(async (tx) => {
    const subscription = there(await insertSubscription(tx, newSubscription()))
    return there(await changeSubscription(tx, subscription, { gateway_subscription_id }))
  })

const pass = async (ms: number) => await here.do(async (tx) => await moveClock(tx, ms))
const rowOf = async (id: string) =>
  (
    await here.sql(
      `select hinted_id, extract(epoch from next_check_at - gapura.now())::integer as in_s
     from gapura.gateway_subscription where id = $1`,
      [id],
    )
  )[0]
const claimed = async (id: string) =>
  (await here.do((tx) => claimDueSubscriptions(tx, LEASE))).find((one) => one.id === id)

test('a notice makes a check due, once a minute at most, and leaves no row for an unknown subscription', async () => {
  const { id, gateway_name } = await added('known-1')
  const hint = async (gateway_id: string, name = 'x') =>
    await here.do((tx) => hintSubscription(tx, { gateway_id, gateway_name: name }))
  expect(await hint('unknown')).toBe(false)
  expect(await hint('known-1')).toBe(true)
  expect(await hint('known-1')).toBe(false)
  expect(await claimed(id)).toMatchObject({ id, hinted_id: null })
  // Checked just now: the next time is a minute away, however many arrive.
  expect(await hint('known-1')).toBe(true)
  expect(await hint('known-1')).toBe(false)
  expect(await rowOf(id)).toMatchObject({ in_s: 60 })
  // Its name alone means nothing once the gateway's own id is known.
  expect(await hint('another', gateway_name)).toBe(false)
})

test('a notice finds the one whose creation got no answer, by the name we minted', async () => {
  const { id, gateway_name } = await added(null)
  expect(await here.do((tx) => hintSubscription(tx, { gateway_id: 'g-9', gateway_name }))).toBe(
    true,
  )
  const due = there(await claimed(id))
  expect(due.hinted_id).toBe('g-9')
  await here.do((tx) =>
    planSubscriptionCheck(tx, id, { claimed_at: due.next_check_at, next_check_at: null }),
  )
  expect(await rowOf(id)).toEqual({ hinted_id: null, in_s: null })
})

test('a check is claimed once, is due again after its lease, and a notice meanwhile is not lost', async () => {
  const { id } = await added('known-2')
  await here.do((tx) => checkSubscriptionSoon(tx, id))
  const due = there(await claimed(id))
  expect(await claimed(id)).toBeUndefined()
  await here.do((tx) => hintSubscription(tx, { gateway_id: 'known-2', gateway_name: '' }))
  const later = await here.do(async (tx: Tx) => new Date((await readClock(tx)).getTime() + 9e6))
  await here.do((tx) =>
    planSubscriptionCheck(tx, id, { claimed_at: due.next_check_at, next_check_at: later }),
  )
  expect(await rowOf(id)).toMatchObject({ in_s: 60 })
  await pass(60_000)
  expect(await claimed(id)).toMatchObject({ id })
  await pass(120_000)
  expect(await claimed(id)).toMatchObject({ id })
})

test('cycles are counted by their payments, each once', async () => {
  const { id } = await added('known-3')
  await here.do(async (tx) => {
    expect(await listUnknownCycles(tx, id, ['t-2', 't-1'])).toEqual(['t-2', 't-1'])
    const cycle = { subscription_id: id, payment_type: 'credit_card' as const }
    const paid = await addPayment(tx, { ...cycle, transaction_id: 't-1' })
    await addPayment(tx, { ...cycle, transaction_id: 't-2' })
    await addPayment(tx, { transaction_id: 't-3' })
    await changePayment(tx, paid, { paid_at: new Date() })
    expect(await listUnknownCycles(tx, id, ['t-1', 't-2', 't-3'])).toEqual(['t-3'])
    for (let again = 0; again < 2; again++) {
      expect(await countCycle(tx, { id, payment_id: paid.id })).toMatchObject({
        current_interval: 1,
        last_payment_id: paid.id,
      })
    }
    expect(await countCycle(tx, { id: newId(), payment_id: paid.id })).toBeUndefined()
    expect(await findSubscriptionById(tx, id)).toMatchObject({ version: 2, current_interval: 1 })
    expect(await findSubscriptionById(tx, newId())).toBeUndefined()
  })
})
