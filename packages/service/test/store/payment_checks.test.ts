import { beforeEach, expect, test } from 'vitest'
import {
  checkPaymentsNow,
  claimCheck,
  claimDueChecks,
  listStalePayments,
  setNextCheck,
} from '../../src/store/payments/checks.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { addPayment } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const LEASE_MS = 60_000

beforeEach(async () => {
  await here.sql('update gapura.gateway_payment set next_check_at = null')
})

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const dueIn = async (ms: number): Promise<string> =>
  await here.do(async (tx) => {
    const { id } = await addPayment(tx)
    await setNextCheck(tx, id, after(await readClock(tx), ms), 1)
    return id
  })

const claim = async (limit = 100): Promise<string[]> =>
  await here.do(async (tx) =>
    (await claimDueChecks(tx, { limit, lease_ms: LEASE_MS })).map(({ id }) => id),
  )

test('claims what is due, longest due first, and not what is due later', async () => {
  const late = await dueIn(-1_000)
  const later = await dueIn(-5_000)
  await dueIn(60_000)
  expect(await claim(1)).toEqual([later])
  expect(await claim()).toEqual([late])
  expect(await claim()).toEqual([])
})

test('what was claimed and not done is due again after the lease', async () => {
  const id = await dueIn(-1)
  expect(await claim()).toEqual([id])
  await here.do(async (tx) => await moveClock(tx, LEASE_MS - 1_000))
  expect(await claim()).toEqual([])
  await here.do(async (tx) => await moveClock(tx, 2_000))
  expect(await claim()).toEqual([id])
})

test('two sweeps at once claim each check once, without waiting', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => await dueIn(-1)))
  const claimed = await Promise.all([claim(8), claim(8), claim(8), claim(8)])
  expect(claimed.flat().sort()).toEqual(ids.sort())
})

test('a locked payment is left for the next run', async () => {
  const id = await dueIn(-1)
  let free = await claimWhileLocked(id)
  expect(free).toEqual([])
  free = await claim()
  expect(free).toEqual([id])
})

async function claimWhileLocked(id: string): Promise<string[]> {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = here.do(async (tx) => {
    await lockPayment(tx, id)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const claimed = await claim()
  held.resolve()
  await holder
  return claimed
}

test('checkPaymentsNow makes it due, and keeps an earlier time', async () => {
  const soon = await dueIn(60_000)
  const early = await dueIn(-60_000)
  const none = await here.do(async (tx) => (await addPayment(tx)).id)
  await here.do(async (tx) => {
    for (const id of [soon, early, none]) await checkPaymentsNow(tx, [id])
  })
  const claimed = [...(await claim(1)), ...(await claim())]
  expect(claimed[0]).toBe(early)
  expect(claimed.toSorted()).toEqual([soon, early, none].toSorted())
})

test('null means that nothing is left to check', async () => {
  const id = await dueIn(-1)
  await here.do(async (tx) => await setNextCheck(tx, id, null, 0))
  expect(await claim()).toEqual([])
})

test('one check is claimed by its order, due or not, but not where nothing is left to check', async () => {
  const id = await dueIn(3_600_000)
  const order_id = `order-${id}`
  const once = async (order: string) =>
    await here.do(async (tx) => await claimCheck(tx, { order_id: order }, LEASE_MS))
  const claimed = await once(order_id)
  const now = await here.do(readClock)
  expect(claimed).toMatchObject({ id, order_id, version: 1 })
  expect(claimed?.next_check_at?.getTime()).toBeLessThanOrEqual(now.getTime() + LEASE_MS)
  expect(await claim()).toEqual([])
  await here.do(async (tx) => await setNextCheck(tx, id, null, 0))
  expect(await once(order_id)).toBeUndefined()
  expect(await once('unknown')).toBeUndefined()
})

test('stale payments are the pending ones past their expiry, but not one that is being checked or will be soon', async () => {
  const now = await here.do(readClock)
  const add = async (expiry_time: Date, next_check_at: Date | null) =>
    await here.do(async (tx) => {
      const payment = await addPayment(tx)
      const change = { transaction_status: 'pending', expiry_time, next_check_at } as const
      await changePayment(tx, payment, change)
      return payment.id
    })
  const forgotten = await add(after(now, -60_000), null)
  const distant = await add(after(now, -50_000), after(now, 3_600_000))
  const due = await add(after(now, -40_000), after(now, -1_000))
  await add(after(now, -60_000), after(now, 60_000))
  await add(after(now, 60_000), null)
  const stale = await here.do(async (tx) => await listStalePayments(tx, 10))
  expect(stale.map(({ id }) => id)).toEqual([forgotten, distant, due])
})
