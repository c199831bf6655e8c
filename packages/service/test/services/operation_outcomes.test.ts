// How every operation on a payment ends: its alarm closes once the outcome is known, and a state
// conflict is looked up before it is recorded.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cancelPayment, expirePayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { cuttingOf } from './cutting_bench.ts'
import { useFaults } from './fault_bench.ts'
import { handsOf, reason } from './hand_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, fault, mute, clearFaults, later, rowOf, charged, settledWallet } = bench
const { end, openOf } = handsOf(service)
const cutting = cuttingOf(service)
const DAY = 24 * 3_600_000

beforeEach(mute)
afterEach(async () => {
  await clearFaults()
  await bench.resolve()
})

const alarmsOf = async (id: unknown) =>
  await service.database.sql(
    `select kind, detail, closed_at is null as open, closed_by, note
     from gapura.gateway_alarm where subject_id = $1 order by opened_at`,
    [id],
  )
const OPEN = {
  kind: 'outcome_unknown',
  detail: expect.stringMatching(
    /^(?:charge|cancel|refund): the gateway has not shown whether it was carried out$/,
  ) as string,
  open: true,
  closed_by: null,
  note: null,
}
const CLOSED = {
  ...OPEN,
  open: false,
  closed_by: 'gapura',
  note: 'the outcome is known',
}

async function resolveAfterDay(): Promise<void> {
  await later(DAY + 60_000)
  await resolveOperations(service.ctx, 50)
}

/** The gateway carries out the call, and neither the reply nor any look arrives. */
async function loseReplyOf(operation: string): Promise<void> {
  await fault(operation, 'drop_after')
  await fault('get_status', 'drop_before', { times: null })
}

describe('an alarm about an unknown outcome', () => {
  test('of a charge is closed when the resolver finds the charge', async () => {
    const order_id = service.fresh('alarm')
    await loseReplyOf('charge')
    const input = await chargeOf('bank_transfer', { order_id })
    await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
    await resolveAfterDay()
    const id = (await rowOf(order_id))?.['id']
    expect(await alarmsOf(id)).toEqual([OPEN])
    await clearFaults()
    await bench.resolve()
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending' })
    expect(await alarmsOf(id)).toEqual([CLOSED])
  })

  test('of a charge is closed when the resolver finds that none was made', async () => {
    const order_id = service.fresh('alarm-absent')
    await fault('charge', 'drop_before')
    await fault('get_status', 'drop_before', { times: null })
    const input = await chargeOf('bank_transfer', { order_id })
    await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
    await resolveAfterDay()
    await clearFaults()
    await bench.resolve()
    const row = await rowOf(order_id)
    expect(row).toMatchObject({ refused: true })
    expect(await alarmsOf(row?.['id'])).toEqual([CLOSED])
  })

  test('of a cancel is closed when the gateway shows the cancel', async () => {
    const { id } = await charged('bank_transfer')
    await loseReplyOf('cancel')
    await cancelPayment(service.ctx, requestOf(), id).catch(() => undefined)
    await resolveAfterDay()
    expect(await alarmsOf(id)).toEqual([OPEN])
    await clearFaults()
    await bench.resolve()
    expect(await alarmsOf(id)).toEqual([CLOSED])
  })

  test('of two refunds stays open until both outcomes are known', async () => {
    const { id } = await settledWallet()
    await fault('refund', 'drop_after', { times: 2 })
    await fault('get_status', 'drop_before', { times: null })
    for (const key of ['first', 'second']) {
      await refundPayment(service.ctx, requestOf('owner-1', key), id, { amount: 10_000 }).catch(
        () => undefined,
      )
    }
    await resolveAfterDay()
    expect(await alarmsOf(id)).toEqual([OPEN])
    await clearFaults()
    await later(60_000)
    await resolveOperations(service.ctx, 1)
    expect(await alarmsOf(id)).toEqual([OPEN])
    await bench.resolve()
    expect(await alarmsOf(id)).toEqual([CLOSED])
  })
})

describe('a state conflict', () => {
  test('is recorded as done where the gateway shows the action', async () => {
    const { id, order_id } = await charged('bank_transfer')
    // Cancelled on the gateway's own pages, and its notification was lost.
    await service.ctx.gateway.cancel(order_id, { idempotency_key: service.fresh('elsewhere') })
    const outcome = await cancelPayment(service.ctx, requestOf(), id)
    expect(bodyOf(outcome)).toMatchObject({ order_id, transaction_status: 'cancel' })
  })

  test('is recorded as refused where the gateway shows another status', async () => {
    const { id, order_id } = await charged('gopay')
    await service.control(`transactions/${order_id}/pay`)
    await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
      code: 'gateway_state_conflict',
    })
  })

  test('stays open where the gateway is unreachable, and is ended by the resolver', async () => {
    const { id, order_id } = await charged('bank_transfer')
    await service.ctx.gateway.cancel(order_id, { idempotency_key: service.fresh('elsewhere') })
    await fault('get_status', 'drop_before', { times: null })
    await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await clearFaults()
    await bench.resolve()
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'cancel' })
  })
})

