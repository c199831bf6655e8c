import { describe, expect, test } from 'vitest'
import { FairQueue, type FairQueueOptions, type Leave } from './fair_queue.ts'

class Refused extends Error {
  override toString(): string {
    return 'refused'
  }
}

/** A queue with timers that the test fires, and a list of served and refused requests, in order. */
function queueOf(options: Partial<FairQueueOptions> = {}) {
  const timers = new Set<() => void>()
  const queue = new FairQueue({
    slots_max: 1,
    waiting_max: 100,
    wait_ms_max: 1_000,
    startTimer: (fire) => {
      timers.add(fire)
      return () => timers.delete(fire)
    },
    refusal: () => new Refused(),
    ...options,
  })
  const seen: string[] = []
  const inside: Leave[] = []
  const enter = async (owner_id: string, name: string, urgent: boolean): Promise<void> => {
    try {
      inside.push(await queue.enter({ owner_id, urgent }))
      seen.push(name)
    } catch (error) {
      seen.push(`${name} ${String(error)}`)
    }
  }
  const come = async (owner_id: string, name = owner_id, urgent = false): Promise<void> => {
    void enter(owner_id, name, urgent)
    await settled()
  }
  const leave = async (times = 1): Promise<void> => {
    for (let at = 0; at < times; at++) {
      inside.shift()?.()
      await settled()
    }
  }
  const expire = async (): Promise<void> => {
    for (const fire of timers) fire()
    timers.clear()
    await settled()
  }
  return { queue, seen, inside, timers, come, leave, expire }
}

/** Lets every promise that is ready run on. */
const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  test('owners are served in turn, and of one owner the first comes first', async () => {
    const { seen, come, leave } = queueOf()
    await come('first')
    for (const name of ['a 1', 'a 2', 'a 3']) await come('a', name)
    await come('b', 'b 1')
    await come('c', 'c 1')
    await come('b', 'b 2')
    await leave(6)
    expect(seen).toEqual(['first', 'a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3'])
  })

  test('urgent work that never ends leaves every fifth slot to work that is not urgent', async () => {
    const { seen, come, leave } = queueOf()
    await come('first')
    await come('a', 'a read')
    for (let at = 1; at <= 6; at++) await come('b', `b write ${at}`, true)
    await leave(7)
    expect(seen.indexOf('a read')).toBe(5)
  })

  test('urgent work is served before work that came earlier and is not urgent', async () => {
    const { seen, come, leave } = queueOf()
    await come('first')
    await come('a', 'a read')
    await come('b', 'b write', true)
    await come('a', 'a write', true)
    await leave(3)
    expect(seen).toEqual(['first', 'b write', 'a write', 'a read'])
  })
})

describe('reserves', () => {
  test('work that is not urgent leaves the reserve to urgent work', async () => {
    const { seen, come } = queueOf({ slots_max: 4, urgent_reserve: 1 })
    for (const owner of ['a', 'b', 'c', 'd']) await come(owner, `${owner} read`)
    expect(seen).toEqual(['a read', 'b read', 'c read'])
    await come('e', 'e write', true)
    await come('f', 'f write', true)
    expect(seen).toEqual(['a read', 'b read', 'c read', 'e write'])
  })

  test('urgent work may use every slot, and a slot it leaves goes to what waits', async () => {
    const { seen, come, leave } = queueOf({ slots_max: 2, urgent_reserve: 1 })
    await come('a', 'a write', true)
    await come('b', 'b write', true)
    await come('c', 'c read')
    expect(seen).toEqual(['a write', 'b write'])
    await leave()
    expect(seen).toEqual(['a write', 'b write', 'c read'])
  })

  test.each([
    ['urgent', true],
    ['not urgent', false],
  ])('an owner that holds its share waits, and others pass it: %s', async (_, urgent) => {
    const { seen, come, leave } = queueOf({ slots_max: 3, owner_reserve: 1 })
    for (const name of ['a 1', 'a 2', 'a 3']) await come('a', name, urgent)
    expect(seen).toEqual(['a 1', 'a 2'])
    await come('b', 'b 1', urgent)
    expect(seen).toEqual(['a 1', 'a 2', 'b 1'])
    await leave()
    expect(seen).toEqual(['a 1', 'a 2', 'b 1', 'a 3'])
  })

  test('an owner leaves others a part of the slots for work that is not urgent', async () => {
    const { seen, come } = queueOf({ slots_max: 4, urgent_reserve: 1, owner_reserve: 1 })
    for (const name of ['a 1', 'a 2', 'a 3']) await come('a', name)
    await come('b', 'b 1')
    await come('a', 'a write', true)
    expect(seen).toEqual(['a 1', 'a 2', 'b 1', 'a write'])
  })

  test('reserves that leave an owner no slot are refused at once', () => {
    expect(() => queueOf({ slots_max: 2, urgent_reserve: 1, owner_reserve: 1 })).toThrow(RangeError)
    expect(() => queueOf({ slots_max: Number.NaN })).toThrow(/at least one slot/)
  })
})

