// The life of an invoice: created, paid through its account or link, overdue, voided.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { getInvoiceStatus } from '../../src/services/invoices/invoice_status.ts'
import { listInvoices, readInvoice } from '../../src/services/invoices/read_invoices.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { listPayments } from '../../src/services/payments/read_payments.ts'
import { eventually } from '../store/test_database.ts'
import { ITEMS, TOTAL, useInvoices } from './invoice_bench.ts'
import { requestOf } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

const bench = useInvoices()
const { service, caller, create, byAccount, read, voidIt, sweep } = bench

const accountOf = (invoice: Record<string, unknown>): string => {
  const [account] = invoice['virtual_accounts'] as { number: string }[]
  return account?.number ?? ''
}
const linked = async (id: string) =>
  await eventually(
    async () => await bench.paymentsOf(id),
    (payments) => payments.length > 0,
  )

describe('an invoice', () => {
  test('is created with its items, its link and its PDF, and published once', async () => {
    const invoice = await create({ notes: 'Thank you', metadata: { cart: 7 } })
    expect(invoice).toMatchObject({
      status: 'pending',
      total_amount: TOTAL,
      invoice_date: await bench.day(),
      due_date: await bench.day(7),
      notes: 'Thank you',
      metadata: { cart: 7 },
      is_overdue: false,
      payment_ids: [],
      items: [
        {
          item_id: 'lamp',
          description: 'Lamp',
          quantity: 2,
          price: '75000.00',
          subtotal: '150000.00',
        },
        { item_id: null, description: 'Delivery', quantity: 1, price: '5000.00' },
      ],
    })
    expect(invoice['payment_link_url']).toMatch(/^http/)
    expect(invoice['pdf_url']).toMatch(/^http/)
    expect(invoice['order_id']).toMatch(/^inv-[0-9A-Z]{16}-a$/)
    expect(invoice['invoice_number']).toMatch(/^INV-\d{8}-[0-9A-Z]{8}$/)
    expect(await bench.eventsOf(invoice.id)).toEqual(['invoice_created'])
    expect(await bench.truth(invoice['gateway_invoice_id'])).toBe('pending')
  })

  test('is due at the end of its day in Jakarta', async () => {
    const invoice = await create()
    const sent = await service.ctx.gateway.getInvoice(String(invoice['gateway_invoice_id']))
    expect(sent.due_date).toBe(`${await bench.day(7)} 23:59:59 +0700`)
    expect(sent.invoice_date).toBe(`${await bench.day()} 00:00:00 +0700`)
  })

  test('paid through its virtual account is published once, and its payment is the owner’s', async () => {
    const invoice = await byAccount()
    await service.control('pay', { number: accountOf(invoice) })
    const [payment] = await linked(invoice.id)
    expect(payment).toMatchObject({
      owner_id: 'owner-1',
      transaction_status: 'settlement',
      gross_amount: TOTAL,
    })
    expect((await read(invoice.id)).status).toBe('pending')
    await sweep()
    await sweep()
    const paid = await read(invoice.id)
    expect(paid).toMatchObject({ status: 'paid', payment_ids: [payment?.['id']] })
    expect(paid.paid_at).not.toBeNull()
    expect(await bench.eventsOf(invoice.id)).toEqual(['invoice_created', 'invoice_paid'])
    expect(await bench.eventsOf(String(payment?.['id']))).toEqual(['payment_settled'])
    const order_id = String(payment?.['order_id'])
    const listed = await listPayments(
      service.ctx,
      caller,
      { order_id },
      { cursor: null, page_size: 10 },
    )
    expect(listed.results).toMatchObject([{ id: payment?.['id'], is_paid: true }])
    await expect(voidIt(invoice.id)).rejects.toMatchObject({ code: 'invoice_not_voidable' })
  })

  test('is overdue as the gateway says once its day is over, and voided then with its reason', async () => {
    const invoice = await create({ due_date: await bench.day(0) })
    await bench.pass(26 * 60)
    expect(await read(invoice.id)).toMatchObject({ status: 'pending', is_overdue: true })
    expect(await bench.sweepOverdue()).toMatchObject({ moved: 1 })
    expect((await read(invoice.id)).status).toBe('overdue')
    // Nothing left to look up in the same hour.
    expect(await bench.sweepOverdue()).toMatchObject({ moved: 0, unchanged: 0 })
    await voidIt(invoice.id, 'ordered twice')
    expect(await read(invoice.id)).toMatchObject({ status: 'voided', void_reason: 'ordered twice' })
    expect(await bench.truth(invoice['gateway_invoice_id'])).toBe('voided')
    expect(await bench.eventsOf(invoice.id)).toEqual(['invoice_created', 'invoice_voided'])
    await expect(voidIt(invoice.id)).rejects.toMatchObject({ code: 'invoice_not_voidable' })
  })

  test('with the same key is the same invoice, byte for byte', async () => {
    const request = requestOf('owner-1', service.fresh('key'))
    const email = `${service.fresh('same')}@example.com`
    const first = await create({ customer_email: email }, request)
    expect(await create({ customer_email: email }, request)).toEqual(first)
    expect(await bench.madeFor(email)).toBe(1)
  })

  test('created twenty times at once with one key is one invoice', async () => {
    const request = requestOf('owner-1', service.fresh('key'))
    const customer_email = `${service.fresh('once')}@example.com`
    await Promise.allSettled(
      Array.from({ length: 20 }, async () => await create({ customer_email }, request)),
    )
    expect(await bench.madeFor(customer_email)).toBe(1)
  })

  test('with an order id or number that is taken is refused and sends nothing', async () => {
    const order_id = service.fresh('invoice')
    const { id, invoice_number } = await create({ order_id })
    await expect(create({ order_id })).rejects.toMatchObject({
      code: 'duplicate_order',
      errors: [{ field: 'order_id', message: `invoice ${id} has it` }],
    })
    await expect(create({ order_id }, requestOf('owner-2'))).rejects.toMatchObject({
      errors: [{ field: 'order_id', message: 'it is in use' }],
    })
    await expect(create({ invoice_number })).rejects.toMatchObject({
      errors: [{ field: 'invoice_number' }],
    })
  })

  test('of another owner is not found, and cannot be voided', async () => {
    const { id } = await create()
    const other = requestOf('owner-2')
    expect(await readInvoice(service.ctx, other.caller, id)).toBeUndefined()
    expect(await voidIt(id, 'mine', other)).toEqual({ kind: 'problem', code: 'not_found' })
    expect(await getInvoiceStatus(service.ctx, other.caller, id)).toBeUndefined()
  })

  test('refused by the gateway fails, and releases its order id', async () => {
    const order_id = service.fresh('refused')
    await bench.fault('create_invoice', 'status', {
      options: { http_status: 400, body: { error_messages: ['no'] } },
    })
    await expect(create({ order_id })).rejects.toMatchObject({ code: 'gateway_rejected' })
    const [row] = await service.database.sql(
      'select id, status from gapura.gateway_invoice where order_id = $1',
      [order_id],
    )
    expect(row).toMatchObject({ status: 'failure' })
    expect(await bench.eventsOf(String(row?.['id']))).toEqual([])
    expect((await create({ order_id }))['status']).toBe('pending')
  })
})

