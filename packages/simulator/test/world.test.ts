// Unit tests of clock, queue, random numbers, times, amounts and routes.
import { describe, expect, test } from 'vitest'
import { retriesFor, waitBeforeRetry } from '../src/notify/retry_policy.ts'
import { parseAmount, rupiah } from '../src/wire/amounts.ts'
import { signNotification } from '../src/wire/signature.ts'
import { addMonths, nextDayAt, parseTime, wibTime, zonedTime } from '../src/wire/times.ts'
import { RouteTable } from '../src/http/route_table.ts'
import { Clock } from '../src/world/clock.ts'
import { DueQueue } from '../src/world/due_queue.ts'
import { Random } from '../src/world/random.ts'
import { passesLuhn } from '../src/world/vault.ts'

describe('times', () => {
  test.each([
    ['2026-01-05 12:00:00', '2026-01-05T05:00:00Z'],
    ['2026-01-05 12:00:00 +0700', '2026-01-05T05:00:00Z'],
    ['2026-01-05 12:00:00 +0000', '2026-01-05T12:00:00Z'],
    ['2026-01-05T12:00:00Z', '2026-01-05T12:00:00Z'],
    ['2026-01-05T12:00:00.123456', '2026-01-05T05:00:00Z'],
    ['2026-01-05 12:00', '2026-01-05T05:00:00Z'],
  ])('%s means %s', (text, utc) => {
    expect(parseTime(text)).toBe(Date.parse(utc))
  })

  test.each(['', 'tomorrow', '2026-13-01 00:00:00', '05/01/2026'])('%j is no time', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })

  test('are written in Jakarta, and read back to the same instant', () => {
    const at = Date.UTC(2026, 11, 31, 20, 0, 0)
    expect(wibTime(at)).toBe('2027-01-01 03:00:00')
    expect(zonedTime(at)).toBe('2027-01-01 03:00:00 +0700')
    expect(parseTime(zonedTime(at))).toBe(at)
  })

  test.each([
    ['2026-01-05 00:00:00', '2026-01-06 16:00:00'],
    ['2026-01-05 15:59:59', '2026-01-06 16:00:00'],
    ['2026-01-05 23:59:59', '2026-01-06 16:00:00'],
    ['2026-12-31 12:00:00', '2027-01-01 16:00:00'],
  ])('the run after %s is at %s', (from, run) => {
    expect(wibTime(nextDayAt(parseTime(from) ?? 0, 16))).toBe(run)
  })

  test.each([
    ['2026-01-31 10:00:00', 1, '2026-02-28 10:00:00'],
    ['2028-01-31 10:00:00', 1, '2028-02-29 10:00:00'],
    ['2026-01-31 03:00:00', 2, '2026-03-31 03:00:00'],
    ['2026-11-30 23:30:00', 3, '2027-02-28 23:30:00'],
    ['2026-05-05 00:00:00', 12, '2027-05-05 00:00:00'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(wibTime(addMonths(parseTime(from) ?? 0, months))).toBe(to)
  })
})