describe('a full queue', () => {
  test('refuses the next of the owner that fills it', async () => {
    const { queue, seen, come } = queueOf({ waiting_max: 2 })
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) await come('a', name)
    expect(seen).toEqual(['a 1', 'a 4 refused'])
    expect(queue.waiting).toBe(2)
  })

  test('gives another owner a place, which the newest of the longest queue loses', async () => {
    const { queue, seen, come, leave } = queueOf({ waiting_max: 3 })
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) await come('a', name)
    await come('b', 'b 1')
    expect(seen).toEqual(['a 1', 'a 4 refused'])
    expect(queue.waiting).toBe(3)
    await leave(3)
    expect(seen).toEqual(['a 1', 'a 4 refused', 'a 2', 'b 1', 'a 3'])
  })

  test('gives another owner a place of urgent work, if the longest queue has no other', async () => {
    const { seen, come } = queueOf({ waiting_max: 2 })
    await come('first')
    await come('a', 'a 1', true)
    await come('a', 'a 2', true)
    await come('b', 'b 1')
    expect(seen).toEqual(['first', 'a 2 refused'])
  })

  test('takes the place for urgent work from the owner with the most that is not', async () => {
    const { seen, come } = queueOf({ waiting_max: 4 })
    await come('first')
    for (const name of ['a 1', 'a 2']) await come('a', name)
    await come('b', 'b 1')
    await come('c', 'c 1', true)
    await come('c', 'c 2', true)
    expect(seen).toEqual(['first', 'a 2 refused'])
  })

  test('refuses an owner whose queue is as long as any other', async () => {
    const { seen, come } = queueOf({ waiting_max: 2 })
    await come('first')
    await come('a')
    await come('b')
    await come('c')
    expect(seen).toEqual(['first', 'c refused'])
  })

  test('gives urgent work the place of work that is not, and never the other way round', async () => {
    const { seen, come, leave } = queueOf({ waiting_max: 2 })
    await come('first')
    await come('a', 'a read 1')
    await come('a', 'a read 2')
    await come('a', 'a write', true)
    expect(seen).toEqual(['first', 'a read 2 refused'])
    await come('a', 'a read 3')
    await leave(2)
    expect(seen).toEqual(['first', 'a read 2 refused', 'a read 3 refused', 'a write', 'a read 1'])
  })

  test('without places to wait, whatever finds no slot is refused', async () => {
    const { seen, come } = queueOf({ waiting_max: 0 })
    await come('a')
    await come('b')
    expect(seen).toEqual(['a', 'b refused'])
  })
})

describe('waiting too long', () => {
  test('refuses whatever still waits, and its place is free', async () => {
    const { queue, seen, come, leave, expire } = queueOf()
    await come('first')
    await come('a')
    await expire()
    expect(seen).toEqual(['first', 'a refused'])
    expect(queue.waiting).toBe(0)
    await come('b')
    await leave()
    expect(seen).toEqual(['first', 'a refused', 'b'])
  })

  test('at the moment it is served, it keeps the slot and no slot is lost', async () => {
    // A timer that cannot be stopped any more, as when it and the slot come in the same moment.
    const fired: (() => void)[] = []
    const startTimer = (fire: () => void) => {
      fired.push(fire)
      return () => undefined
    }
    const { queue, seen, inside, come, leave } = queueOf({ startTimer })
    await come('first')
    await come('a', 'a 1')
    await come('a', 'a 2')
    inside.shift()?.()
    fired[0]?.()
    await settled()
    expect(seen).toEqual(['first', 'a 1'])
    expect(queue.waiting).toBe(1)
    await leave()
    expect(seen).toEqual(['first', 'a 1', 'a 2'])
    await leave()
    await come('b')
    await come('c')
    expect(seen).toEqual(['first', 'a 1', 'a 2', 'b'])
  })

  test('just before a slot is free, the slot goes to the next', async () => {
    const { seen, inside, timers, come } = queueOf()
    await come('first')
    await come('a')
    await come('b')
    const [fire] = timers
    fire?.()
    inside.shift()?.()
    await settled()
    expect(seen).toEqual(['first', 'a refused', 'b'])
  })

  test('no timer is left of what was served, refused or displaced', async () => {
    const { queue, timers, come, leave } = queueOf({ waiting_max: 2 })
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) await come('a', name)
    await come('a', 'a write', true)
    expect(timers.size).toBe(2)
    await leave(3)
    expect(timers.size).toBe(0)
    expect(queue.waiting).toBe(0)
  })
})

describe('leaving', () => {
  test('an error inside the work frees the slot and reaches the caller', async () => {
    const { queue, seen, come } = queueOf()
    const request = { owner_id: 'a', urgent: false }
    const work = async () => await Promise.reject(new Error('inside'))
    await expect(queue.run(request, work)).rejects.toThrow('inside')
    await come('b')
    expect(seen).toEqual(['b'])
  })

  test('twice gives back one slot', async () => {
    const { seen, inside, come } = queueOf()
    await come('a')
    await come('b')
    await come('c')
    const [leave] = inside
    leave?.()
    leave?.()
    await settled()
    expect(seen).toEqual(['a', 'b'])
  })
})