describe('without a single notification', () => {
  test('the sweep alone finds an invoice paid', async () => {
    await service.control('faults', { effect: 'muted', match: { operation: 'notification' } })
    const invoice = await byAccount()
    await service.control('pay', { number: accountOf(invoice) })
    await bench.pass(61)
    await sweep()
    await bench.heal()
    expect((await read(invoice.id)).status).toBe('paid')
    expect(await bench.eventsOf(invoice.id)).toEqual(['invoice_created', 'invoice_paid'])
  })

  test('get_invoice_status finds it as well', async () => {
    await service.control('faults', { effect: 'muted', match: { operation: 'notification' } })
    const invoice = await create()
    await service.control(`invoices/${String(invoice['gateway_invoice_id'])}/pay`)
    await bench.heal()
    expect(await getInvoiceStatus(service.ctx, caller, invoice.id)).toMatchObject({
      status: 'paid',
    })
  })
})

/** A notification as the gateway signs it, for an order we never charged. */
const signed = (order_id: string, more: object = {}, gross_amount = TOTAL) => {
  const fields = { order_id, status_code: '200', gross_amount }
  return {
    ...fields,
    signature_key: signNotification(fields, service.simulator.server_key),
    transaction_id: service.fresh('transaction'),
    transaction_status: 'settlement',
    fraud_status: 'accept',
    payment_type: 'bank_transfer',
    ...more,
  }
}

