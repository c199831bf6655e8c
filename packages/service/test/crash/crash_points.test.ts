// A process that dies at any named point leaves enough on disk: nothing is lost, nothing doubled,
// and nothing stays open. The simulator's ledger is the witness.
import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { CRASH_POINTS } from '../../src/services/context.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { resolveOperations } from '../../src/services/operations/resolve_operations.ts'
import { getStatus } from '../../src/services/payments/check_status.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payment.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { moveClock } from '../../src/store/settings.ts'
import { charges } from '../services/charge_inputs.ts'
import { bodyOf, requestOf, useService } from '../services/service_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import type { ChildOrder } from './child.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const { caller } = requestOf()
const hit = new Map<string, number>()

const pointsOf = (flow: string) => CRASH_POINTS.filter((point) => point.startsWith(`${flow}.`))

/** Runs a flow in a process that dies at the point. True if it did die there. */
async function dieAt(
  crash_at: string,
  order: Pick<ChildOrder, 'flow' | 'payment_id' | 'body' | 'request'>,
) {
  const { url: simulator_url, server_key } = service.simulator
  const whole: ChildOrder = {
    database_url: DATABASE_URL,
    schema: service.database.db.schema,
    simulator_url,
    server_key,
    crash_at,
    ...order,
  }
  const script = new URL('child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const signal = await new Promise<string | null>((resolve) => {
    child.on('close', (_code, name) => resolve(name))
  })
  if (signal === 'SIGKILL') hit.set(crash_at, (hit.get(crash_at) ?? 0) + 1)
  return signal === 'SIGKILL'
}

/** What the worker of a living process would do over the next minutes. */
async function recover(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await service.database.do((tx) => moveClock(tx, 90_000))
    await resolveOperations(service.ctx, 100)
  }
}

const openOperations = async (): Promise<number> =>
  Number(
    (
      await service.database.sql(
        "select count(*) as n from gapura.gateway_operation where state in ('started', 'unknown')",
      )
    )[0]?.['n'],
  )

const fault = async (operation: string, effect: string, options: object = {}) =>
  await service.control('faults', { effect, match: { operation }, times: 1, options })

/** The fault that leads a flow past points only a failure reaches. */
async function prepare(point: string, operation: string): Promise<void> {
  if (point.endsWith('.refused'))
    await fault(operation, 'status', {
      http_status: 200,
      body: { status_code: '400', status_message: 'no' },
    })
  if (point.endsWith('.unclear')) await fault(operation, 'drop_after')
}

const settledWallet = async () => {
  const order_id = service.fresh('wallet')
  const input = await chargeOf('gopay', { order_id })
  const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(service.ctx, caller, id)
  return { id, order_id }
}

describe('a charge', () => {
  test.each(pointsOf('charge'))('%s', async (point) => {
    const order_id = service.fresh('crash')
    const body = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await prepare(point, 'charge')
    expect(await dieAt(point, { flow: 'charge', payment_id: '', body, request })).toBe(true)
    await service.control('faults', {})
    await recover()
    // The customer presses the button again: the same key, whatever became of the first.
    await createCharge(service.ctx, body, request).catch(() => undefined)
    await recover()
    expect(await openOperations()).toBe(0)
    const rows = await service.database.sql(
      'select transaction_status from gapura.gateway_payment where order_id = $1 and not refused',
      [order_id],
    )
    const made = (await service.ledger(order_id))?.charges ?? 0
    expect(made).toBe(rows.length)
    expect(made).toBeLessThanOrEqual(1)
    for (const row of rows) expect(row).toEqual({ transaction_status: 'pending' })
  })
})

describe('a refund', () => {
  test.each(pointsOf('refund'))('%s', async (point) => {
    const { id, order_id } = await settledWallet()
    const body = { amount: 50_000 }
    const request = requestOf('owner-1', service.fresh('refund'))
    await prepare(point, 'refund')
    expect(await dieAt(point, { flow: 'refund', payment_id: id, body, request })).toBe(true)
    await recover()
    await refundPayment(service.ctx, request, id, body).catch(() => undefined)
    await recover()
    expect(await openOperations()).toBe(0)
    const refunded = (await service.ledger(order_id))?.refunded ?? 0
    expect(refunded).toBeLessThanOrEqual(50_000)
    expect(await readPayment(service.ctx, caller, id)).toMatchObject({
      refund_amount: `${refunded}.00`.replace(/^0\.00$/, '0.00'),
      refundable_amount: `${150_000 - refunded}.00`,
    })
  })
})

describe('a cancel', () => {
  test.each(pointsOf('action'))('%s', async (point) => {
    const order_id = service.fresh('cancel')
    const input = await chargeOf('bank_transfer', { order_id })
    const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const order = { flow: 'cancel' as const, payment_id: id, body: {}, request: requestOf() }
    expect(await dieAt(point, order)).toBe(true)
    await recover()
    expect(await openOperations()).toBe(0)
    const { transaction_status } = await service.ctx.gateway.getStatus(order_id)
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe(
      transaction_status,
    )
  })
})

describe('a webhook', () => {
  test.each(pointsOf('webhook'))('%s', async (point) => {
    const order_id = service.fresh('webhook')
    const input = await chargeOf('qris', { order_id })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    const body = { ...fields, signature_key, transaction_id, transaction_status: 'settlement' }
    expect(
      await dieAt(point, { flow: 'webhook', payment_id: '', body, request: requestOf() }),
    ).toBe(true)
    // Unanswered, so the gateway sends it again.
    await receiveNotification(service.ctx, body)
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('settlement')
    const events = await service.database.sql(
      "select type from gapura.gateway_event where object_id = $1 and type = 'payment_settled'",
      [id],
    )
    expect(events).toHaveLength(1)
  })
})

test('every named point was died at', () => {
  expect(CRASH_POINTS.filter((point) => !hit.has(point))).toEqual([])
  expect(pointsOf('charge').length).toBeGreaterThanOrEqual(12)
  expect(pointsOf('refund').length).toBeGreaterThanOrEqual(10)
  expect(pointsOf('webhook').length).toBeGreaterThanOrEqual(6)
})
