// Refunds that take a second person, over HTTP as the dashboard decides them (ADR 0010).
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { REFUNDED } from '../../src/http/payment_schemas.ts'
import { PULSE } from '../../src/http/staff/desk.ts'
import { PAYMENT_PULSE, STAFF_PAYMENT } from '../../src/http/staff/payment_schemas.ts'
import { REFUND_REQUEST, REFUND_REQUEST_PAGE } from '../../src/http/staff/refund_requests.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp({ refunds: { second_person_above: 50_000, hold_hours: 2 } })
const CLERK = { as: 'clerk' } as const
const SECOND = { as: 'second' } as const
const URL = '/staff/refund_requests/'

const fits = (schema: TSchema, value: unknown) =>
  expect([...Compile(schema).Errors(value)]).toEqual([])
const rowsOf = (body: Json): Json[] => body['results'] as Json[]

/** A paid payment with a refund that waits, as `as` asked for it. */
async function held(as: string, amount = 60_000) {
  const { id, order_id } = await http.settled()
  const path = as === 'ani' ? 'payments' : 'staff/payments'
  const asked = await http.post(`/${path}/${id}/refund/`, {
    as,
    body: { amount, reason: 'broken' },
  })
  expect(asked.body).toMatchObject({ status: 400, code: 'refund_held' })
  const { body } = await http.get(`${URL}?payment_id=${id}`, CLERK)
  const [request] = rowsOf(body)
  return { id, order_id, request: String(request?.['id']) }
}

const AGREED = { ...SECOND, body: { reason: 'seen the photo' } }
const decide = async (request: string, decision: string, sent: object) =>
  await http.post(`${URL}${request}/${decision}/`, sent)
const refunded = async (order_id: unknown) => (await http.ledger(order_id))?.['refunded'] ?? 0

describe('/staff/refund_requests/', () => {
  test('200 lists what waits, and what waited by its state', async () => {
    const { id, request } = await held('ani')
    const { body, text } = await http.get(`${URL}?state=held`, CLERK)
    fits(REFUND_REQUEST_PAGE, body)
    expect(rowsOf(body)[0]).toMatchObject({
      id: request,
      payment_id: id,
      requested_by: 'ani',
      amount: '60000.00',
      reason: 'broken',
      state: 'held',
    })
    expect(text).not.toContain('fingerprint')
    expect((await http.get(`${URL}?state=holding`, CLERK)).status).toBe(400)
  })

  test('200 on the payment, and both pulses change', async () => {
    const pulse = async () => (await http.get('/staff/pulse/', CLERK)).body
    const before = await pulse()
    const { id, request } = await held('clerk')
    const after = await pulse()
    fits(PULSE, after)
    expect(Number(after['held_refunds']) - Number(before['held_refunds'])).toBe(1)
    const beat = async () => (await http.get(`/staff/payments/${id}/pulse/`, CLERK)).body
    const asked = await beat()
    fits(PAYMENT_PULSE, asked)
    await decide(request, 'decline', { ...SECOND, body: { reason: 'goods not returned' } })
    expect((await beat())['refund_requests_at']).not.toBe(asked['refund_requests_at'])
    const shown = (await http.get(`/staff/payments/${id}/`, CLERK)).body
    fits(STAFF_PAYMENT, shown)
    expect(shown['refund_requests']).toMatchObject([
      { id: request, requested_by: 'desk', state: 'declined' },
    ])
  })
})

describe('/staff/refund_requests/{pk}/approve/', () => {
  test('200 makes it once, in the name of who asked, with who agreed and why', async () => {
    const { id, order_id, request } = await held('clerk')
    const body = { reason: 'seen the photo' }
    const made = await decide(request, 'approve', { ...SECOND, body })
    fits(REFUNDED, made.body)
    expect(made.body).toMatchObject({ refund: { amount: '60000.00', status: 'succeeded' } })
    const again = await decide(request, 'approve', AGREED)
    expect([again.status, again.text]).toEqual([200, made.text])
    expect(await refunded(order_id)).toBe(60_000)
    const detail = (await http.get(`/staff/payments/${id}/`, CLERK)).body
    expect(detail['refund_requests']).toMatchObject([
      { state: 'approved', decided_by: 'eka', decision_reason: 'seen the photo' },
    ])
    const audit = await http.database.sql(
      `select actor, action, reason from gapura.audit_unsealed where subject_id = $1 and action like 'refund.%' order by id`,
      [request],
    )
    expect(audit).toEqual([
      { actor: 'desk', action: 'refund.hold', reason: 'broken' },
      { actor: 'eka', action: 'refund.approve', reason: 'seen the photo' },
    ])
  })

  test('400 without a reason, and nothing is refunded', async () => {
    const { order_id, request } = await held('clerk')
    for (const body of [{}, { reason: '  ' }]) {
      const refused = await decide(request, 'approve', { ...SECOND, body })
      expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'reason' }] })
    }
    expect(await refunded(order_id)).toBe(0)
  })

  test('400 second_person_needed: not by who asked for it', async () => {
    const { order_id, request } = await held('clerk')
    const own = await decide(request, 'approve', { ...CLERK, body: { reason: 'my own' } })
    expect(own.body).toMatchObject({ status: 400, code: 'second_person_needed' })
    expect(await refunded(order_id)).toBe(0)
  })

  test('400 refund_request_ended once its time is over; it is listed as expired', async () => {
    const { id, request } = await held('ani')
    await http.database.do(async (tx) => await moveClock(tx, 3 * 3_600_000))
    const late = await decide(request, 'approve', AGREED)
    expect(late.body).toMatchObject({ status: 400, code: 'refund_request_ended' })
    const listed = async (state: string) =>
      rowsOf((await http.get(`${URL}?state=${state}&payment_id=${id}`, CLERK)).body)
    expect(await listed('held')).toEqual([])
    expect(await listed('expired')).toMatchObject([{ id: request, state: 'expired' }])
  })

  test('403 without staff:act or payments:refund; 404 for a missing one', async () => {
    const { request } = await held('ani')
    expect((await decide(request, 'approve', { as: 'reader' })).status).toBe(403)
    expect((await decide(request, 'approve', { as: 'staff' })).status).toBe(403)
    expect((await decide(request, 'approve', { as: 'ani' })).status).toBe(404)
    expect((await decide(http.fresh('gone'), 'approve', SECOND)).status).toBe(404)
  })
})

describe('/staff/refund_requests/{pk}/decline/', () => {
  test('200 with a reason, also by who asked; 400 without one', async () => {
    const { order_id, request } = await held('clerk')
    expect((await decide(request, 'decline', { ...SECOND, body: {} })).status).toBe(400)
    const body = { reason: 'goods not returned' }
    const no = await decide(request, 'decline', { ...SECOND, body })
    fits(REFUND_REQUEST, no.body)
    expect(no.body).toMatchObject({
      state: 'declined',
      decided_by: 'eka',
      decision_reason: body.reason,
    })
    const late = await decide(request, 'approve', AGREED)
    expect(late.body).toMatchObject({ status: 400, code: 'refund_request_ended' })
    expect(await refunded(order_id)).toBe(0)
    const mine = await held('clerk')
    const back = await decide(mine.request, 'decline', { ...CLERK, body: { reason: 'a slip' } })
    expect(back.body).toMatchObject({ state: 'declined', decided_by: 'desk' })
  })
})
