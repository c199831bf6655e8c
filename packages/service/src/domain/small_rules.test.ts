// Rules of few lines: staff ids, open operations, reconciliation, the audit's form, error traces.
import { describe, expect, test } from 'vitest'
import { FOREIGN_ORDERS_SUBJECT } from './alarm.ts'
import { AUDIT_ACTIONS, AUDIT_GENESIS, canonicalEntry } from './audit.ts'
import { traceOf } from './error_trace.ts'
import { isOpen, OPERATION_STATES } from './operation.ts'
import { actionsFor, CAUSE_NAMES, CAUSES, PICKED_UP_CAUSES } from './reconciliation.ts'
import { isStaffId, staffIdOf } from './staff.ts'
import { NO_TELEMETRY } from './telemetry.ts'

describe('a staff id', () => {
  test.each(['dewi', 'd', '7eleven', 'dewi.s_2-b', 'x'.repeat(100)])('may be %s', (id) => {
    expect(isStaffId(id)).toBe(true)
  })

  test.each(['', 'Dewi', '.dewi', '-dewi', 'dewi@example.com', 'dewi s', 'x'.repeat(101)])(
    'may not be %j',
    (id) => {
      expect(isStaffId(id)).toBe(false)
    },
  )

  test.each([
    ['Dewi.S@example.com', 'dewi.s'],
    ['dewi+staff  one@example.com', 'dewi-staff-one'],
    ['a_b-c@example.com', 'a_b-c'],
  ])('of %s is %s', (email, id) => {
    expect(staffIdOf(email)).toBe(id)
  })
})

test.each(OPERATION_STATES)('an operation that is %s is open only without an outcome', (state) => {
  expect(isOpen({ state })).toBe(['started', 'unknown'].includes(state))
})

describe('a discrepancy', () => {
  test.each(CAUSE_NAMES)(
    '%s can always be accepted, and its proposed action comes first',
    (cause) => {
      const actions = actionsFor(cause)
      expect(actions[0]).toBe(CAUSES[cause].proposed)
      expect(actions.filter((action) => action === 'accept')).toHaveLength(1)
    },
  )

  test('may have other actions than the proposed one', () => {
    expect(actionsFor('amount_differs')).toEqual(['refresh', 'write_off', 'accept'])
    expect(actionsFor('fee_missing')).toEqual(['accept'])
  })

  test.each(PICKED_UP_CAUSES)('%s is queried without staff, as its proposal says', (cause) => {
    expect(CAUSES[cause].proposed).toBe('refresh')
  })
})

describe('the audit', () => {
  test('hashes every field in a fixed order, with a version', () => {
    const at = new Date('2026-11-15T00:00:00Z')
    const entry = {
      seq: 7,
      sealed_at: at,
      id: 'a-1',
      occurred_at: at,
      actor: 'dewi',
      actor_kind: 'staff' as const,
      action: 'refund.approve',
      subject_kind: 'refund',
      subject_id: 'r-1',
      owner_id: null,
      reason: 'returned goods',
      request_id: null,
      operation_id: null,
      detail: '{}',
    }
    const iso = '"2026-11-15T00:00:00.000Z"'
    expect(canonicalEntry(entry)).toBe(
      `["gapura-audit-1",7,${iso},"a-1",${iso},"dewi","staff","refund.approve","refund","r-1",null,` +
        '"returned goods",null,null,"{}"]',
    )
  })

  test('begins with a hash of zeros and knows its actions by subject', () => {
    expect(AUDIT_GENESIS).toMatch(/^0{64}$/)
    expect(AUDIT_ACTIONS).toContain('retention.drop')
    for (const action of AUDIT_ACTIONS) expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/)
  })
})

describe('the trace of an error', () => {
  test('has its causes, without their secrets', () => {
    const cause = new Error('key Mid-server-abcDEF_123 refused')
    const trace = traceOf(new Error('charge failed', { cause }))
    expect(trace).toHaveLength(2)
    expect(trace[0]).toContain('charge failed')
    expect(trace[0]).toContain('small_rules.test')
    expect(trace[1]).toContain('key [secret] refused')
  })

  test('ends after five causes, and is empty for what is no error', () => {
    let error = new Error('first')
    for (let i = 0; i < 10; i++) error = new Error('next', { cause: error })
    expect(traceOf(error)).toHaveLength(5)
    expect(traceOf('text')).toEqual([])
  })

  test('has the message of an error without a stack', () => {
    const error = new Error('no stack')
    delete (error as { stack?: string }).stack
    expect(traceOf(error)).toEqual(['no stack'])
  })
})

test('work that nothing traces gives its result', async () => {
  const step = { name: 's', kind: 'server', attributes: {} } as const
  await expect(NO_TELEMETRY.trace(step, async () => await Promise.resolve(5))).resolves.toBe(5)
})

test('all orders of another system share one alarm', () => {
  expect(FOREIGN_ORDERS_SUBJECT).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})
