// A key that stands for a held refund stands for nothing else, also after the settings change.
import { afterAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { useHttp } from '../http/http_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const http = useHttp()
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
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

const refund = async (gapura: Gapura, payment_id: string, idempotencyKey: string) =>
  await gapura.api
    .refundPayment(ani, payment_id, { amount: 60_000, reason: 'broken' }, { idempotencyKey })
    .catch((error: unknown) => error)
const refunded = async (order_id: unknown) => (await http.ledger(order_id))?.['refunded']

async function held(gapura: Gapura, key: string) {
  const { id, order_id } = await http.settled()
  expect(await refund(gapura, id, key)).toMatchObject({ code: 'refund_held' })
  const { results } = await gapura.staff.listRefundRequests(dewi)
  const request_id = results.find(({ payment_id }) => payment_id === id)?.id ?? ''
  return { id, order_id, request_id }
}

describe('the amount that needs two staff members is raised after a refund was held', () => {
  test('approved and made before: a repeat of its key refunds nothing more', async () => {
    const before = gapuraWith({ second_person_above: 50_000, hold_hours: 2 })
    const { id, order_id, request_id } = await held(before, 'raised-1')
    await before.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
    const after = gapuraWith({ second_person_above: 100_000, hold_hours: 2 })
    await refund(after, id, 'raised-1')
    expect(await refunded(order_id)).toBe(60_000)
  })

  test('still held: a repeat of its key and the approval together refund once', async () => {
    const before = gapuraWith({ second_person_above: 50_000, hold_hours: 2 })
    const { id, order_id, request_id } = await held(before, 'raised-2')
    const after = gapuraWith({ second_person_above: 100_000, hold_hours: 2 })
    await refund(after, id, 'raised-2')
    await after.staff
      .approveRefund(dewi, request_id, { reason: 'approved by test' })
      .catch((error: unknown) => error)
    expect(await refunded(order_id)).toBe(60_000)
  })
})

test('the key of a held refund on another payment: idempotency_key_reused', async () => {
  const gapura = gapuraWith({ second_person_above: 50_000, hold_hours: 2 })
  const { id } = await held(gapura, 'elsewhere')
  const other = await http.settled()
  const small = await gapura.api
    .refundPayment(ani, other.id, { amount: 1_000 }, { idempotencyKey: 'elsewhere' })
    .catch((error: unknown) => error)
  expect(id).not.toBe(other.id)
  expect(small).toMatchObject({ code: 'idempotency_key_reused' })
})

test('a second key that was answered with the same held request: its repeat gets the outcome', async () => {
  const gapura = gapuraWith({ second_person_above: 50_000, hold_hours: 2 })
  const { id, request_id } = await held(gapura, 'first-key')
  expect(await refund(gapura, id, 'second-key')).toMatchObject({ code: 'refund_held' })
  await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
  const answer = await refund(gapura, id, 'second-key')
  expect(answer).not.toMatchObject({ code: 'refund_held' })
})
