// What one staff member may refund alone, and what needs two (ADR 0010).
import { afterAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { useHttp } from '../http/http_bench.ts'

const http = useHttp()
const staff = (owner_id: string): Caller => ({ owner_id, staff: true, scopes: SCOPES })
const [dewi, eka] = [staff('dewi'), staff('eka')]
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
const opened: Gapura[] = []
afterAll(async () => {
  for (const gapura of opened) await gapura.close()
})

function gapuraWith(refunds: NonNullable<GapuraOptions['refunds']>): Gapura {
  const { server_key, client_key, url: base_url } = http.parts.simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, client_key, base_url },
    refunds,
  })
  opened.push(gapura)
  return gapura
}

const paid = async () => (await http.settled()).id
const refund = async (gapura: Gapura, caller: Caller, id: string, amount: number, key?: string) =>
  await gapura.api.refundPayment(
    caller,
    id,
    { amount, reason: 'broken' },
    key === undefined ? {} : { idempotencyKey: key },
  )
const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  )
const refundsOf = async (id: string) =>
  (await http.database.sql(
    'select requested_by, approved_by, amount from gapura.gateway_refund where payment_id = $1',
    [id],
  )) as { requested_by: string; approved_by: string | null }[]
const refunded = async (order_id: unknown) => (await http.ledger(order_id))?.['refunded']

describe('in a day', () => {
  test('refund_limit_reached, over all payments, of this caller alone; a day later it may refund again', async () => {
    const gapura = gapuraWith({ daily_limit: 100_000 })
    const budget = staff('budget')
    const [one, two] = [await paid(), await paid()]
    await refund(gapura, budget, one, 60_000)
    const beyond = refund(gapura, budget, two, 40_001)
    await expect(beyond).rejects.toMatchObject({
      code: 'refund_limit_reached',
      errors: [{ field: 'amount', message: 'must be at most 40000.00 until a day has passed' }],
    })
    expect(await refundsOf(two)).toEqual([])
    expect(await codeOf(refund(gapura, eka, two, 90_000))).toBe('done')
    expect(await codeOf(refund(gapura, budget, two, 40_000))).toBe('done')
    expect(await codeOf(refund(gapura, budget, one, 1_000))).toBe('refund_limit_reached')
    await http.database.do(async (tx) => await moveClock(tx, 25 * 3_600_000))
    expect(await codeOf(refund(gapura, budget, one, 1_000))).toBe('done')
  })

  test('a refund that the bank refused and one that a second person approved leave the limit as it was', async () => {
    const gapura = gapuraWith({ daily_limit: 40_000, second_person_above: 50_000, hold_hours: 2 })
    const careful = staff('careful')
    const [refused, approved, last] = [await http.settled(), await paid(), await paid()]
    await http.control(`transactions/${String(refused['order_id'])}/refuse_next`, {
      operation: 'direct_refund',
    })
    const direct = { amount: 40_000, reason: 'broken', direct: true }
    expect(await codeOf(gapura.api.refundPayment(careful, refused.id, direct))).toBe(
      'refund_denied',
    )
    expect(await codeOf(refund(gapura, careful, approved, 60_000))).toBe('refund_held')
    const { results } = await gapura.staff.listRefundRequests(dewi)
    const held = results.find(({ payment_id }) => payment_id === approved)
    await gapura.staff.approveRefund(dewi, held?.id ?? '', { reason: 'approved by test' })
    expect(await codeOf(refund(gapura, careful, last, 40_000))).toBe('done')
    expect(await codeOf(refund(gapura, careful, last, 1_000))).toBe('refund_limit_reached')
  })

  test('ten at once: as many succeed as fit the limit', async () => {
    const gapura = gapuraWith({ daily_limit: 35_000 })
    const hasty = staff('hasty')
    const payments = await Promise.all(Array.from({ length: 10 }, paid))
    const codes = await Promise.all(
      payments.map(async (id) => await codeOf(refund(gapura, hasty, id, 10_000))),
    )
    expect(codes.filter((code) => code === 'done')).toHaveLength(3)
    expect(codes.filter((code) => code === 'refund_limit_reached')).toHaveLength(7)
  })
})

