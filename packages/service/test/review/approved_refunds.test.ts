// An approved refund request is paid once: the refund names its request for ever.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { useHttp } from '../http/http_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const http = useHttp()
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
let gapura: Gapura

beforeAll(() => {
  const { server_key, client_key, url: base_url } = http.parts.simulator
  gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, client_key, base_url },
    refunds: { second_person_above: 50_000, hold_hours: 2 },
  })
})
afterAll(async () => {
  await gapura.close()
})

const input = { amount: 60_000, reason: 'broken' }
const refund = async (payment_id: string, idempotencyKey: string) =>
  await gapura.api.refundPayment(ani, payment_id, input, { idempotencyKey })

/** A refund that waits for a second staff member, and the id of its request. */
async function held(idempotencyKey: string) {
  const { id, order_id } = await http.settled()
  await expect(refund(id, idempotencyKey)).rejects.toMatchObject({ code: 'refund_held' })
  const requests = (await gapura.staff.listRefundRequests(dewi)).results
  const request_id = requests.find(({ payment_id }) => payment_id === id)?.id ?? ''
  return { id, order_id, request_id }
}

async function passDays(days: number): Promise<void> {
  await http.database.do(async (tx) => await moveClock(tx, days * 86_400_000))
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  await runMaintenance({ db: http.database.db, log } as never)
}

const refunded = async (order_id: unknown) => (await http.ledger(order_id))?.['refunded']

describe.each([1, 8])('%i days after a refund was approved and made', (days) => {
  test('the caller repeats the request: the same refund is returned, nothing more is paid', async () => {
    const { id, order_id, request_id } = await held(`repeat-${days}`)
    await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
    const first = await refund(id, `repeat-${days}`)
    await passDays(days + 1)
    const again = await refund(id, `repeat-${days}`)
    expect(again.refund.id).toBe(first.refund.id)
    expect(await refunded(order_id)).toBe(60_000)
  })

  test('staff approve again: nothing more is paid', async () => {
    const { order_id, request_id } = await held(`approve-${days}`)
    await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
    await passDays(days + 1)
    await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
    expect(await refunded(order_id)).toBe(60_000)
  })
})

test('approved by five staff members at once: one refund, which names its request', async () => {
  const { id, order_id, request_id } = await held('race')
  await Promise.allSettled(
    Array.from(
      { length: 5 },
      async () =>
        await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' }),
    ),
  )
  expect(await refunded(order_id)).toBe(60_000)
  const rows = await http.database.sql(
    'select refund_request_id from gapura.gateway_refund where payment_id = $1',
    [id],
  )
  expect(rows).toEqual([{ refund_request_id: request_id }])
})

test('a second refund row for one request is refused by the database', async () => {
  const { id, request_id } = await held('index')
  await gapura.staff.approveRefund(dewi, request_id, { reason: 'approved by test' })
  await expect(
    http.database.sql(
      `insert into gapura.gateway_refund
         (id, payment_id, owner_id, refund_key, amount, reason, refund_request_id)
       values (gen_random_uuid(), $1, 'ani', 'another', 1, '', $2)`,
      [id, request_id],
    ),
  ).rejects.toThrow('gateway_refund_of_request')
})
