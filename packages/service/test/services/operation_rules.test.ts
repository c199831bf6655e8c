// Rules of the operation engine that need no database: leases, ages, and what staff may believe.
import { describe, expect, test } from 'vitest'
import { gatewayError } from '../../src/domain/errors.ts'
import { OPERATION_STATES, type GatewayOperation } from '../../src/domain/operation.ts'
import { heldOf, isLeased } from '../../src/services/operations/lease.ts'
import { shownBy, shownUnder } from '../../src/services/operations/manual.ts'
import type { StaffOrder } from '../../src/services/operations/operation_type.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 15) + seconds * 1_000)
const operation = {
  created_at: at(0),
  sent_at: at(30),
  updated_at: at(90),
} as GatewayOperation

describe('a lease', () => {
  test.each(OPERATION_STATES)('of an operation that is %s holds only while it is sent', (state) => {
    const leased = (due_at: Date | null) => isLeased({ ...operation, state, due_at }, at(90))
    expect(leased(at(91))).toBe(state === 'started')
    expect(leased(at(90))).toBe(false)
    expect(leased(null)).toBe(false)
  })

  test('says how long ago the operation was sent and made', () => {
    expect(heldOf(operation)).toEqual({ operation, quiet_ms: 60_000, age_ms: 90_000 })
  })
})

describe('what the gateway shows to staff', () => {
  const fails = (code: Parameters<typeof gatewayError>[0]) => async () =>
    await Promise.reject(gatewayError(code))

  test('is its answer, or that it has none', async () => {
    expect(await shownBy(async () => await Promise.resolve('x'))).toEqual({
      kind: 'seen',
      answer: 'x',
    })
    expect(await shownBy(async () => await Promise.resolve(undefined))).toEqual({ kind: 'absent' })
    expect(await shownBy(fails('gateway_not_found'))).toEqual({ kind: 'absent' })
    expect(await shownBy(fails('outcome_unknown'))).toEqual({ kind: 'absent' })
  })

  test('is nothing that can be decided on while it cannot be queried', async () => {
    await expect(shownBy(fails('gateway_unavailable'))).rejects.toMatchObject({
      code: 'gateway_unavailable',
    })
    const broken = async () => await Promise.reject(new Error('broken'))
    await expect(shownBy(broken)).rejects.toThrow('broken')
  })
})

describe('what the gateway has under an id that staff gave', () => {
  const orderOf = (outcome: StaffOrder['outcome'], gateway_id?: string) =>
    ({ outcome, gateway_id }) as StaffOrder
  const query = async (id: string) => await Promise.resolve({ id, amount: 5 })
  const agrees = () => undefined
  const differs = () => 'has another amount'

  test('is recorded if it is our object', async () => {
    expect(await shownUnder(orderOf('done', 'g-1'), query, agrees)).toEqual({
      kind: 'seen',
      answer: { id: 'g-1', amount: 5 },
    })
  })

  test('is not asked for without an id', async () => {
    expect(await shownUnder(orderOf('done'), query, agrees)).toEqual({ kind: 'absent' })
  })

  test('is a fault of the order if it is another object, or nothing', async () => {
    const nothing = async () => await Promise.reject(gatewayError('gateway_not_found'))
    await expect(shownUnder(orderOf('done', 'g-1'), query, differs)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'gateway_id', message: 'has another amount' }],
    })
    await expect(shownUnder(orderOf('done', 'g-1'), nothing, agrees)).rejects.toMatchObject({
      errors: [{ field: 'gateway_id', message: 'the gateway has nothing under this id' }],
    })
  })

  test('does not count against an operation that staff mark as not made', async () => {
    expect(await shownUnder(orderOf('refused', 'g-1'), query, differs)).toEqual({ kind: 'absent' })
  })
})
