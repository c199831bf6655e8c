// What staff and developers type, against a running API: the notifications really arrive.
import { SCOPES, type ChargeInput, type PaymentType } from 'gapura'
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

const charge = async (order_id: string, payment_type: PaymentType = 'gopay') => {
  const more = payment_type === 'bank_transfer' ? { bank: 'bca' } : {}
  const input = { payment_type, gross_amount: 150_000, order_id, ...more } as ChargeInput
  return await cli.gapura.api.createCharge({ ...dewi, owner_id: 'shop' }, input)
}
const statusOf = async (id: string) =>
  (await cli.gapura.api.getPayment(dewi, id)).transaction_status
const settled = async (order_id: string) => {
  const payment = await charge(order_id)
  await cli.control('POST', `transactions/${order_id}/pay`)
  await eventually(
    () => statusOf(payment.id),
    (status) => status === 'settlement',
  )
  return payment
}

describe('payments', () => {
  test('are listed, page by page, for people and for programs', async () => {
    for (const n of [1, 2, 3]) await charge(`listed-${n}`)
    const page = await cli.json('payments', 'list', '--limit', '2', '--type', 'gopay')
    expect((page['results'] as Json[]).map(({ order_id }) => order_id)).toEqual([
      'listed-3',
      'listed-2',
    ])
    const spoken = await cli.run([
      'payments',
      'list',
      '--limit',
      '1',
      '--cursor',
      String(page['next']),
    ])
    expect(spoken.stdout).toMatch(/^ID +ORDER +TYPE +AMOUNT +STATUS +MADE\n/)
    expect(spoken.stdout).toContain('listed-1')
    expect(spoken.stdout).toContain('Rp 150.000')
  })

  test('show prints the whole history, by id or by order id', async () => {
    const { id } = await settled('shown-1')
    const { stdout } = await cli.run(['payments', 'show', 'shown-1'])
    expect(stdout).toContain(id)
    for (const words of [
      'became settlement',
      'sent charge',
      'notification settlement',
      'event payment_settled',
    ]) {
      expect(stdout).toContain(words)
    }
    const missing = await cli.run(['payments', 'show', 'unknown-order', '--json'])
    expect([missing.code, missing.error['code']]).toEqual([3, 'not_found'])
  })

  test('refund needs an amount, refunds it, and exits with 4 above the refundable amount', async () => {
    await settled('refunded-1')
    const refund = ['payments', 'refund', 'refunded-1', '--reason', 'broken cup', '--as', 'dewi']
    const [vague, partial] = [
      await cli.run(refund),
      await cli.run([...refund, '--amount', '50000', '--json']),
    ]
    expect(vague.code).toBe(2)
    expect(vague.stderr).toContain('give the amount')
    expect(partial.json).toMatchObject({
      refund_amount: '50000.00',
      transaction_status: 'partial_refund',
    })
    const rest = await cli.json(...refund, '--all')
    expect(rest).toMatchObject({ refund_amount: '150000.00', transaction_status: 'refund' })
    const nothing = await cli.run([...refund, '--amount', '1', '--json'])
    expect(nothing.code).toBe(4)
    expect(nothing.error['advice']).not.toEqual([])
  })

  test('cancel, expire and check say how the payment stands then', async () => {
    await Promise.all([
      charge('cancelled-1'),
      charge('expired-1', 'bank_transfer'),
      charge('checked-1'),
    ])
    const [cancelled, expired, checked] = await Promise.all([
      cli.json('payments', 'cancel', 'cancelled-1'),
      cli.json('payments', 'expire', 'expired-1'),
      cli.json('payments', 'check', 'checked-1'),
    ])
    expect(cancelled['transaction_status']).toBe('cancel')
    expect(expired['transaction_status']).toBe('expire')
    expect(checked['payment']).toMatchObject({ transaction_status: 'pending' })
    const again = await cli.run(['payments', 'capture', 'checked-1', '--json'])
    expect([again.code, again.error['code']]).toEqual([4, 'not_credit_card'])
  })
})

