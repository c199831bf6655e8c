// Charges of several callers that are made at the same time are stored and recorded together.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { withTransaction } from '../../src/store/connection/transaction.ts'
import { lockPaymentByOrderId } from '../../src/store/payments/locks.ts'
import { insertPayment } from '../../src/store/payments/rows.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../store/database_proxy.ts'
import { newPayment } from '../store/sample_rows.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService({ timeout_ms_max: 5_000 })
const { chargeOf } = charges(() => service.ctx.gateway)
let proxy: DatabaseProxy
let db: Database
let ctx: Context

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  db = openDatabase(proxy.url, { schema: service.ctx.db.schema })
  const { inbox: _, ...parts } = service.ctx
  ctx = withInbox({ ...parts, db })
})

afterAll(async () => {
  await db.close()
  await proxy.close()
})

async function charge(order_id: string, key = order_id, owner_id = 'owner-1') {
  const input = await chargeOf('bank_transfer', { order_id })
  return bodyOf(await createCharge(ctx, input, requestOf(owner_id, key)))
}

const several = (count: number): string[] =>
  Array.from({ length: count }, () => service.fresh('group'))

const rowsOf = async (order_ids: readonly string[]) =>
  await service.database.sql(
    `select order_id, transaction_status, payment.version, operation.state, reply.code,
       (select count(*)::integer from gapura.gateway_payment_item where payment_id = payment.id) as items,
       (select array_agg(to_status order by version) from gapura.gateway_transition
        where object_id = payment.id) as steps,
       (select array_agg(type order by sequence) from gapura.gateway_event
        where object_id = payment.id) as events
     from gapura.gateway_payment as payment
     join gapura.gateway_operation as operation on operation.subject_id = payment.id
     join gapura.operation_reply as reply on reply.operation_id = operation.id
     where order_id = any($1)
     order by order_id`,
    [order_ids],
  )

/** Runs `during` while another transaction holds what `hold` takes. */
async function whileHeld<Result>(
  hold: (held: Parameters<Parameters<typeof withTransaction>[1]>[0]) => Promise<unknown>,
  during: () => Promise<Result>,
): Promise<Result> {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = withTransaction(service.ctx.db, async (tx) => {
    await hold(tx)
    held.resolve()
    await release.promise
    throw new Error('rolled back on purpose')
  }).catch(() => undefined)
  await held.promise
  try {
    return await during()
  } finally {
    release.resolve()
    await holding
  }
}

describe('charges made at the same time', () => {
  test('are each stored, sent once and recorded, with fewer round trips than one by one', async () => {
    const orders = several(24)
    // All answers come at about the same time.
    const fault = { effect: 'delay', match: { operation: 'charge' }, times: 24 }
    await service.control('faults', { ...fault, options: { ms: 400 } })
    const before = proxy.trips()
    const bodies = await Promise.all(
      orders.map(async (order_id, n) => await charge(order_id, order_id, `owner-${n % 3}`)),
    )
    // One by one each takes five; on a busy machine the groups are smaller.
    expect(proxy.trips() - before).toBeLessThan(24 * 4)
    expect(bodies.map(({ order_id }) => order_id)).toEqual(orders)
    expect(await rowsOf(orders)).toEqual(
      orders.toSorted().map((order_id) => ({
        order_id,
        transaction_status: 'pending',
        version: 2,
        state: 'succeeded',
        code: 201,
        items: expect.any(Number) as number,
        steps: ['initiated', 'pending'],
        events: ['payment_received'],
      })),
    )
    for (const order_id of orders) expect((await service.ledger(order_id))?.charges).toBe(1)
    // A repeat gets the stored reply, byte for byte.
    const again = await Promise.all(
      orders.map(async (order_id, n) => await charge(order_id, order_id, `owner-${n % 3}`)),
    )
    expect(again).toEqual(bodies)
  })

  test('with one order id: one is made, and the others learn which payment has it', async () => {
    const [order_id = ''] = several(1)
    const others = several(6)
    const results = await Promise.allSettled([
      ...others.map(async (other) => await charge(other)),
      ...[1, 2, 3, 4].map(async (n) => await charge(order_id, `${order_id}-${n}`)),
    ])
    const made = results.filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(others.length + 1)
    expect(results.filter(({ status }) => status === 'rejected')).toEqual(
      [1, 2, 3].map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'duplicate_order' }) as unknown,
      })),
    )
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('with one key: one is made, and no other is sent', async () => {
    const [order_id = ''] = several(1)
    await Promise.allSettled([
      ...several(4).map(async (other) => await charge(other)),
      ...[1, 2, 3, 4].map(async () => await charge(order_id)),
    ])
    expect((await service.ledger(order_id))?.charges).toBe(1)
    expect(await charge(order_id)).toMatchObject({ order_id, transaction_status: 'pending' })
  })
})