describe('amounts', () => {
  test('are printed with two decimals that are always nought', () => {
    expect(rupiah(44_000)).toBe('44000.00')
  })

  test.each([
    ['44000', 44_000],
    [44_000, 44_000],
    ['44000.00', undefined],
    [1.5, undefined],
    [-1, undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is read as %j', (value, amount) => {
    expect(parseAmount(value)).toBe(amount)
  })
})

describe('the signature', () => {
  // gateway-protocol.md#signature, the documented inputs.
  test('agrees with the published vector', () => {
    const signed = { order_id: '1111', status_code: '200', gross_amount: '100000.00' }
    const signature = signNotification(signed, 'askvnoibnosifnboseofinbofinfgbiufglnbfg')
    expect(signature).toMatch(/^edc076b2[0-9a-f]+4c231$/)
    expect(signature).toHaveLength(128)
  })
})

describe('retries', () => {
  test.each([
    [200, 0],
    [299, 0],
    [302, 0],
    [304, 5],
    [400, 2],
    [500, 1],
    [503, 4],
    [504, 5],
    [undefined, 5],
  ])('after %j: %i', (status, retries) => {
    expect(retriesFor(status)).toBe(retries)
  })

  test('wait about as long as published, never less than 33 s the first time', () => {
    const random = new Random(1)
    const waits = Array.from({ length: 1000 }, () => waitBeforeRetry(0, random) / 1000)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(33)
    expect(Math.max(...waits)).toBeLessThanOrEqual(207)
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
    expect(Math.abs(mean - 120)).toBeLessThan(10)
  })
})

describe('the queue', () => {
  test('gives events back by time, and those of one instant in the order they came', () => {
    const queue = new DueQueue()
    const random = new Random(5)
    const given = Array.from({ length: 2000 }, (_, index) => ({
      at: Math.floor(random.fraction() * 50),
      index,
    }))
    const taken: { at: number; index: number }[] = []
    for (const event of given) queue.push(event.at, () => void taken.push(event))
    expect(queue.size).toBe(2000)
    for (let event = queue.popDue(50); event; event = queue.popDue(50)) void event.run()
    expect(taken).toEqual(given.toSorted((a, b) => a.at - b.at || a.index - b.index))
    expect(queue.nextAt()).toBeUndefined()
  })

  test('keeps what is not due', () => {
    const queue = new DueQueue()
    queue.push(10, () => {})
    expect(queue.popDue(9)).toBeUndefined()
    expect(queue.popDue(10)?.at).toBe(10)
  })
})

describe('the clock', () => {
  test('runs what an event schedules inside the same advance, at its own time', async () => {
    const clock = new Clock({ frozen: true, start: 1000 })
    const seen: number[] = []
    clock.schedule(2000, () => {
      seen.push(clock.now())
      clock.schedule(clock.now() + 500, () => void seen.push(clock.now()))
    })
    await clock.moveTo(5000)
    expect(seen).toEqual([2000, 2500])
    expect(clock.now()).toBe(5000)
    clock.close()
  })

  test('waits for what an event started before it goes on', async () => {
    const clock = new Clock({ frozen: true, start: 0 })
    const order: string[] = []
    const slow = Promise.withResolvers<void>()
    clock.schedule(1, async () => {
      await slow.promise
      order.push('slow')
    })
    clock.schedule(2, () => void order.push('next'))
    const moved = clock.moveTo(10)
    slow.resolve()
    await moved
    expect(order).toEqual(['slow', 'next'])
    clock.close()
  })

  test('runs two advances one after the other', async () => {
    const clock = new Clock({ frozen: true, start: 0 })
    await Promise.all([clock.advance(10), clock.advance(5)])
    expect(clock.now()).toBe(15)
    clock.close()
  })
})

describe('random numbers', () => {
  test('repeat for a seed and differ between seeds', () => {
    const draw = (seed: number): string => new Random(seed).uuid()
    expect(draw(1)).toBe(draw(1))
    expect(draw(1)).not.toBe(draw(2))
  })

  test('make a quarter of a million UUIDs without a repetition', () => {
    const random = new Random(3)
    const seen = new Set<string>()
    for (let index = 0; index < 250_000; index += 1) seen.add(random.uuid())
    expect(seen.size).toBe(250_000)
  })

  test('come in the length that was asked for', () => {
    const random = new Random(4)
    expect(random.digits(32)).toMatch(/^\d{32}$/)
    expect(random.hex(24)).toMatch(/^[0-9a-f]{24}$/)
    expect(random.letters(20)).toMatch(/^[A-Za-z]{20}$/)
  })

  test('are spread evenly enough to decide faults by', () => {
    const random = new Random(6)
    const hits = Array.from({ length: 10_000 }, () => random.fraction()).filter((x) => x < 0.3)
    expect(Math.abs(hits.length - 3000)).toBeLessThan(150)
  })
})

describe('routes', () => {
  const table = new RouteTable([
    { method: 'GET', path: '/v2/token', name: 'token' },
    { method: 'GET', path: '/v2/{id}/status', name: 'status' },
    { method: 'POST', path: '/v2/{id}/status', name: 'other' },
  ])

  test.each([
    ['GET', '/v2/order-1/status', 'status', { id: 'order-1' }],
    ['GET', '/v2/a%2Fb/status', 'status', { id: 'a/b' }],
    ['POST', '/v2/x/status', 'other', { id: 'x' }],
    ['GET', '/v2/token', 'token', {}],
  ])('%s %s', (method, path, name, params) => {
    expect(table.find(method, path)).toMatchObject({ route: { name }, params })
  })

  test.each(['/v2//status', '/v2/%zz/status', '/v2/x/status/y', '/'])(
    '%s leads nowhere',
    (path) => {
      expect(table.find('GET', path)).toBeUndefined()
    },
  )
})

describe('the Luhn check', () => {
  test.each(['4811111111111114', '5211111111111117', '4024007176265022'])('%s', (number) => {
    expect(passesLuhn(number)).toBe(true)
  })

  test.each(['4811111111111115', '4811', '', 'abcdefghijklmnop'])('%j fails', (number) => {
    expect(passesLuhn(number)).toBe(false)
  })
})
