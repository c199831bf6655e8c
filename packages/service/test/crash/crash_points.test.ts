// A process that dies at any named point leaves enough on disk: nothing is lost, nothing is done
// twice, and nothing stays open. The simulator's ledger is the reference.
import { afterAll, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { CRASH_POINTS } from '../../src/services/context.ts'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { readInvoice } from '../../src/services/invoices/read_invoices.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { readBudget } from '../../src/services/sweeps/sweep_pages.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { charges } from '../services/charge_inputs.ts'
import { bodyOf, requestOf, useService } from '../services/service_bench.ts'
import { eventually } from '../store/test_database.ts'
import { crash, type CrashOrder } from './crash.ts'
import type { Plant } from './child.ts'
import {
  actionFaults,
  chargeFaults,
  payAndSettle,
  refundFaults,
  webhookFaults,
} from './crash_checks.ts'
import { invoiceCrashes } from './invoice_crashes.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const { caller } = requestOf()
const { invoiceInput, invoicesFor, openOperations, prepareInvoice } = invoiceCrashes(service)
const hit = new Map<string, number>()

const pointsOf = (flow: string) => CRASH_POINTS.filter((point) => point.startsWith(`${flow}.`))

/** Runs a flow in a process that dies at the point. True if it died there. */
async function dieAt(crash_at: string, order: CrashOrder) {
  const died = await crash(service, crash_at, order)
  // A planted bug proves nothing about the point.
  if (died && order.plant === undefined) hit.set(crash_at, (hit.get(crash_at) ?? 0) + 1)
  return died
}

/** The worker's tasks of the next minutes. */
async function recover(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await service.database.do((tx) => moveClock(tx, 90_000))
    await resolveOperations(service.ctx, 100)
  }
}

const fault = async (operation: string, effect: string, options: object = {}) =>
  await service.control('faults', { effect, match: { operation }, times: 1, options })

/** The fault that leads a flow past points that only a failure reaches. */
async function prepare(point: string, operation: string): Promise<void> {
  if (point.endsWith('.refused'))
    await fault(operation, 'status', {
      http_status: 200,
      body: { status_code: '400', status_message: 'no' },
    })
  if (point.endsWith('.unclear')) await fault(operation, 'drop_after')
}

const charged = async (payment_type: string) => {
  const order_id = service.fresh(payment_type)
  const input = await chargeOf(payment_type, { order_id })
  const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  return { id, order_id, transaction_id }
}

/** A charge whose process dies, and whose caller repeats the request. */
async function dyingCharge(point: string, plant?: Plant): Promise<string[]> {
  const order_id = service.fresh('crash')
  const body = await chargeOf('bank_transfer', { order_id })
  const request = requestOf('owner-1', order_id)
  await prepare(point, 'charge')
  const order = { flow: 'charge' as const, payment_id: '', body, request, ...(plant && { plant }) }
  expect(await dieAt(point, order)).toBe(true)
  await recover()
  // The same key, whatever happened to the first request.
  await createCharge(service.ctx, body, request).catch(() => undefined)
  await recover()
  return await chargeFaults(service, order_id)
}

async function dyingRefund(point: string, plant?: Plant): Promise<string[]> {
  const payment = await charged('gopay')
  const { id, order_id } = payment
  await payAndSettle(service, order_id, id)
  const body = { amount: 50_000 }
  const request = requestOf('owner-1', service.fresh('refund'))
  await prepare(point, 'refund')
  const order = { flow: 'refund' as const, payment_id: id, body, request, ...(plant && { plant }) }
  expect(await dieAt(point, order)).toBe(true)
  await recover()
  await refundPayment(service.ctx, request, id, body).catch(() => undefined)
  await recover()
  return await refundFaults(service, payment, { paid: 150_000, asked: 50_000 })
}

describe('a charge', () => {
  test.each(pointsOf('charge'))('%s', async (point) => {
    expect(await dyingCharge(point)).toEqual([])
  })
})

describe('a refund', () => {
  test.each(pointsOf('refund'))('%s', async (point) => {
    expect(await dyingRefund(point)).toEqual([])
  })
})

describe('a cancel', () => {
  test.each(pointsOf('action'))('%s', async (point) => {
    const payment = await charged('bank_transfer')
    const { id: payment_id } = payment
    const order = { flow: 'cancel' as const, payment_id, body: {}, request: requestOf() }
    await prepare(point, 'cancel')
    expect(await dieAt(point, order)).toBe(true)
    await recover()
    expect(await actionFaults(service, payment)).toEqual([])
  })
})

