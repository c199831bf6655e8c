// What a subscriber gets: the object as HTTP returns it, for every kind of object, whole as JSON.
import { describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import { startRelay } from '../../src/events/relay.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { findInvoiceById } from '../../src/store/invoices/lookups.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { lockSubscription } from '../../src/store/subscriptions/rows.ts'
import { newId } from '../../src/store/sql/values.ts'
import type { Answer } from '../http/http_bench.ts'
import { useSubscriptionHttp } from '../http/subscription_http_bench.ts'
import { there } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { QUICK, Recorder } from './event_bench.ts'

const { http, created } = useSubscriptionHttp()
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }

/** The events of these objects, delivered by a relay of their own from the oldest on. */
async function eventsOf(id: string, count: number): Promise<SignalEnvelope[]> {
  const recorder = new Recorder()
  const subscribers = [recorder.subscriber(`reader-${newId()}`)]
  const relay = await startRelay(http.database.db, { ...QUICK, subscribers })
  const ours = () => recorder.received.filter(({ object }) => object.id === id)
  await eventually(
    () => Promise.resolve(ours().length),
    (received) => received >= count,
  )
  await relay.stop()
  return ours()
}

/** As a queue or a log stores it. */
const asJson = (event: SignalEnvelope | undefined) =>
  JSON.parse(JSON.stringify(event)) as Record<string, unknown>

const read = async (path: string): Promise<Answer['body']> => (await http.get(path)).body

describe('the object of an event is what HTTP returns at that moment', () => {
  test('of a payment: received, settled and refunded, with items and refunds', async () => {
    const received = await http.quietly(async () => await http.charged('gopay'))
    await http.control('faults', { effect: 'muted', match: { operation: 'notification' } })
    await http.control(`transactions/${String(received['order_id'])}/pay`)
    const checked = await http.get(`/payments/${received.id}/check_status/`)
    const body = { amount: 40_000, reason: 'cold tea' }
    const reply = (await http.post(`/payments/${received.id}/refund/`, { body })).body
    await http.calm()
    const events = (await eventsOf(received.id, 3)).map(asJson)
    expect(events.map(({ type }) => type)).toEqual([
      'payment_received',
      'payment_settled',
      'payment_refunded',
    ])
    expect(events[0]?.['object']).toEqual(received)
    expect(events[1]?.['object']).toEqual(checked.body['payment'])
    expect(events[2]?.['object']).toEqual(reply['payment'])
    expect(events.map(({ refund }) => refund)).toEqual([undefined, undefined, reply['refund']])
    expect(events[2]?.['object']).toMatchObject({
      is_paid: true,
      gross_amount: '150000.00',
      refund_amount: '40000.00',
      items: [{ name: 'Tea', subtotal: '150000.00' }],
      refunds: [{ reason: 'cold tea', amount: '40000.00' }],
    })
  })

  test('of an invoice and of the payment that paid it, which names the invoice', async () => {
    const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const body = {
      customer_name: 'Budi',
      customer_email: 'budi@example.com',
      due_date,
      items: [{ description: 'Lamp', price: 12_000, quantity: 2 }],
    }
    const invoice = (await http.post('/invoices/', { body })).body
    await http.control(`invoices/${String(invoice['gateway_invoice_id'])}/pay`)
    // The notification has linked the payment; whether the invoice is paid, the gateway is asked.
    await eventually(
      async () => (await read(`/invoices/${invoice.id}/`))['payment_ids'] as string[],
      (payment_ids) => payment_ids.length > 0,
    )
    await http.parts.gapura.api.getInvoiceStatus(ani, invoice.id)
    const events = (await eventsOf(invoice.id, 2)).map(asJson)
    expect(events.map(({ type }) => type)).toEqual(['invoice_created', 'invoice_paid'])
    expect(events[0]?.['object']).toEqual(invoice)
    const paid = await read(`/invoices/${invoice.id}/`)
    expect(events[1]?.['object']).toEqual(paid)
    const [payment_id = ''] = paid['payment_ids'] as string[]
    const payment = await read(`/payments/${payment_id}/`)
    expect(payment).toMatchObject({ invoice_id: invoice.id, subscription_id: null })
    const settled = (await eventsOf(payment_id, 1)).map(asJson).at(-1)
    expect(settled).toMatchObject({ type: 'payment_settled', object: payment })
  })

  test('of a subscription', async () => {
    const subscription = await created()
    const disabled = await http.post(`/subscriptions/${subscription.id}/disable/`)
    const events = (await eventsOf(subscription.id, 2)).map(asJson)
    // The next check is planned after the event, which touches the row once more.
    const updated_at = expect.any(String) as string
    expect(events.map(({ type, object }) => [type, object])).toEqual([
      ['subscription_created', { ...subscription, updated_at }],
      ['subscription_disabled', { ...disabled.body, updated_at }],
    ])
  })
})

describe('an event that an earlier release stored, with a copy of the row, is delivered like a new one', () => {
  const about = {
    source: 'check_status',
    previous_status: 'pending',
    notification_id: null,
  } as const

  test('payment: the refund is found by the refunded sum', async () => {
    // No notification may change the payment between the event and the look at it.
    await http.control('faults', { effect: 'muted', match: {} })
    const { id } = await http.settled('gopay')
    const refund = async (amount: number) =>
      (await http.post(`/payments/${id}/refund/`, { body: { amount } })).body['refund']
    const first = await refund(10_000)
    const second = await refund(20_000)
    await http.database.do(async (tx) => {
      const object = there(await lockPayment(tx, id))
      const event = { ...about, type: 'payment_refunded', object_kind: 'payment' } as const
      await appendEvent(tx, { ...event, id: newId(), object_id: id, object })
      const before = { ...object, refunded_amount: 10_000_00n }
      await appendEvent(tx, { ...event, id: newId(), object_id: id, object: before })
    })
    const events = (await eventsOf(id, 6)).map(asJson)
    const [last, earlier] = events.slice(-2)
    expect(last).toMatchObject({ object: await read(`/payments/${id}/`), refund: second })
    expect(earlier).toMatchObject({ object: { refund_amount: '10000.00' }, refund: first })
    await http.calm()
  })

  test('invoice and subscription', async () => {
    const subscription = await created()
    const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const items = [{ description: 'Lamp', price: 12_000, quantity: 2 }]
    const body = { customer_name: 'Budi', customer_email: 'budi@example.com', due_date, items }
    const invoice = (await http.post('/invoices/', { body })).body
    await http.database.do(async (tx) => {
      const row = there(await findInvoiceById(tx, invoice.id))
      const voided = { ...about, type: 'invoice_voided', object_kind: 'invoice' } as const
      await appendEvent(tx, { ...voided, id: newId(), object_id: row.id, object: row })
      const held = there(await lockSubscription(tx, subscription.id))
      const ended = {
        ...about,
        type: 'subscription_disabled',
        object_kind: 'subscription',
      } as const
      await appendEvent(tx, { ...ended, id: newId(), object_id: held.id, object: held })
    })
    expect(asJson((await eventsOf(invoice.id, 2))[1])['object']).toEqual(invoice)
    expect(asJson((await eventsOf(subscription.id, 2))[1])['object']).toEqual(subscription)
  })
})