describe('one charge that must wait', () => {
  const soon = async <Result>(work: Promise<Result>): Promise<Result | 'late'> =>
    await Promise.race([work, new Promise<'late'>((resolve) => setTimeout(resolve, 1_500, 'late'))])

  test('for its order id, which another transaction holds, keeps no other waiting', async () => {
    const [taken = '', ...others] = several(9)
    let waiting: Promise<unknown> = Promise.resolve()
    await whileHeld(
      async (tx) => await insertPayment(tx, newPayment({ order_id: taken })),
      async () => {
        waiting = charge(taken).catch((error: unknown) => error)
        const rest = Promise.all(others.map(async (order_id) => await charge(order_id)))
        expect(await soon(rest)).not.toBe('late')
      },
    )
    await waiting
    expect(await rowsOf(others)).toHaveLength(others.length)
  })

  test('for its row, which another transaction has locked, keeps no other waiting', async () => {
    const [locked = '', ...others] = several(9)
    const fault = { effect: 'delay', match: { operation: 'charge' }, times: 9 }
    await service.control('faults', { ...fault, options: { ms: 300 } })
    const made = [locked, ...others].map(async (order_id) => await charge(order_id))
    await expect.poll(async () => await exists(locked)).toBe(true)
    await whileHeld(
      async (tx) => await lockPaymentByOrderId(tx, locked),
      async () => expect(await soon(Promise.all(made.slice(1)))).not.toBe('late'),
    )
    expect(await Promise.all(made)).toHaveLength(9)
    expect(await rowsOf([locked, ...others])).toHaveLength(9)
  })

  test('a payment that changed meanwhile is recorded by what it is now, the others as usual', async () => {
    const [changed = '', ...others] = several(6)
    const fault = { effect: 'delay', match: { operation: 'charge' }, times: 6 }
    await service.control('faults', { ...fault, options: { ms: 800, after: true } })
    const made = [changed, ...others].map(async (order_id) => await charge(order_id))
    await expect.poll(async () => await exists(changed)).toBe(true)
    await expect.poll(async () => (await service.ledger(changed))?.charges ?? 0).toBe(1)
    // The payer is quicker than the gateway's answer to us.
    await service.control(`transactions/${changed}/pay`)
    await expect.poll(async () => await statusOf(changed)).toBe('settlement')
    const [first, ...rest] = await Promise.all(made)
    expect(first).toMatchObject({ transaction_status: 'settlement', is_paid: true })
    expect(rest.map(({ transaction_status }) => transaction_status)).toEqual(
      rest.map(() => 'pending'),
    )
    expect(await statusOf(changed)).toBe('settlement')
  })

  const statusOf = async (order_id: string): Promise<unknown> => {
    const [row] = await service.database.sql(
      'select transaction_status from gapura.gateway_payment where order_id = $1',
      [order_id],
    )
    return row?.['transaction_status']
  }

  const exists = async (order_id: string): Promise<boolean> => {
    const rows = await service.database.sql(
      'select 1 as one from gapura.gateway_payment where order_id = $1',
      [order_id],
    )
    return rows.length === 1
  }
})