describe('creating an invoice', () => {
  test.each(pointsOf('create'))('%s', async (point) => {
    const email = `${service.fresh('crash')}@example.com`
    const body = invoiceInput(email)
    const request = requestOf('owner-1', email)
    await prepareInvoice(point)
    const order = { flow: 'create_invoice' as const, payment_id: '', body, request }
    expect(await dieAt(point, order)).toBe(true)
    // A worker runs within the four minutes of the key: nothing stays open.
    await service.database.do((tx) => moveClock(tx, 20_000))
    await resolveOperations(service.ctx, 100)
    await createInvoice(service.ctx, body, request).catch(() => undefined)
    await recover()
    expect(await openOperations()).toBe(0)
    const rows = await service.database.sql(
      `select order_id, status from gapura.gateway_invoice
       where customer_email = $1 and status <> 'failure'`,
      [email],
    )
    const made = await invoicesFor(email)
    expect(made.map(({ order_id, status }) => ({ order_id, status }))).toEqual(rows)
    expect(made.length).toBeLessThanOrEqual(1)
  })

  test('without a worker for the life of its key is never made twice, and opens an alarm', async () => {
    const email = `${service.fresh('crash')}@example.com`
    const body = invoiceInput(email)
    const request = requestOf('owner-1', email)
    const order = { flow: 'create_invoice' as const, payment_id: '', body, request }
    expect(await dieAt('create.answered', order)).toBe(true)
    await service.database.do((tx) => moveClock(tx, 360_000))
    await resolveOperations(service.ctx, 100)
    await createInvoice(service.ctx, body, request).catch(() => undefined)
    await resolveOperations(service.ctx, 100)
    expect(await invoicesFor(email)).toHaveLength(1)
    const alarms = await service.database.sql(
      `select kind from gapura.gateway_alarm as alarm
       join gapura.gateway_invoice as invoice on invoice.id = alarm.subject_id
       where customer_email = $1 and closed_at is null`,
      [email],
    )
    expect(alarms).toEqual([{ kind: 'outcome_unknown' }])
    // The payer pays it after all, and the payment names it.
    const [made] = await invoicesFor(email)
    await service.control(`invoices/${made?.id ?? ''}/pay`)
    const open = await eventually(
      async () => {
        await resolveOperations(service.ctx, 100)
        return await openOperations()
      },
      (count) => count === 0,
    )
    expect(open).toBe(0)
  })
})

describe('voiding an invoice', () => {
  test.each(pointsOf('action'))('%s', async (point) => {
    const email = `${service.fresh('void')}@example.com`
    const { id } = bodyOf(await createInvoice(service.ctx, invoiceInput(email), requestOf()))
    const body = { reason: 'crash' }
    const order = { flow: 'void_invoice' as const, payment_id: id, body, request: requestOf() }
    await prepareInvoice(point, 'void_invoice')
    expect(await dieAt(point, order)).toBe(true)
    await recover()
    expect(await openOperations()).toBe(0)
    const [made] = await invoicesFor(email)
    const invoice = await readInvoice(service.ctx, caller, id)
    expect(invoice?.status).toBe(made?.status)
    // Before it was written, the void did not exist.
    expect(invoice?.void_reason).toBe(made?.status === 'voided' ? 'crash' : null)
    const events = await service.database.sql(
      "select type from gapura.gateway_event where object_id = $1 and type = 'invoice_voided'",
      [id],
    )
    expect(events).toHaveLength(made?.status === 'voided' ? 1 : 0)
  })
})

describe('a webhook', () => {
  const settlementOf = ({ order_id, transaction_id }: Awaited<ReturnType<typeof charged>>) => {
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    return { ...fields, signature_key, transaction_id, transaction_status: 'settlement' }
  }

  test.each(pointsOf('webhook'))('%s', async (point) => {
    const payment = await charged('qris')
    const body = settlementOf(payment)
    expect(
      await dieAt(point, { flow: 'webhook', payment_id: '', body, request: requestOf() }),
    ).toBe(true)
    // Unanswered, so the gateway sends it again.
    await receiveNotification(service.ctx, body)
    expect(await webhookFaults(service, payment.id)).toEqual([])
  })

  test('answered 200 before it was on disk is reported: the gateway does not repeat it', async () => {
    const payment = await charged('qris')
    const body = settlementOf(payment)
    const order = { flow: 'webhook' as const, payment_id: '', body, request: requestOf() }
    expect(await dieAt('webhook.locked', order)).toBe(true)
    expect(await webhookFaults(service, payment.id)).toEqual([
      'the payment: pending, not settlement',
      'payment_settled published: 0, not 1',
    ])
  })
})

// The same checks over a process that breaks a promise: they must report it.
describe('the checks report a planted bug:', () => {
  test('a charge that is sent before it is written', async () => {
    const faults = await dyingCharge('charge.validated', 'sends_before_writing')
    expect(faults).toContain('payments in our database for the charges made: 0, not 1')
  })

  test('a refund sent under another key than the one on disk', async () => {
    const faults = await dyingRefund('refund.answered', 'other_refund_key')
    expect(faults).toContain('refunded in our database: 100000.00, not 50000.00')
  })
})

test('every named point was reached', () => {
  expect(CRASH_POINTS.filter((point) => !hit.has(point))).toEqual([])
  expect(pointsOf('charge').length).toBeGreaterThanOrEqual(12)
  expect(pointsOf('create').length).toBeGreaterThanOrEqual(10)
  expect(pointsOf('refund').length).toBeGreaterThanOrEqual(10)
  expect(pointsOf('webhook').length).toBeGreaterThanOrEqual(6)
})

// A report that was put off is looked at in the hours by which the clock was moved.
afterAll(async () => void (await checkPendingPayments(service.ctx, { budget: readBudget(1_000) })))

afterAll(() => {
  const lines = CRASH_POINTS.map((point) => `${String(hit.get(point) ?? 0).padStart(4)}  ${point}`)
  process.stdout.write(`died at, times:\n${lines.join('\n')}\n`)
})
