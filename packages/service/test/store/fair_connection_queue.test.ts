import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Leave } from '../../src/domain/fair_queue.ts'
import { FairConnectionQueue, connectionQueueOf } from '../../src/store/connection/database.ts'

/** A full queue, and the order in which those that wait get a connection. */
async function full(max = 1) {
  const queue = new FairConnectionQueue(max)
  const inside: Leave[] = []
  for (let at = 0; at < max; at++) inside.push(await queue.enter())
  const entered: string[] = []
  const enter = async (who: string, name: string): Promise<void> => {
    try {
      inside.push(await queue.forOwner(who).enter())
      entered.push(name)
    } catch {
      entered.push(`${name} gave up`)
    }
  }
  const come = (who: string, name = who): void => void enter(who, name)
  const leave = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      inside.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    }
  }
  return { queue, entered, come, leave }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('owners take turns: no owner waits behind the thousand requests of another', async () => {
  const { entered, come, leave } = await full()
  for (let at = 0; at < 1_000; at++) come('flood', `flood ${at}`)
  come('ani')
  come('budi')
  come('ani', 'ani again')
  await leave(6)
  expect(entered).toEqual(['flood 0', 'ani', 'budi', 'flood 1', 'ani again', 'flood 2'])
})

test('requests of one owner are served first come, first served', async () => {
  const { entered, come, leave } = await full(2)
  for (const name of ['a', 'b', 'c']) come('ani', name)
  await leave(3)
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('never more hold a connection than allowed, however many come and go', async () => {
  const { queue, entered, come, leave } = await full(2)
  for (let at = 0; at < 5; at++) come(`owner ${at}`)
  expect(entered).toHaveLength(0)
  await leave(7)
  expect(entered).toHaveLength(5)
  // All have left: two enter at once, a third waits.
  await queue.enter()
  await queue.enter()
  come('late')
  await vi.advanceTimersByTimeAsync(0)
  expect(entered).toHaveLength(5)
})

test('a request that waits too long is refused, and its place in the queue is gone', async () => {
  const { entered, come, leave } = await full()
  come('ani')
  await vi.advanceTimersByTimeAsync(3_000)
  come('ani', 'ani later')
  come('budi')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(entered).toEqual(['ani gave up'])
  await leave(2)
  expect(entered).toEqual(['ani gave up', 'ani later', 'budi'])
})

test('a pool that is too small has no queue', () => {
  expect(connectionQueueOf(4)).toBeNull()
  expect(connectionQueueOf(5)).toBeInstanceOf(FairConnectionQueue)
})
