// A charge that was given up is found while its order id is taken, or after the gateway ended it.
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createCheckout } from '../../src/services/checkouts/actions.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { requestOf } from '../services/service_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { useGivenUp } from './given_up_bench.ts'
import { holdUp } from './paused_gateway.ts'

const bench = useGivenUp()
const {
  service,
  caller,
  chargeOf,
  fault,
  mute,
  clearFaults,
  later,
  rowsOf,
  alarmsOf,
  givenUp,
  sweep,
} = bench

test('another charge of its order id is stored at the same moment: it stays refused', async () => {
  const { id, order_id } = await givenUp()
  const other = new Client({ connectionString: DATABASE_URL })
  await other.connect()
  await other.query('begin')
  // As the statement of a new charge would, and not committed yet.
  await other.query(
    `insert into gapura.gateway_payment (id, owner_id, order_id, api_family, payment_type,
       gross_amount, currency)
     values (gen_random_uuid(), 'owner-1', $1, 'classic', 'gopay', 150000, 'IDR')`,
    [order_id],
  )
  const revived = getStatus(service.ctx, caller, id)
  await eventually(
    async () =>
      await service.database.sql(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ),
    (waiting) => waiting.length > 0,
  )
  await other.query('commit')
  await other.end()
  expect((await revived)?.payment).toMatchObject({ transaction_status: 'pending' })
  const rows = await rowsOf(order_id)
  expect(rows.find((row) => row['id'] === id)).toMatchObject({ refused: true })
  expect(await alarmsOf(id)).toEqual(
    expect.arrayContaining(['outcome_unknown', 'duplicate_at_gateway']),
  )
  await service.database.sql(
    'delete from gapura.gateway_payment where order_id = $1 and id <> $2',
    [order_id, id],
  )
})

test('cancelled since, and its first reply arrives after all: the cancellation is found', async () => {
  const order_id = service.fresh('cancelled')
  const input = await chargeOf('credit_card', { order_id })
  const ctx = holdUp(service.ctx, 'charge', 'after_answer', async () => {
    await bench.denyKnowing(10)
    await later(120_000)
    await resolveOperations(service.ctx, 10)
    await clearFaults()
    await mute()
    expect((await rowsOf(order_id))[0]).toMatchObject({ refused: true })
    await service.ctx.gateway.cancel(order_id)
  })
  await createCharge(ctx, input, requestOf('owner-1', 'cancelled'))
  expect((await rowsOf(order_id))[0]).toMatchObject({ transaction_status: 'capture' })
  await later(61_000)
  await sweep()
  expect((await rowsOf(order_id))[0]).toMatchObject({ transaction_status: 'cancel' })
})

test('a checkout of the order id of a charge that arrives late: the charge stays refused, with both alarms', async () => {
  const order_id = service.fresh('page')
  const input = await chargeOf('bank_transfer', { order_id })
  const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
    await later(70_000)
    await resolveOperations(service.ctx, 10)
    await createCheckout(service.ctx, { order_id, amount: 150_000 }, requestOf('owner-1', 'page'))
  })
  await expect(createCharge(ctx, input, requestOf('owner-1', 'direct'))).rejects.toMatchObject({
    code: 'outcome_unknown',
  })
  const [row] = await rowsOf(order_id)
  expect(row).toMatchObject({ transaction_status: 'pending', refused: true })
  expect(await alarmsOf(row?.['id'])).toEqual(
    expect.arrayContaining(['outcome_unknown', 'duplicate_at_gateway']),
  )
})

test('the alarm about a charge that was given up stays open when a later action is resolved', async () => {
  const { id, order_id } = await givenUp()
  await getStatus(service.ctx, caller, id)
  await later(1_000)
  await fault('cancel', 'drop_after')
  await fault('get_status', 'drop_before', { times: 3 })
  const cancelled = cancelPayment(service.ctx, requestOf(), id)
  await expect(cancelled).rejects.toMatchObject({ code: 'outcome_unknown' })
  await clearFaults()
  await mute()
  await later(61_000)
  await resolveOperations(service.ctx, 10)
  expect((await rowsOf(order_id))[0]).toMatchObject({ transaction_status: 'cancel' })
  const open = await service.database.sql(
    'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
    [id],
  )
  expect(open).toEqual([{ kind: 'outcome_unknown' }])
})
