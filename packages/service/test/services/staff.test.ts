import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { openAlarm } from '../../src/store/staff/alarms.ts'
import { newId } from '../../src/store/sql/values.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service } = bench
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
let gapura: Gapura | undefined
const staff = () => {
  if (gapura === undefined) throw new Error('open only inside tests')
  return gapura.staff
}

beforeAll(async () => {
  await bench.mute()
  const { url: base_url, server_key } = service.simulator
  gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: service.database.db.schema,
    gateway: { server_key, base_url },
  })
})
afterAll(async () => await gapura?.close())

const report = async (order_id: string, more: object = {}): Promise<string> => {
  const signed = { order_id, status_code: '200', gross_amount: '150000.00' }
  const signature_key = signNotification(signed, service.simulator.server_key)
  const body = { ...signed, transaction_status: 'settlement', signature_key, ...more }
  return (await receiveNotification(service.ctx, body)).notification_id ?? ''
}

describe('notifications', () => {
  test('are listed page by page, newest first, without their payloads', async () => {
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await report('listed', { n }))
    const query = { order_id: 'listed', page_size: 2 }
    const first = await staff().listNotifications(dewi, query)
    expect(first.results.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(first.results[0]).not.toHaveProperty('raw_payload')
    const next = await staff().listNotifications(dewi, { ...query, cursor: first.next ?? '' })
    expect(next).toMatchObject({ next: null, results: [{ id: ids[0], effect: 'unmatched' }] })
    const none = await staff().listNotifications(dewi, { order_id: 'listed', effect: 'applied' })
    expect(none.results).toEqual([])
  })

  test('are replayed: judged again, in a row of its own that names the first', async () => {
    const order_id = service.fresh('replayed')
    const first = await report(order_id)
    const payment = await bench.charged('qris', { order_id })
    const replayed = await staff().replayNotification(dewi, first)
    expect(replayed).toMatchObject({
      effect: 'applied',
      payment_id: payment.id,
      replay_of: first,
      reason: `replay of ${first} by dewi`,
    })
    expect(await bench.statusOf(payment.id)).toBe('settlement')
    const again = await staff().replayNotification(dewi, first)
    expect(again.effect).toBe('stale')
    const { results } = await staff().listNotifications(dewi, { order_id })
    expect(results).toHaveLength(3)
    expect(results.at(-1)).toMatchObject({
      id: first,
      effect: 'stale',
      reason: `replayed as ${replayed.id}`,
    })
  })

  test('404 for one that does not exist, 400 for an unknown filter', async () => {
    for (const id of [newId(), 'no-uuid']) {
      await expect(staff().replayNotification(dewi, id)).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    for (const query of [{ colour: 'red' }, { page_size: 0 }, { page_size: 101 }]) {
      await expect(staff().listNotifications(dewi, query)).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  })
})

describe('alarms', () => {
  test('are closed with staff id and note, and then listed only on request', async () => {
    const subject_id = newId()
    await service.database.do((tx) =>
      openAlarm(tx, {
        id: newId(),
        kind: 'late_money',
        subject_kind: 'payment',
        subject_id,
        owner_id: null,
        detail: 'expire became settlement',
      }),
    )
    const [alarm] = (await staff().listAlarms(dewi, { subject_id })).results
    const closed = await staff().closeAlarm(dewi, alarm?.id ?? '', { reason: 'sent the goods' })
    expect(closed).toMatchObject({ closed_by: 'dewi', note: 'sent the goods' })
    expect((await staff().listAlarms(dewi, { subject_id })).results).toEqual([])
    const all = await staff().listAlarms(dewi, { subject_id, closed: 'true', kind: 'late_money' })
    expect(all.results).toMatchObject([{ id: alarm?.id, note: 'sent the goods' }])
    const again = staff().closeAlarm(dewi, alarm?.id ?? '', { reason: 'once more' })
    await expect(again).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('adopting', () => {
  /** An order made at the gateway by another system, optionally paid. */
  const madeElsewhere = async (order_id: string, paid: boolean) => {
    await service.ctx.gateway.charge({
      payment_type: 'bank_transfer',
      bank_transfer: { bank: 'bni' },
      transaction_details: { order_id, gross_amount: 77_000 },
    })
    if (paid) await service.control(`transactions/${order_id}/pay`)
  }
  const adopt = async (order_id: string, reason = 'sold by phone') =>
    await staff().adoptOrder(dewi, { order_id, owner_id: 'shop-7', reason })

  test('records the order with the gateway’s status, and publishes it', async () => {
    const order_id = service.fresh('elsewhere')
    await madeElsewhere(order_id, true)
    const payment = await adopt(order_id)
    expect(payment).toMatchObject({
      order_id,
      payment_type: 'bank_transfer',
      bank: 'bni',
      gross_amount: '77000.00',
      transaction_status: 'settlement',
      is_paid: true,
    })
    const history = await staff().paymentHistory(dewi, payment.id)
    expect(history.transitions).toMatchObject([
      { to_status: 'initiated', source: 'staff', reason: 'by dewi: sold by phone' },
      { to_status: 'settlement', source: 'staff' },
    ])
    const events = await service.database.sql(
      'select type, owner_id from gapura.gateway_event where object_id = $1',
      [payment.id],
    )
    expect(events).toEqual([{ type: 'payment_settled', owner_id: 'shop-7' }])
    await expect(adopt(order_id)).rejects.toMatchObject({ code: 'duplicate_order' })
  })

  test('an order that is paid later follows the gateway like one of ours', async () => {
    const order_id = service.fresh('elsewhere')
    await madeElsewhere(order_id, false)
    const { id } = await adopt(order_id)
    const statusOf = async () => (await gapura?.api.getPayment(dewi, id))?.transaction_status
    expect(await statusOf()).toBe('pending')
    await service.control(`transactions/${order_id}/pay`)
    await gapura?.api.checkStatus(dewi, id)
    expect(await statusOf()).toBe('settlement')
  })

  test('a payment of ours that was lost comes back under its own id', async () => {
    const { id, order_id } = await bench.charged('qris')
    const { sql } = service.database
    // As after a backup of yesterday was restored.
    await sql('delete from gapura.gateway_event where object_id = $1', [id])
    await sql('delete from gapura.gateway_operation where subject_id = $1', [id])
    await sql('delete from gapura.gateway_payment_item where payment_id = $1', [id])
    await sql('delete from gapura.gateway_payment where id = $1', [id])
    await sql('alter table gapura.gateway_transition disable trigger user')
    await sql('delete from gapura.gateway_transition where object_id = $1', [id])
    await sql('alter table gapura.gateway_transition enable trigger user')
    expect(await adopt(order_id)).toMatchObject({ id, transaction_status: 'pending' })
  })

  test('refuses an order unknown to the gateway', async () => {
    await expect(adopt('of-unknown')).rejects.toMatchObject({ code: 'gateway_not_found' })
    await expect(adopt('no/slash')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(adopt('short-reason', 'x')).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('dead events', () => {
  test('are listed over all subscribers, and released with staff id and reason', async () => {
    const failing = createGapura({
      databaseUrl: DATABASE_URL,
      schema: service.database.db.schema,
      gateway: { server_key: 'x', base_url: service.simulator.url },
    })
    const { id } = await bench.charged('qris')
    for (const name of ['mail', 'stock']) {
      failing.subscribe({
        name,
        signals: ['payment_received'],
        handler: () => {
          throw new Error('boom')
        },
      })
    }
    const worker = await failing.startWorker({ relay: { attempts_max: 1 } })
    const dead = async () => (await staff().listDeadEvents(dewi, { object_id: id })).results
    const both = await eventually(dead, ({ length }) => length === 2)
    expect(both.map(({ subscriber }) => subscriber).sort()).toEqual(['mail', 'stock'])
    expect(both[0]).toMatchObject({ type: 'payment_received', error: 'Error: boom' })
    const first = await staff().listDeadEvents(dewi, { object_id: id, page_size: 1 })
    const query = { object_id: id, page_size: 1, cursor: first.next ?? '' }
    const second = await staff().listDeadEvents(dewi, query)
    expect(new Set([first.results[0]?.id, second.results[0]?.id]).size).toBe(2)
    await worker.stop()
    await failing.close()
    for (const subscriber of ['mail', 'stock']) {
      await staff().skipEvent(dewi, { subscriber, object_id: id, reason: 'no mail wanted' })
    }
    const { event_id } = both[0] ?? { event_id: '' }
    const alarms = await staff().listAlarms(dewi, { subject_id: event_id, closed: true })
    expect(alarms.results).toMatchObject([{ closed_by: 'dewi', note: 'skip: no mail wanted' }])
    const none = staff().retryEvent(dewi, { subscriber: 'mail', object_id: newId() })
    await expect(none).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('403 for a caller that is not staff, or lacks the scope', async () => {
  for (const caller of [
    { ...dewi, staff: false },
    { ...dewi, scopes: [] },
  ]) {
    for (const work of [
      staff().listNotifications(caller),
      staff().listOperations(caller),
      staff().listAlarms(caller),
      staff().listDeadEvents(caller),
      staff().paymentHistory(caller, newId()),
      staff().replayNotification(caller, newId()),
      staff().closeAlarm(caller, newId(), { reason: 'because' }),
      staff().retryEvent(caller, { subscriber: 'a', object_id: newId() }),
      staff().adoptOrder(caller, { order_id: 'a', owner_id: 'b', reason: 'because' }),
    ]) {
      await expect(work).rejects.toMatchObject({ code: 'forbidden' })
    }
  }
})

test('operations: the open ones, or all of one payment', async () => {
  const { id } = await bench.charged('gopay')
  const { results } = await staff().listOperations(dewi, { subject_id: id })
  expect(results).toMatchObject([{ kind: 'charge', state: 'succeeded', subject_id: id }])
  const open = await staff().listOperations(dewi)
  expect(open.results.every(({ state }) => state === 'started' || state === 'unknown')).toBe(true)
})
