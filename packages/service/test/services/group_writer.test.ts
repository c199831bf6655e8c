import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { groupWriter, type GroupLimits, type Outcome } from '../../src/services/group_writer.ts'

interface Item {
  id: string
}

/** A writer whose groups end when the test lets them. */
function bench(limits: Partial<GroupLimits> = {}, subjectOf?: (item: Item) => string) {
  const groups: { ids: string[]; land: (outcomes?: [string, Outcome<string>][]) => void }[] = []
  const writer = groupWriter<Item, string>(
    async (items) =>
      await new Promise((resolve) => {
        const ids = items.map(({ id }) => id)
        const good = ids.map((id): [string, Outcome<string>] => [
          id,
          { done: true, result: `result of ${id}` },
        ])
        groups.push({ ids, land: (outcomes = good) => resolve(new Map(outcomes.toReversed())) })
      }),
    { flights: 1, group_max: 3, waiting_max: 5, ...limits },
    subjectOf,
  )
  return { groups, writer, hand: async (id: string) => await writer.hand({ id }) }
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve))

test('idle: an item is written in the same turn of the event loop, alone', async () => {
  const { groups, hand } = bench()
  const handed = hand('a')
  await turn()
  expect(groups.map(({ ids }) => ids)).toEqual([['a']])
  groups[0]?.land()
  expect(await handed).toBe('result of a')
})

test('under load: a group takes what arrived meanwhile, in order, up to the limit', async () => {
  const { groups, hand } = bench()
  const first = hand('a')
  await turn()
  const rest = ['b', 'c', 'd', 'e'].map(hand)
  await turn()
  expect(groups).toHaveLength(1)
  groups[0]?.land()
  await first
  expect(groups.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c', 'd']])
  groups[1]?.land()
  await rest[0]
  groups[2]?.land()
  expect(await Promise.all(rest)).toEqual(['b', 'c', 'd', 'e'].map((id) => `result of ${id}`))
})

test('as many groups in flight as allowed', async () => {
  const { groups, hand } = bench({ flights: 2, group_max: 1 })
  const handed = ['a', 'b', 'c'].map(hand)
  await turn()
  expect(groups.map(({ ids }) => ids)).toEqual([['a'], ['b']])
  groups[1]?.land()
  await handed[1]
  expect(groups).toHaveLength(3)
  for (const { land } of groups) land()
  await Promise.all(handed)
})

test('two items of one key are never in two groups at once, and keep their order', async () => {
  const { groups, hand } = bench({ flights: 2 }, ({ id }) => id.slice(0, 1))
  const first = hand('a1')
  await turn()
  const rest = ['a2', 'b1', 'a3', 'b2'].map(hand)
  await turn()
  expect(groups.map(({ ids }) => ids)).toEqual([['a1'], ['b1', 'b2']])
  groups[1]?.land()
  await Promise.all([rest[1], rest[3]])
  expect(groups).toHaveLength(2)
  groups[0]?.land()
  await first
  expect(groups[2]?.ids).toEqual(['a2', 'a3'])
  groups[2]?.land()
  expect(await Promise.all(rest)).toHaveLength(4)
})

test('each item gets its own result, whatever the order of the results', async () => {
  const { groups, hand } = bench()
  const handed = ['a', 'b', 'c'].map(hand)
  await turn()
  groups[0]?.land([
    ['c', { done: true, result: 'good' }],
    ['a', { done: false, error: new Error('bad') }],
  ])
  const [a, b, c] = await Promise.allSettled(handed)
  expect(a).toMatchObject({ status: 'rejected', reason: { message: 'bad' } })
  expect(b).toMatchObject({ status: 'rejected', reason: { message: /^b was written without/ } })
  expect(c).toEqual({ status: 'fulfilled', value: 'good' })
})

test('a full queue answers 429, which the gateway retries five times, and accepts more once there is room for it', async () => {
  const { groups, hand } = bench()
  const flying = ['a', 'b', 'c'].map(hand)
  await turn()
  const waiting = ['d', 'e', 'f', 'g', 'h'].map(hand)
  await expect(hand('i')).rejects.toMatchObject({ code: 'too_many_requests', status: 429 })
  groups[0]?.land()
  await Promise.all(flying)
  const late = hand('j')
  groups[1]?.land()
  await waiting[0]
  groups[2]?.land()
  expect(await Promise.all([...waiting, late])).toHaveLength(6)
})

test('drain waits for items in flight and in the queue', async () => {
  const { groups, writer, hand } = bench({ group_max: 1 })
  const handed = ['a', 'b'].map(hand)
  let drained = false
  const drain = writer.drain().then(() => (drained = true))
  await turn()
  groups[0]?.land()
  await handed[0]
  expect(drained).toBe(false)
  groups[1]?.land()
  await Promise.all(handed)
  await drain
  expect(groups).toHaveLength(2)
})

test('a group runs in no caller’s async context', async () => {
  const caller = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const { hand } = groupWriter<Item, string>(
    async (items) => {
      seen.push(caller.getStore())
      return await Promise.resolve(
        new Map(items.map(({ id }) => [id, { done: true, result: id } as const])),
      )
    },
    { flights: 1, group_max: 1, waiting_max: 9 },
  )
  await caller.run('first', async () => await Promise.all([hand({ id: 'a' }), hand({ id: 'b' })]))
  expect(seen).toEqual([undefined, undefined])
})

test('a group whose write fails rejects each of its items, and the next group is written', async () => {
  let fails = true
  const { hand } = groupWriter<Item, string>(
    async (items) => {
      if (fails) throw new Error('the database is away')
      return await Promise.resolve(
        new Map(items.map(({ id }) => [id, { done: true as const, result: id }])),
      )
    },
    { flights: 1, group_max: 3, waiting_max: 5 },
  )
  const results = await Promise.allSettled([hand({ id: 'a' }), hand({ id: 'b' })])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await hand({ id: 'c' })).toBe('c')
})

test('an item without an outcome is rejected with its id', async () => {
  const { groups, hand } = bench()
  const handed = hand('a')
  await turn()
  groups[0]?.land([])
  await expect(handed).rejects.toThrow('no outcome for a')
})