describe('a payment of an invoice', () => {
  test('reported fifty times at once is one payment and one event', async () => {
    const invoice = await create()
    const midtrans_invoice_id = invoice['gateway_invoice_id']
    const body = signed(`${String(invoice['order_id'])}-1700000000000`, {
      metadata: { midtrans_invoice_id },
    })
    await Promise.all(
      Array.from({ length: 50 }, async () => await receiveNotification(service.ctx, body)),
    )
    const payments = await bench.paymentsOf(invoice.id)
    expect(payments).toMatchObject([{ transaction_status: 'settlement' }])
    expect(await bench.eventsOf(String(payments[0]?.['id']))).toEqual(['payment_settled'])
    // The gateway does not say that it is paid, so it is not.
    await sweep()
    expect((await read(invoice.id)).status).toBe('pending')
  })

  test('of another amount marks nothing as paid: an alarm is opened, and the state stays', async () => {
    const invoice = await create()
    const metadata = { midtrans_invoice_id: invoice['gateway_invoice_id'] }
    const body = signed(`${String(invoice['order_id'])}-1700000000001`, { metadata }, '1000.00')
    await receiveNotification(service.ctx, body)
    const [payment] = await bench.paymentsOf(invoice.id)
    expect(payment).toMatchObject({ transaction_status: 'initiated' })
    expect(await bench.alarmsOf(String(payment?.['id']))).toEqual(['amount_mismatch'])
  })

  test('named only in unsigned fields is accepted only when the gateway confirms it', async () => {
    const invoice = await create()
    const metadata = { midtrans_invoice_id: invoice['gateway_invoice_id'] }
    const order_id = service.fresh('foreign')
    await receiveNotification(service.ctx, signed(order_id, { metadata }))
    await matchUnmatched(service.ctx, BUDGET)
    expect(await bench.paymentsOf(invoice.id)).toEqual([])
    // The gateway's own answer about the order names the invoice too.
    const { signature_key: _, ...body } = signed(order_id, { metadata })
    await bench.fault('get_status', 'status', { options: { http_status: 200, body } })
    await matchUnmatched(service.ctx, BUDGET)
    expect(await bench.paymentsOf(invoice.id)).toMatchObject([
      { order_id, transaction_status: 'settlement' },
    ])
    const [row] = await service.database.sql(
      'select effect from gapura.gateway_notification where order_id = $1',
      [order_id],
    )
    expect(row).toEqual({ effect: 'deferred' })
  })

  test('that came before the answer of the creation is there when the answer is', async () => {
    const order_id = service.fresh('early')
    const email = `${order_id}@example.com`
    // The gateway makes it and the answers are lost, also to the replay.
    await bench.fault('create_invoice', 'drop_after', { times: 2 })
    await expect(create({ order_id, customer_email: email })).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    const { invoices } = (await (await fetch(`${service.simulator.url}/_sim/invoices`)).json()) as {
      invoices: { id: string; order_id: string }[]
    }
    const gateway_id = invoices.find((one) => one.order_id === order_id)?.id ?? ''
    // Past the four minutes nothing is sent again; the payer's payment names the invoice.
    await bench.later(300_000)
    await service.control(`invoices/${gateway_id}/pay`)
    const [row] = await service.database.sql(
      'select id from gapura.gateway_invoice where order_id = $1',
      [order_id],
    )
    const id = String(row?.['id'])
    await linked(id)
    await bench.resolve()
    expect(await read(id)).toMatchObject({ status: 'paid', gateway_invoice_id: gateway_id })
    expect(await bench.madeFor(email)).toBe(1)
    expect(await bench.operationsOf(id)).toMatchObject([{ state: 'succeeded' }])
  })
})

test('a list filters by status, day and e-mail, and pages', async () => {
  const owner = requestOf(service.fresh('lister'))
  const due = [await bench.day(1), await bench.day(3), await bench.day(5)]
  const ids: string[] = []
  for (const due_date of due) ids.push((await create({ due_date, items: ITEMS }, owner)).id)
  await create({ customer_email: 'Other@Example.com' }, owner)
  const list = async (filters: object, page_size = 10) =>
    await listInvoices(service.ctx, owner.caller, filters, { cursor: null, page_size })
  const found = async (filters: object) => (await list(filters)).results.map(({ id }) => id)
  expect(await found({ due_after: due[0], due_before: due[2] })).toEqual([ids[1]])
  expect(await found({ customer_email: 'other@example.com' })).toHaveLength(1)
  await voidIt(ids[0] ?? '', 'no', owner)
  expect(await found({ status: 'voided' })).toEqual([ids[0]])
  const first = await list({}, 3)
  expect(first.results).toHaveLength(3)
  expect(first.next).not.toBeNull()
})
