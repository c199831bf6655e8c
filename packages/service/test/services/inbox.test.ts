// The inbox writer under load: queues of two processes over one database, on the same few orders at
// once, and single items that cannot be written.
import { afterAll, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { representWithin } from '../../src/services/payments/representation.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { there } from '../store/sample_rows.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { charges } from './charge_inputs.ts'
import { cuttingProxy } from '../store/cutting_proxy.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService({ timeout_ms_max: 20_000 })
const { chargeOf } = charges(() => service.ctx.gateway)
const opened: Database[] = []
afterAll(async () => {
  for (const db of opened) await db.close()
})

const CODES = { pending: '201', settlement: '200', expire: '407' } as const

interface Order {
  id: string
  order_id: string
  transaction_id: unknown
}

async function charged(): Promise<Order> {
  const order_id = service.fresh('grouped')
  const input = await chargeOf('bank_transfer', { order_id })
  const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  return { id, order_id, transaction_id }
}

async function chargedMany(count: number): Promise<Order[]> {
  const orders: Order[] = []
  while (orders.length < count) orders.push(await charged())
  return orders
}

/** A signed report that differs from every other. */
function report(
  { order_id, transaction_id }: Omit<Order, 'id'>,
  transaction_status: keyof typeof CODES,
  mark: number,
) {
  const fields = { order_id, status_code: CODES[transaction_status], gross_amount: '150000.00' }
  const signature_key = signNotification(fields, service.simulator.server_key)
  return { ...fields, transaction_id, transaction_status, metadata: { mark }, signature_key }
}

/** The context of another process, with the warnings of its writer. */
function another(url = DATABASE_URL, lock_timeout_ms = 20_000) {
  const warned: string[] = []
  const db = openDatabase(url, { schema: service.database.db.schema, lock_timeout_ms })
  opened.push(db)
  const log = { ...service.ctx.log, warn: (_: object, message: string) => warned.push(message) }
  return { ctx: withInbox({ ...service.ctx, db, log }), warned }
}

const rowsOf = async (ids: readonly string[]) =>
  await service.database.sql(
    `select id, order_id, payment_id, effect, reason, raw_payload #>> '{metadata,mark}' as mark
     from gapura.gateway_notification
     where id = any($1)`,
    [ids],
  )

describe('grouping', () => {
  test('960 calls over two writers on twelve orders, 1 in 8 unknown and 1 in 8 duplicated: no deadlock, and each caller gets its own row', async () => {
    const orders = await chargedMany(12)
    const statuses = ['pending', 'settlement', 'pending', 'expire', 'settlement'] as const
    const writers = [another(), another()]
    const bodyAt = (n: number): ReturnType<typeof report> => {
      if (n % 8 === 5) return bodyAt(n - 1)
      const unknown = { order_id: `unknown-${n}`, transaction_id: `t-${n}` }
      const order = n % 8 === 3 ? unknown : (orders[(n * 7) % orders.length] ?? unknown)
      return report(order, statuses[n % statuses.length] ?? 'pending', n)
    }
    const bodies = Array.from({ length: 960 }, (_, n) => bodyAt(n))
    const replies = await Promise.all(
      bodies.map(async (body, n) => {
        const ctx = writers[n % 2]?.ctx ?? service.ctx
        return (await receiveNotification(ctx, body)).notification_id ?? ''
      }),
    )
    expect(writers.flatMap(({ warned }) => warned)).toEqual([])
    const rows = new Map((await rowsOf(replies)).map((row) => [row['id'], row]))
    expect(rows.size).toBe(960)
    expect(replies.map((id) => rows.get(id)?.['mark'])).toEqual(
      bodies.map(({ metadata }) => String(metadata.mark)),
    )
    const effects = [...rows.values()].map(({ effect }) => effect)
    expect(effects.filter((effect) => effect === 'unmatched')).toHaveLength(120)
    expect(effects.filter((effect) => effect === 'duplicate')).toHaveLength(120)
    for (const { id } of orders) {
      const history = await service.database.do(async (tx) => await listTransitions(tx, id))
      const settled = history.filter(({ to_status }) => to_status === 'settlement')
      expect(settled.length).toBeLessThanOrEqual(1)
    }
  })

  test('reports of one order in one group are applied in order of arrival', async () => {
    const order = await charged()
    const { ctx } = another()
    const bodies = [
      report(order, 'pending', 1),
      report(order, 'settlement', 2),
      report(order, 'pending', 3),
      report(order, 'settlement', 2),
    ]
    const replies = await Promise.all(bodies.map((body) => receiveNotification(ctx, body)))
    const rows = await rowsOf(replies.map(({ notification_id = '' }) => notification_id))
    const rows_written = replies.map(({ notification_id }) =>
      rows.find(({ id }) => id === notification_id),
    )
    expect(rows_written.map((row) => row?.['effect'])).toEqual([
      'stale',
      'applied',
      'stale',
      'duplicate',
    ])
    expect(rows_written[3]?.['reason']).toBe(`of ${replies[1]?.notification_id ?? ''}`)
  })

  test('the event of a grouped step holds the payment as HTTP returns it', async () => {
    const order = await charged()
    await receiveNotification(another().ctx, report(order, 'settlement', 1))
    const { row, event } = await service.database.do(async (tx) => ({
      row: await representWithin(tx, there(await lockPayment(tx, order.id))),
      event: (await readObjectEvents(tx, order.id, 1, 10)).at(-1),
    }))
    expect(event?.type).toBe('payment_settled')
    expect(event?.object).toEqual(row)
  })
})

describe('one that cannot be written', () => {
  const outcomes = async (ctx: Context, orders: readonly Omit<Order, 'id'>[]) =>
    (
      await Promise.allSettled(
        orders.map((order, n) => receiveNotification(ctx, report(order, 'settlement', n))),
      )
    ).map(({ status }) => status)

  test('because the database refuses its row: the others are stored', async () => {
    await service.database.sql(
      `create function gapura.refuse_poison() returns trigger language plpgsql as
       $$ begin raise exception 'poison' using errcode = 'check_violation'; end $$`,
    )
    await service.database.sql(
      `create trigger refuse_poison before insert on gapura.gateway_notification for each row
       when (new.order_id = 'poison') execute function gapura.refuse_poison()`,
    )
    const [first, ...rest] = await chargedMany(3)
    const poison = { order_id: 'poison', transaction_id: 't' }
    const { ctx, warned } = another()
    expect(await outcomes(ctx, [there(first), poison, ...rest])).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(warned).toEqual(['inbox_one_by_one'])
  })

  test('because another transaction locks its payment: the others do not wait for it for ever', async () => {
    const [first, held, last] = [await charged(), await charged(), await charged()]
    const { ctx } = another(DATABASE_URL, 500)
    const seen = await service.database.do(async (tx) => {
      await lockPayment(tx, held.id)
      return await outcomes(ctx, [first, held, last, held])
    })
    expect(seen).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  })
})

describe('the answer to the commit is lost', () => {
  test.each([
    ['before', 'rejected'],
    ['after', 'fulfilled'],
  ] as const)('%s the server had it: each caller is %s', async (when, answered) => {
    const orders = await chargedMany(2)
    const proxy = await cuttingProxy(when, { times: 1 })
    const { ctx } = another(proxy.url)
    const replies = await Promise.allSettled(
      orders.map((order, n) => receiveNotification(ctx, report(order, 'settlement', n))),
    )
    expect(replies.map(({ status }) => status)).toEqual([answered, answered])
    const ids = replies.flatMap((reply) =>
      reply.status === 'fulfilled' ? (reply.value.notification_id ?? []) : [],
    )
    expect(await rowsOf(ids)).toHaveLength(ids.length)
    proxy.close()
  })
})