describe('above the amount', () => {
  const settings = { second_person_above: 50_000, hold_hours: 2 }
  const requestsOf = async (gapura: Gapura, payment_id: string) =>
    (await gapura.staff.listRefundRequests(dewi)).results.filter(
      (request) => request.payment_id === payment_id,
    )

  test('400 refund_held: nothing is sent; the second staff member makes it, once', async () => {
    const gapura = gapuraWith(settings)
    const { id, order_id } = await http.settled()
    expect(await codeOf(refund(gapura, ani, id, 50_000))).toBe('done')
    const key = http.fresh('key')
    const held = refund(gapura, ani, id, 60_000, key)
    await expect(held).rejects.toMatchObject({ code: 'refund_held', payment_id: id })
    // The same request, with its key or without: one refund request.
    expect(await codeOf(refund(gapura, ani, id, 60_000, key))).toBe('refund_held')
    expect(await codeOf(refund(gapura, ani, id, 60_000))).toBe('refund_held')
    expect(await codeOf(refund(gapura, ani, id, 70_000, key))).toBe('idempotency_key_reused')
    const [request, ...others] = await requestsOf(gapura, id)
    expect(others).toEqual([])
    expect(request).toMatchObject({ state: 'held', requested_by: 'ani', amount: '60000.00' })
    expect(await refunded(order_id)).toBe(50_000)
    const made = await Promise.all(
      [1, 2, 3].map(
        async () =>
          await codeOf(
            gapura.staff.approveRefund(dewi, request?.id ?? '', { reason: 'approved by test' }),
          ),
      ),
    )
    expect(made).toContain('done')
    const again = await gapura.staff.approveRefund(eka, request?.id ?? '', {
      reason: 'approved by test',
    })
    expect(again.refund).toMatchObject({ amount: '60000.00', status: 'succeeded' })
    expect(await refunded(order_id)).toBe(110_000)
    expect(await refundsOf(id)).toMatchObject([
      { requested_by: 'ani', approved_by: null },
      { requested_by: 'ani', approved_by: 'dewi' },
    ])
    // The caller that asked for it gets the outcome under its own key.
    const repeat = await refund(gapura, ani, id, 60_000, key)
    expect(repeat).toEqual(again)
    expect(await refunded(order_id)).toBe(110_000)
  })

  test('second_person_needed: not by the caller that asked; 403 without the scopes', async () => {
    const gapura = gapuraWith(settings)
    const id = await paid()
    expect(await codeOf(refund(gapura, dewi, id, 60_000))).toBe('refund_held')
    const [request] = await requestsOf(gapura, id)
    const approve = async (caller: Caller) =>
      await codeOf(
        gapura.staff.approveRefund(caller, request?.id ?? '', { reason: 'approved by test' }),
      )
    expect(await approve(dewi)).toBe('second_person_needed')
    expect(await approve(ani)).toBe('forbidden')
    expect(await approve({ ...eka, scopes: ['staff:read', 'staff:act'] })).toBe('forbidden')
    expect(await refundsOf(id)).toEqual([])
    await expect(
      http.database.sql(
        "update gapura.refund_request set state = 'approved', decided_by = requested_by where id = $1",
        [request?.id],
      ),
    ).rejects.toThrow('refund_request_two_people')
    expect(await approve(eka)).toBe('done')
    expect(
      await codeOf(
        gapura.staff.approveRefund(eka, http.fresh('no'), { reason: 'approved by test' }),
      ),
    ).toBe('not_found')
  })

  test('refund_declined: a decline, or no decision in time, ends it', async () => {
    const gapura = gapuraWith(settings)
    const id = await paid()
    const [first, second] = [http.fresh('key'), http.fresh('key')]
    expect(await codeOf(refund(gapura, ani, id, 60_000, first))).toBe('refund_held')
    const [request] = await requestsOf(gapura, id)
    const declined = await gapura.staff.declineRefund(eka, request?.id ?? '', {
      reason: 'goods not returned',
    })
    expect(declined).toMatchObject({
      state: 'declined',
      decided_by: 'eka',
      decision_reason: 'goods not returned',
    })
    expect(await codeOf(refund(gapura, ani, id, 60_000, first))).toBe('refund_declined')
    expect(
      await codeOf(
        gapura.staff.approveRefund(dewi, request?.id ?? '', { reason: 'approved by test' }),
      ),
    ).toBe('refund_request_ended')
    expect(await codeOf(refund(gapura, ani, id, 60_000, second))).toBe('refund_held')
    const [late] = await requestsOf(gapura, id)
    await http.database.do(async (tx) => await moveClock(tx, 3 * 3_600_000))
    expect(
      await codeOf(
        gapura.staff.approveRefund(dewi, late?.id ?? '', { reason: 'approved by test' }),
      ),
    ).toBe('refund_request_ended')
    expect(await codeOf(refund(gapura, ani, id, 60_000, second))).toBe('refund_declined')
    expect(await codeOf(refund(gapura, ani, id, 60_000))).toBe('refund_held')
    expect(await refundsOf(id)).toEqual([])
  })

  test('a refund that breaks a rule or a scope is refused, not held', async () => {
    const gapura = gapuraWith(settings)
    const id = await paid()
    expect(await codeOf(refund(gapura, ani, id, 150_001))).toBe('refund_amount_exceeded')
    const budi: Caller = { owner_id: 'budi', staff: false, scopes: SCOPES }
    expect(await codeOf(refund(gapura, budi, id, 60_000))).toBe('not_found')
    expect(await requestsOf(gapura, id)).toEqual([])
    // Meanwhile it was refunded otherwise: the approved refund can no longer be made.
    expect(await codeOf(refund(gapura, ani, id, 120_000))).toBe('refund_held')
    expect(await codeOf(refund(gapura, ani, id, 50_000))).toBe('done')
    const [request] = await requestsOf(gapura, id)
    expect(
      await codeOf(
        gapura.staff.approveRefund(dewi, request?.id ?? '', { reason: 'approved by test' }),
      ),
    ).toBe('refund_amount_exceeded')
  })

  test('the audit names who asked, who approved and who declined', async () => {
    const rows = await http.database.sql(
      `select action, count(*)::int as times from gapura.audit_unsealed
       where action like 'refund.%' group by action order by action`,
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'refund.approve',
      'refund.decline',
      'refund.hold',
    ])
    const checked = await checkInvariants(http.database.db)
    expect(checked.filter(({ violations }) => violations > 0)).toEqual([])
  })
})

test('a limit that cannot be meant is refused at the start', () => {
  expect(() => gapuraWith({ daily_limit: 0 })).toThrow(RangeError)
  expect(() => gapuraWith({ second_person_above: 1.5 })).toThrow(RangeError)
})
