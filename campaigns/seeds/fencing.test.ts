import { describe, expect, test } from 'vitest'
import { seeded } from '../bench/random.ts'
import { Fencing, type Change } from './fencing.ts'
import { VirtualClock, type Owner } from './virtual.ts'

const NOW = Date.UTC(2026, 0, 15)
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString()

const process = (name: string): Owner => ({
  name,
  alive: true,
  paused_until: 0,
  random: seeded(1),
  clock: new VirtualClock(),
})
const api = process('api-1')
const resolver = process('resolver-1')

const operation = {
  id: 'one',
  subject_kind: 'payment',
  subject_id: 'order',
  kind: 'charge',
  state: 'started',
  sends: 1,
  attempt: 1,
  due_at: at(16),
  reply: null,
}
type Operation = typeof operation | (Omit<typeof operation, 'due_at'> & { due_at: null })
const changed = (before: Operation | null, after: Operation): Change => ({
  about: 'operation',
  before,
  after,
})

/** An operation that the API began and the resolver took over after its lease. */
function takenOver(): { fencing: Fencing; held: typeof operation } {
  const fencing = new Fencing()
  fencing.judge(changed(null, operation), api, NOW)
  const held = { ...operation, attempt: 2, due_at: at(60) }
  expect(fencing.judge(changed(operation, held), resolver, NOW + 20_000)).toBeUndefined()
  return { fencing, held }
}

describe('leases of operations', () => {
  test('an operation claimed while its lease is valid is reported', () => {
    const fencing = new Fencing()
    fencing.judge(changed(null, operation), api, NOW)
    const claimed = changed(operation, { ...operation, attempt: 2 })
    expect(fencing.judge(claimed, resolver, NOW)).toMatch(/taken from its process/)
  })

  test.each(['refused', 'succeeded'])('a former holder that ends it as %s is reported', (state) => {
    const { fencing, held } = takenOver()
    const ended = changed(held, { ...held, state, due_at: null })
    expect(fencing.judge(ended, api, NOW)).toMatch(/former holder/)
    expect(fencing.judge(ended, resolver, NOW)).toBeUndefined()
  })

  test('the creation of an invoice may be ended as succeeded by any process', () => {
    const { fencing, held } = takenOver()
    const invoice = { ...held, subject_kind: 'invoice' }
    const ended = (state: string): Change => changed(invoice, { ...invoice, state, due_at: null })
    expect(fencing.judge(ended('succeeded'), api, NOW)).toBeUndefined()
    expect(fencing.judge(ended('refused'), api, NOW)).toMatch(/former holder/)
  })

  test('a lease shortened or released by another process is reported', () => {
    const { fencing, held } = takenOver()
    for (const state of ['started', 'unknown'])
      expect(fencing.judge(changed(held, { ...held, state, due_at: at(2) }), api, NOW)).toMatch(
        /lease of an operation/,
      )
  })

  test('an unclear operation may be made due by any process', () => {
    const { fencing, held } = takenOver()
    const unclear = { ...held, state: 'unknown' }
    fencing.judge(changed(held, unclear), resolver, NOW)
    expect(fencing.judge(changed(unclear, { ...unclear, due_at: at(0) }), api, NOW)).toBeUndefined()
  })
})

describe('leaders of subscribers', () => {
  const subscriber = {
    name: 'effects',
    lease_token: 1,
    lease_holder: 'one',
    lease_until: at(10),
    cursor_xid: '5',
    cursor_object_id: 'object',
    cursor_sequence: 1,
  }
  const about = (before: typeof subscriber, after: typeof subscriber): Change => ({
    about: 'subscriber',
    before,
    after,
  })
  const led = { ...subscriber, lease_token: 2 }

  test('a lead taken while its lease is valid is reported', () => {
    const fencing = new Fencing()
    fencing.judge(about({ ...subscriber, lease_token: 0 }, subscriber), api, NOW)
    expect(fencing.judge(about(subscriber, led), resolver, NOW)).toMatch(/lead of a subscriber/)
  })

  test('a cursor moved by a former leader is reported', () => {
    const fencing = new Fencing()
    fencing.judge(about({ ...subscriber, lease_token: 0 }, subscriber), api, NOW)
    expect(fencing.judge(about(subscriber, led), resolver, NOW + 11_000)).toBeUndefined()
    const moved = about(led, { ...led, cursor_sequence: 2 })
    expect(fencing.judge(moved, api, NOW)).toMatch(/former leader/)
    expect(fencing.judge(moved, resolver, NOW)).toBeUndefined()
  })
})
