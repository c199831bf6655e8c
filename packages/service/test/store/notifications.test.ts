import { expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import {
  findDuplicates,
  findRepeated,
  ORDER_ROWS_MAX,
  insertNotifications,
  listUnmatched,
  resolveUnmatched,
} from '../../src/store/notifications/rows.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { newNotification } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const stored = async (id: string) =>
  await here.sql('select * from gapura.gateway_notification where id = $1', [id])

test('a batch is stored whole, and each id has its own row', async () => {
  const batch = Array.from({ length: 50 }, (_, index) =>
    newNotification({
      order_id: `batch-${index}`,
      effect: index % 8 === 0 ? 'duplicate' : 'applied',
      payment_id: index % 3 === 0 ? null : newId(),
      raw_payload: { index, text: 'a\0b' },
    }),
  )
  await here.do(async (tx) => await insertNotifications(tx, batch, await readClock(tx)))
  for (const [index, { id, order_id, effect, payment_id }] of batch.entries()) {
    expect(await stored(id)).toMatchObject([
      { order_id, effect, payment_id, raw_payload: { index, text: 'a\uFFFDb' } },
    ])
  }
})

test('one that cannot be stored fails its batch, and the others can be sent alone', async () => {
  const good = newNotification({ order_id: 'good' })
  const bad = newNotification({ effect: 'no such effect' as 'applied' })
  await expect(
    here.do(async (tx) => await insertNotifications(tx, [good, bad], await readClock(tx))),
  ).rejects.toThrow('effect_known')
  expect(await stored(good.id)).toEqual([])
  await here.do(async (tx) => await insertNotifications(tx, [good], await readClock(tx)))
  expect(await stored(good.id)).toHaveLength(1)
})

test('a duplicate is the same payload for the same order, within a day', async () => {
  const raw_payload = {
    order_id: 'duplicate',
    transaction_status: 'settlement',
    n: [1, { a: null }],
  }
  const first = newNotification({ order_id: 'duplicate', raw_payload })
  await here.do(async (tx) => await insertNotifications(tx, [first], await readClock(tx)))
  const again = newNotification({ order_id: 'duplicate', raw_payload })
  const confirmed = newNotification({
    order_id: 'duplicate',
    raw_payload: { ...raw_payload, n: [2] },
  })
  const elsewhere = newNotification({ order_id: 'other', raw_payload })
  const duplicates = async () =>
    await here.do(
      async (tx) => await findDuplicates(tx, await findRepeated(tx, [elsewhere, again, confirmed])),
    )
  expect(await duplicates()).toEqual({
    duplicates: new Map([[again.id, first.id]]),
    full: new Set(),
  })
  await here.do(async (tx) => await moveClock(tx, 25 * 3_600_000))
  expect(await duplicates()).toEqual({ duplicates: new Map(), full: new Set() })
})

test('an order with the maximum stored within a day is full, another is not', async () => {
  const many = Array.from({ length: ORDER_ROWS_MAX }, (_, at) =>
    newNotification({ order_id: 'full', raw_payload: { at } }),
  )
  const next = newNotification({ order_id: 'full', raw_payload: { at: 'next' } })
  const [first] = many
  const again = newNotification({ order_id: 'full', raw_payload: { at: 0 } })
  const elsewhere = newNotification({ order_id: 'not full' })
  const heard = async () =>
    await here.do(
      async (tx) => await findDuplicates(tx, await findRepeated(tx, [next, again, elsewhere])),
    )
  await here.do(async (tx) => await insertNotifications(tx, many.slice(1), await readClock(tx)))
  expect((await heard()).full).toEqual(new Set())
  await here.do(async (tx) => await insertNotifications(tx, many.slice(0, 1), await readClock(tx)))
  expect(await heard()).toEqual({
    duplicates: new Map([[again.id, first?.id]]),
    full: new Set([next.id, again.id]),
  })
})

test('the sweep sees unmatched ones until each is resolved, once', async () => {
  const unmatched = [1, 2].map((n) => newNotification({ effect: 'unmatched', order_id: `u${n}` }))
  await here.do(
    async (tx) =>
      await insertNotifications(
        tx,
        [...unmatched, newNotification({ effect: 'stale' })],
        await readClock(tx),
      ),
  )
  const open = await here.do(async (tx) => await listUnmatched(tx, 100))
  expect(open.map(({ id }) => id).sort()).toEqual(unmatched.map(({ id }) => id).sort())
  const [one, other] = open
  if (one === undefined || other === undefined) throw new Error('expected two')
  const payment_id = newId()
  await here.do(async (tx) => {
    const matched = {
      effect: 'applied',
      payment_id,
      owner_id: 'owner-1',
      reason: 'a cycle',
    } as const
    expect(await resolveUnmatched(tx, one, matched)).toBe(true)
    expect(await resolveUnmatched(tx, one, matched)).toBe(false)
    // For an unknown order, with an alarm: it stays unmatched, but the sweep is done with it.
    const alarm = { effect: 'unmatched', payment_id: null, owner_id: null, reason: 'ping' } as const
    expect(await resolveUnmatched(tx, other, alarm)).toBe(true)
    expect(await listUnmatched(tx, 100)).toEqual([])
  })
  expect(await stored(one.id)).toMatchObject([
    { effect: 'applied', payment_id, owner_id: 'owner-1' },
  ])
})