describe('an action without a clear answer', () => {
  test('5; it is listed as open, and looking ends it', async () => {
    const { id } = await charge('unclear-1', 'bank_transfer')
    const strike = async (operation: string, effect: string, times: number) =>
      await cli.control('POST', 'faults', { effect, match: { operation }, times })
    await strike('expire', 'drop_after', 1)
    await strike('get_status', 'drop_before', 9)
    const lost = await cli.run(['payments', 'expire', 'unclear-1', '--json'])
    expect([lost.code, lost.error['code']]).toEqual([5, 'outcome_unknown'])
    await cli.control('DELETE', 'faults')

    const open = await cli.json('operations', 'list')
    const operation = (open['results'] as Json[]).find(({ subject_id }) => subject_id === id)
    expect(operation).toMatchObject({ kind: 'expire', state: 'unknown' })
    const resolve = ['operations', 'resolve', String(operation?.['id'])]
    const nameless = await cli.run(resolve)
    expect(nameless.code).toBe(2)
    expect(nameless.stderr).toContain('--as is missing')
    const resolved = await cli.json(...resolve, '--as', 'dewi', '--reason', 'the line was cut')
    expect(resolved).toMatchObject({
      operation: { state: 'succeeded' },
      payment: { transaction_status: 'expire' },
    })
    const ended = await cli.run([...resolve, '--as', 'dewi', '--reason', 'again', '--json'])
    expect(ended.code).toBe(2)
  })
})

describe('an invoice whose creation got no answer', () => {
  test('is resolved under the id the gateway has it by, and by no other', async () => {
    const email = 'lost@example.com'
    await cli.control('POST', 'faults', {
      effect: 'drop_after',
      match: { operation: 'create_invoice' },
      times: 2,
    })
    const input = {
      customer_name: 'Budi',
      customer_email: email,
      due_date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      items: [{ description: 'Lamp', price: 75_000 }],
    }
    const made = cli.gapura.api.createInvoice({ ...dewi, owner_id: 'shop' }, input)
    await expect(made).rejects.toMatchObject({ code: 'outcome_unknown' })
    await cli.sql(
      `update gapura.gateway_operation set created_at = created_at - interval '10 minutes',
       sent_at = sent_at - interval '10 minutes' where kind = 'create_invoice'`,
    )
    const open = (await cli.json('operations', 'list'))['results'] as Json[]
    const operation = open.find(({ kind }) => kind === 'create_invoice')
    const resolve = ['operations', 'resolve', String(operation?.['id']), '--as', 'dewi']
    const done = [...resolve, '--reason', 'on the dashboard', '--outcome', 'done']
    const nameless = await cli.run(done)
    expect(nameless.code).toBe(2)
    expect(nameless.stderr).toContain('gateway_id: must be the id that the gateway gave it')

    const { invoices } = (await (await fetch(`${cli.simulator.url}/_sim/invoices`)).json()) as {
      invoices: { id: string; customer_details: { email: string } }[]
    }
    const { id = '' } =
      invoices.find(({ customer_details }) => customer_details.email === email) ?? {}
    const spoken = await cli.run([...done, '--gateway-id', id])
    expect([spoken.code, spoken.stderr]).toEqual([0, ''])
    expect(spoken.stdout).toMatch(/^The create_invoice was done\.\n\ninvoice +/)
    expect(spoken.stdout).toMatch(new RegExp(`gateway id +${id}`))
  })
})

describe('notifications', () => {
  test('are listed by what became of them, and replayed in a name', async () => {
    const { id } = await settled('replayed-1')
    const listed = await cli.json(
      'notifications',
      'list',
      '--order-id',
      'replayed-1',
      '--effect',
      'applied',
    )
    const [applied] = listed['results'] as Json[]
    expect(applied).toMatchObject({ payment_id: id, transaction_status: 'settlement' })
    const replayed = await cli.json(
      'notifications',
      'replay',
      String(applied?.['id']),
      '--as',
      'dewi',
    )
    expect(replayed).toMatchObject({
      effect: 'stale',
      replay_of: applied?.['id'],
      reason: `replay of ${String(applied?.['id'])} by dewi`,
    })
    const none = await cli.run(['notifications', 'replay', id, '--json'])
    expect(none.code).toBe(3)
  })
})

