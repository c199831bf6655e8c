// What can get lost around an invoice and is repaired: the answer past midnight, the alarm once the
// outcome is known, the payment without a notification.
import { afterEach, describe, expect, test } from 'vitest'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { getInvoiceStatus } from '../../src/services/invoices/invoice_status.ts'
import { readClock } from '../../src/store/connection/settings.ts'
import { eventually } from '../store/test_database.ts'
import { useInvoices } from './invoice_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useInvoices()
const { service, create, read } = bench
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const JAKARTA_MS = 7 * 3_600_000
const UNKNOWN = { code: 'outcome_unknown' }

afterEach(async () => {
  await bench.heal()
  await service.control('settings', { invoice_order_id: 'suffixed' })
})

/** Sets both clocks to so long before midnight in Jakarta. */
async function shortlyBeforeMidnight(minutes: number) {
  const now = (await service.database.do(readClock)).getTime()
  const left_ms = DAY_MS - ((now + JAKARTA_MS) % DAY_MS) - minutes * MINUTE_MS
  await bench.pass(Math.floor((left_ms > 0 ? left_ms : left_ms + DAY_MS) / MINUTE_MS))
}

describe('the same request past midnight in Jakarta', () => {
  test('gets the reply of an invoice that was due on the day before', async () => {
    await shortlyBeforeMidnight(3)
    const request = requestOf('owner-1', service.fresh('key'))
    const input = await bench.inputOf({ due_date: await bench.day() })
    const first = bodyOf(await createInvoice(service.ctx, input, request))
    await bench.pass(10)
    const again = await createInvoice(service.ctx, input, request)
    expect(again).toMatchObject({ kind: 'reply', replayed: true })
    expect(bodyOf(again)).toEqual(first)
    // A new one is too late.
    await expect(createInvoice(service.ctx, input, requestOf())).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('continues one whose answers were lost, as it was sent', async () => {
    await shortlyBeforeMidnight(2)
    const request = requestOf('owner-1', service.fresh('key'))
    const customer_email = `${service.fresh('midnight')}@example.com`
    const input = await bench.inputOf({ due_date: await bench.day(), customer_email })
    const today = await bench.day()
    await bench.fault('create_invoice', 'drop_before', { times: 2 })
    await expect(createInvoice(service.ctx, input, request)).rejects.toMatchObject(UNKNOWN)
    await bench.pass(3)
    const made = bodyOf(await createInvoice(service.ctx, input, request))
    expect(made).toMatchObject({ invoice_date: today, due_date: today })
    const { gateway_invoice_id } = await read(made.id)
    const there = await service.ctx.gateway.getInvoice(String(gateway_invoice_id))
    expect(there.invoice_date).toContain(today)
    expect(await bench.madeFor(customer_email)).toBe(1)
  })
})

/** Made at the gateway, and both replies lost. */
async function unanswered() {
  const order_id = service.fresh('found')
  await bench.fault('create_invoice', 'drop_after', { times: 2 })
  await expect(create({ order_id })).rejects.toMatchObject(UNKNOWN)
  const [row] = await service.database.sql(
    'select id from gapura.gateway_invoice where order_id = $1',
    [order_id],
  )
  const reply = await fetch(`${service.simulator.url}/_sim/invoices`)
  const { invoices } = (await reply.json()) as { invoices: { id: string; order_id: string }[] }
  const gateway_id = invoices.find((one) => one.order_id === order_id)?.id ?? ''
  return { id: String(row?.['id']), gateway_id }
}

test('the alarm about a creation without an answer closes when it is found', async () => {
  const { id, gateway_id } = await unanswered()
  await bench.pass(6)
  await bench.resolve(3)
  expect(await bench.alarmsOf(id)).toEqual(['outcome_unknown'])
  await service.control(`invoices/${gateway_id}/pay`)
  await eventually(
    async () => await bench.paymentsOf(id),
    (payments) => payments.length > 0,
  )
  await bench.resolve()
  expect((await read(id)).status).toBe('paid')
  expect(await bench.alarmsOf(id)).toEqual([])
})

describe('an invoice that is paid without a notification', () => {
  const mute = async () =>
    await service.control('faults', { effect: 'muted', match: { operation: 'notification' } })

  test('gets its payment where the gateway knows it by the invoice’s order id', async () => {
    await service.control('settings', { invoice_order_id: 'same' })
    await mute()
    const { id, order_id, gateway_invoice_id } = await create()
    await service.control(`invoices/${String(gateway_invoice_id)}/pay`)
    await bench.pass(61)
    await bench.sweep()
    expect((await read(id)).status).toBe('paid')
    expect(await bench.paymentsOf(id)).toMatchObject([
      { order_id, owner_id: 'owner-1', transaction_status: 'settlement' },
    ])
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_paid'])
  })

  test('also when its owner was the first to see it paid', async () => {
    await service.control('settings', { invoice_order_id: 'same' })
    await mute()
    const { id, gateway_invoice_id } = await create()
    await service.control(`invoices/${String(gateway_invoice_id)}/pay`)
    await getInvoiceStatus(service.ctx, bench.caller, id)
    expect((await read(id)).status).toBe('paid')
    await bench.sweep()
    expect(await bench.paymentsOf(id)).toMatchObject([{ transaction_status: 'settlement' }])
  })

  test('also when the answers to its creation were lost', async () => {
    await service.control('settings', { invoice_order_id: 'same' })
    await mute()
    const { id, gateway_id } = await unanswered()
    await bench.pass(6)
    await service.control(`invoices/${gateway_id}/pay`)
    await bench.resolve()
    expect((await read(id)).status).toBe('paid')
    await bench.sweep()
    expect(await bench.paymentsOf(id)).toMatchObject([{ transaction_status: 'settlement' }])
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('is paid also where the gateway does not, and a repeated notification brings the payment', async () => {
    await mute()
    const { id, gateway_invoice_id } = await create()
    const paid = await service.control(`invoices/${String(gateway_invoice_id)}/pay`)
    await bench.pass(61)
    await bench.sweep()
    expect((await read(id)).status).toBe('paid')
    expect(await bench.paymentsOf(id)).toEqual([])
    await bench.heal()
    const found = await fetch(
      `${service.simulator.url}/_sim/deliveries?order_id=${String(paid['order_id'])}`,
    )
    const { deliveries } = (await found.json()) as { deliveries: { id: string }[] }
    await service.control(`deliveries/${deliveries[0]?.id}/resend`)
    await eventually(
      async () => await bench.paymentsOf(id),
      ([payment]) => payment?.['transaction_status'] === 'settlement',
    )
    await bench.sweep()
    expect(await bench.eventsOf(id)).toEqual(['invoice_created', 'invoice_paid'])
  })
})
