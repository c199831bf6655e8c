// Two API processes on one database, many concurrent callers, and a gateway that loses answers. The
// simulator's ledger counts what was really done. GAPURA_RACES makes it longer.
import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { createApiKey } from '../../src/services/access/callers.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { requestOf, useService } from '../services/service_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const RACES = Number(process.env['GAPURA_RACES'] ?? 40)
const AT_ONCE = 50
const service = useService()
const children: ChildProcess[] = []
const urls: string[] = []
let authorization = ''

beforeAll(async () => {
  const { server_key, url: base_url } = service.simulator
  const { schema } = service.database.db
  const order = JSON.stringify({ databaseUrl: DATABASE_URL, schema, server_key, base_url })
  const script = await bundle('packages/service/test/processes/api_child.ts')
  for (let index = 0; index < 2; index++) {
    const child = spawn(process.execPath, [script, order], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    urls.push(
      await new Promise<string>((resolve) => {
        child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
      }),
    )
  }
  const scopes = ['payments:write', 'payments:refund'] as const
  const { key } = await createApiKey(service.ctx, {
    name: 'race',
    owner_id: 'owner-1',
    staff: false,
    scopes: [...scopes],
  })
  authorization = `Bearer ${key}`
})
afterAll(() => {
  for (const child of children) child.kill('SIGTERM')
})
afterEach(async () => {
  await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
})

/** One request to one of the two, as a caller of the service would send it. */
async function post(index: number, path: string, key: string, body: object) {
  const reply = await fetch(`${urls[index % 2]}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: await reply.text() }
}

const chance = async (
  operation: string,
  effect: string,
  probability: number,
  options: object = {},
) => await service.control('faults', { effect, match: { operation }, probability, options })

const resolve = async () => {
  for (let round = 0; round < 4; round++) {
    await service.database.do(async (tx) => await moveClock(tx, 90_000))
    await resolveOperations(service.ctx, 1_000)
  }
}

describe('one key, fifty requests, two processes, one answer in twenty lost', () => {
  test(`${RACES} keys: one charge each, and one reply`, async () => {
    await chance('charge', 'drop_after', 0.05)
    for (let race = 0; race < RACES; race++) {
      const order_id = service.fresh('race')
      const input = { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 150_000, order_id }
      const replies = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => post(index, '/charge/', order_id, input)),
      )
      const made = replies.filter(({ status }) => status === 201)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made.map(({ body }) => body)).size).toBe(1)
      const others = new Set(replies.map(({ status }) => status))
      expect([...others].filter((status) => ![201, 409].includes(status))).toEqual([])
      expect((await service.ledger(order_id))?.charges).toBe(1)
    }
  }, 300_000)
})

describe('refunds of three times the payment, one in ten refused, one in ten unclear', () => {
  test(`${RACES} races: never more than was captured, and nothing left reserved`, async () => {
    const paid: { id: string; order_id: string }[] = []
    for (let race = 0; race < RACES; race++) {
      const order_id = service.fresh('refunds')
      const input = { payment_type: 'gopay', gross_amount: 150_000, order_id }
      const { body } = await post(race, '/charge/', order_id, input)
      const { id } = JSON.parse(body) as { id: string }
      await service.control(`transactions/${order_id}/pay`)
      await getStatus(service.ctx, requestOf().caller, id)
      paid.push({ id, order_id })
    }
    const refused = { http_status: 200, body: { status_code: '414', status_message: 'no' } }
    await chance('refund', 'status', 0.1, refused)
    await chance('refund', 'drop_after', 0.1)
    for (const { id, order_id } of paid) {
      await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          post(index, `/payments/${id}/refund/`, `${order_id}-${index}`, { amount: 50_000 }),
        ),
      )
    }
    await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
    await resolve()
    for (const { id, order_id } of paid) {
      await getStatus(service.ctx, requestOf().caller, id)
      const [row] = await service.database.sql(
        `select refunded_amount::bigint::text as refunded, refund_reserved_amount::bigint::text as reserved
         from gapura.gateway_payment where id = $1`,
        [id],
      )
      const refunded = (await service.ledger(order_id))?.refunded ?? 0
      expect(refunded).toBeLessThanOrEqual(150_000)
      expect(row).toEqual({ refunded: String(refunded), reserved: '0' })
    }
  }, 300_000)
})