test('an order id that is taken is refused as duplicate_order, and nothing is charged', async () => {
  const { order_id } = await charged('bank_transfer')
  const input = await chargeOf('bank_transfer', { order_id })
  await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
    code: 'duplicate_order',
  })
  expect(await bench.chargesOf(order_id)).toBe(1)
})

/** Lost before the gateway had it; then another system charged under its order id. */
async function lostToAnother() {
  const order_id = service.fresh('theirs')
  await fault('charge', 'timeout_before')
  await fault('get_status', 'drop_before', { times: 5 })
  const input = await chargeOf('bank_transfer', { order_id })
  await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
  await clearFaults()
  await mute()
  await service.ctx.gateway.charge({
    payment_type: 'bank_transfer',
    bank_transfer: { bank: 'bca' },
    transaction_details: { order_id, gross_amount: 150_000 },
  })
  await later(61_000)
  return { order_id, operation_id: await openOf(String((await rowOf(order_id))?.['id'])) }
}

const operationOf = async (id: string) =>
  (
    await service.database.sql(
      `select state, reply, extract(epoch from due_at - gapura.now())::float8 as due_s
       from gapura.gateway_operation where id = $1`,
      [id],
    )
  )[0]

describe('a lost charge whose order id another system has taken', () => {
  test('is refused as a duplicate by the resolver', async () => {
    const { order_id, operation_id } = await lostToAnother()
    await resolveOperations(service.ctx, 50)
    expect(await operationOf(operation_id)).toMatchObject({
      state: 'refused',
      reply: { error: 'gateway_duplicate' },
    })
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  })

  test('is refused as a duplicate by a staff member', async () => {
    const { operation_id } = await lostToAnother()
    await end(operation_id, 'refused')
    expect(await operationOf(operation_id)).toMatchObject({
      state: 'refused',
      reply: { error: 'gateway_duplicate', resolved_by: 'dewi', reason },
    })
  })
})

test('a second change of a payment is refused while the first is unclear', async () => {
  const { id } = await charged('bank_transfer')
  await loseReplyOf('cancel')
  await cancelPayment(service.ctx, requestOf(), id).catch(() => undefined)
  expect(await expirePayment(service.ctx, requestOf('owner-1', 'other'), id)).toMatchObject({
    kind: 'problem',
    code: 'operation_in_progress',
  })
})

describe('an outcome that cannot be recorded', () => {
  const logged: unknown[][] = []
  const note = (...line: unknown[]): void => void logged.push(line)
  const log = { info: note, warn: note, error: note }
  beforeEach(() => void logged.splice(0))

  test('because of a fault of our own leaves the lease, and the resolver logs the fault', async () => {
    const order_id = service.fresh('unrecorded')
    await loseReplyOf('charge')
    const input = await chargeOf('bank_transfer', { order_id })
    await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
    await clearFaults()
    await later(70_000)
    const operation_id = await openOf(String((await rowOf(order_id))?.['id']))
    const reached = (): void => {
      throw new RangeError('ours')
    }
    await resolveOperations({ ...service.ctx, log, reached }, 50)
    expect(logged).toEqual([
      [{ operation_id, kind: 'charge', error: 'RangeError' }, 'operation not resolved'],
    ])
    const left = await operationOf(operation_id)
    expect(left).toMatchObject({ state: 'started' })
    expect(left?.['due_s']).toBeGreaterThan(60)
  })

  test('because the database is away leaves the lease, and that is logged', async () => {
    const order_id = service.fresh('away')
    const input = await chargeOf('bank_transfer', { order_id })
    // Four tries to record it, and one to release the lease.
    await cutting('before', { after: 1, times: 5 }, async (ctx) => {
      await createCharge({ ...ctx, log }, input, requestOf()).catch(() => undefined)
    })
    const operation_id = await openOf(String((await rowOf(order_id))?.['id']))
    expect(logged).toEqual([
      [{ operation_id, error: 'StoreError commit_unknown' }, 'operation lease not released'],
    ])
    expect(await operationOf(operation_id)).toMatchObject({ state: 'started' })
  })
})

test('a charge of a caller who is not staff leaves no audit entry', async () => {
  const { id } = await charged('bank_transfer')
  const entries = await service.database.sql(
    'select action from gapura.audit_unsealed where subject_id = $1',
    [id],
  )
  expect(entries).toEqual([])
})
