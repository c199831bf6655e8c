// Signals that really happen: the service, the simulator and its notifications, and a command line.
import { randomUUID } from 'node:crypto'
import { SCOPES, startRelay, subscribe } from 'gapura'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../service/test/store/test_database.ts'
import { lineOf, useCli, type Json } from './cli_bench.ts'

const cli = useCli()
const dewi = { owner_id: 'dewi', staff: true, scopes: SCOPES }

beforeAll(async () => {
  const api = cli.start(['serve'])
  const { url } = JSON.parse(await lineOf(api, /"listening"/)) as { url: string }
  await cli.control('PATCH', 'settings', { notification_url: `${url}/notification/` })
})

const statusOf = async (id: string) =>
  (await cli.gapura.api.getPayment(dewi, id)).transaction_status
const settled = async (order_id: string) => {
  const input = { payment_type: 'gopay', gross_amount: 150_000, order_id } as const
  const { id } = await cli.gapura.api.createCharge({ ...dewi, owner_id: 'shop' }, input)
  await cli.control('POST', `transactions/${order_id}/pay`)
  await eventually(
    () => statusOf(id),
    (status) => status === 'settlement',
  )
}

describe('trigger', () => {
  test.each([
    ['payment_received', 'pending'],
    ['payment_settled', 'settlement'],
    ['payment_denied', 'deny'],
    ['payment_cancelled', 'cancel'],
    ['payment_expired', 'expire'],
    ['payment_refunded', 'refund'],
    ['payment_failed', 'failure'],
    ['payment_charged_back', 'chargeback'],
  ])('%s really happens', async (signal, status) => {
    const { event, payment } = (await cli.json('trigger', signal)) as { event: Json; payment: Json }
    expect(event).toMatchObject({ type: signal, waiting: [] })
    expect(payment['transaction_status']).toBe(status)
  })

  test.each([
    ['invoice_created', 'pending'],
    ['invoice_paid', 'paid'],
    ['invoice_voided', 'voided'],
  ])('%s really happens', async (signal, status) => {
    const { event, invoice } = (await cli.json('trigger', signal)) as { event: Json; invoice: Json }
    expect(event).toMatchObject({ type: signal, waiting: [] })
    expect(invoice['status']).toBe(status)
  })

  test('invoice_paid is a payment of its own too', async () => {
    const { invoice } = (await cli.json('trigger', 'invoice_paid')) as { invoice: Json }
    const [id] = invoice['payment_ids'] as string[]
    expect(await statusOf(String(id))).toBe('settlement')
  })

  test.each([
    ['subscription_created', 'active'],
    ['subscription_charged', 'active'],
    ['subscription_disabled', 'disabled'],
    ['subscription_cancelled', 'cancelled'],
  ])('%s really happens', async (signal, status) => {
    const { event, subscription } = (await cli.json('trigger', signal)) as {
      event: Json
      subscription: Json
    }
    expect(event).toMatchObject({ type: signal, waiting: [] })
    expect(subscription['status']).toBe(status)
  })

  test('with an existing invoice or subscription; the next cycle publishes a new event', async () => {
    const made = (await cli.json('trigger', 'invoice_created'))['invoice'] as Json
    const { invoice } = await cli.json('trigger', 'invoice_voided', '--id', String(made['id']))
    expect(invoice).toMatchObject({ id: made['id'], status: 'voided' })

    const first = await cli.json('trigger', 'subscription_charged')
    const { id } = first['subscription'] as Json
    const next = await cli.json('trigger', 'subscription_charged', '--id', String(id))
    expect(next['subscription']).toMatchObject({ id, current_interval: 2 })
    const [before, after] = [first['event'] as Json, next['event'] as Json]
    expect(Number(after['sequence'])).toBeGreaterThan(Number(before['sequence']))
  })

  test('waits only for subscribers of the signal; events retire ends the waiting for one that is gone', async () => {
    for (const [name, signal] of [
      ['foreign', 'invoice_paid'],
      ['gone', 'payment_settled'],
    ] as const) {
      const relay = await startRelay(cli.database(), {
        subscribers: [subscribe({ name, signals: [signal], handler: () => undefined })],
      })
      await relay.stop()
    }
    const waiting = await cli.json('trigger', 'payment_settled', '--no-wait')
    expect(waiting['event']).toMatchObject({ waiting: ['gone'] })
    const retired = await cli.run(['events', 'retire', 'gone', '--as', 'dewi'])
    expect([retired.code, retired.stdout]).toEqual([
      0,
      'gone is retired; 0 failed events are forgotten.\n',
    ])
    const done = await cli.json('trigger', 'payment_settled')
    expect(done['event']).toMatchObject({ waiting: [] })
    const again = await cli.run(['events', 'retire', 'gone'])
    expect(again.code).toBe(2)
  })

  test('2 for an order id where no payment is meant, 3 for one that is not there', async () => {
    const mixed = await cli.run(['trigger', 'invoice_paid', '--order-id', 'A-1'])
    expect(mixed.code).toBe(2)
    expect(mixed.stderr).toContain('for the invoice give --id')
    const none = await cli.run(['trigger', 'invoice_paid', '--id', randomUUID(), '--json'])
    expect([none.code, none.error['code']]).toEqual([3, 'not_found'])
  })

  test('with a payment that is there; 4 where its state does not allow it', async () => {
    await settled('triggered-1')
    const args = ['--order-id', 'triggered-1']
    const { payment } = await cli.json('trigger', 'payment_refunded', ...args)
    expect(payment).toMatchObject({ order_id: 'triggered-1', transaction_status: 'refund' })
    const refused = await cli.run(['trigger', 'payment_settled', ...args, '--json'])
    expect([refused.code, refused.error['code']]).toEqual([4, 'simulator_refused'])
  })

  test('4 without a simulator: the real gateway has no simulated payer', async () => {
    const env = { GATEWAY_BASE_URL: 'http://127.0.0.1:1' }
    const { code, error } = await cli.run(['trigger', 'payment_settled', '--json'], env)
    expect([code, error['code']]).toEqual([4, 'no_simulator'])
  })
})