describe('adopt', () => {
  test('brings in an order made elsewhere, once; 3 for one the gateway does not know', async () => {
    const { server_key, url } = cli.simulator
    await fetch(`${url}/v2/charge`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${server_key}:`).toString('base64')}` },
      body: JSON.stringify({
        payment_type: 'bank_transfer',
        bank_transfer: { bank: 'bni' },
        transaction_details: { order_id: 'phone-1', gross_amount: 77_000 },
      }),
    })
    const adopt = ['--owner', 'shop', '--reason', 'sold by phone', '--as', 'dewi']
    const payment = await cli.json('adopt', 'phone-1', ...adopt)
    expect(payment).toMatchObject({ order_id: 'phone-1', gross_amount: '77000.00', bank: 'bni' })
    const [twice, unknown] = await Promise.all([
      cli.run(['adopt', 'phone-1', ...adopt, '--json']),
      cli.run(['adopt', 'unknown-order', ...adopt, '--json']),
    ])
    expect([twice.code, twice.error['code']]).toEqual([4, 'duplicate_order'])
    expect([unknown.code, unknown.error['code']]).toEqual([3, 'gateway_not_found'])
  })
})

describe('events and alarms', () => {
  test('what a subscriber failed at is listed and released; its alarm closes', async () => {
    const { id } = await charge('dead-1')
    const subscribe = (name: string) =>
      cli.gapura.subscribe({
        name,
        signals: ['payment_received'],
        handler: ({ object }) => {
          if (object.id === id) throw new Error('boom')
        },
      })
    subscribe('mail')
    subscribe('stock')
    const worker = await cli.gapura.startWorker({ relay: { attempts_max: 1 } })
    const dead = async () =>
      (await cli.gapura.staff.listDeadEvents(dewi, { object_id: id })).results
    await eventually(dead, ({ length }) => length === 2)
    await worker.stop()

    const listed = await cli.run(['events', 'list', '--object', id])
    expect(listed.stdout).toMatch(/mail +.* +payment_received +1 +- +Error: boom/)
    const alarm = (await cli.json('alarms', 'list', '--kind', 'event_dead'))['results'] as Json[]
    expect(alarm).toHaveLength(1)
    const [retried, skipped] = await Promise.all([
      cli.json('events', 'retry', '--subscriber', 'mail', '--object', id),
      cli.json('events', 'skip', '--subscriber', 'stock', '--object', id, '--reason', 'not needed'),
    ])
    expect([retried['subscriber'], skipped['subscriber']]).toEqual(['mail', 'stock'])
    expect((await cli.json('alarms', 'list', '--kind', 'event_dead'))['results']).toEqual([])
    await cli.sql('delete from gapura.dead_event')
    await cli.sql('delete from gapura.event_subscriber')
  })

  test('an alarm is closed with what was found', async () => {
    const { id } = await charge('alarmed-1')
    await cli.sql(
      `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, detail)
       values (gen_random_uuid(), 'late_money', 'payment', $1, 'expire became settlement')`,
      [id],
    )
    const [alarm] = (await cli.json('alarms', 'list', '--about', id))['results'] as Json[]
    const close = ['alarms', 'close', String(alarm?.['id']), '--as', 'dewi']
    const closed = await cli.json(...close, '--reason', 'goods sent')
    expect(closed).toMatchObject({ closed_by: 'dewi', note: 'goods sent' })
    const again = await cli.run([...close, '--reason', 'goods sent', '--json'])
    expect(again.code).toBe(3)
  })
})
