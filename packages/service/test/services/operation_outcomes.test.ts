// How every operation on a payment ends: its alarm closes once the outcome is known, and a state
// conflict is looked up before it is recorded.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { useFaults } from './fault_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, fault, mute, clearFaults, later, rowOf, charged, settledWallet } = bench
const DAY = 24 * 3_600_000

beforeEach(mute)
afterEach(async () => {
  await clearFaults()
  await bench.resolve()
})

const alarmsOf = async (id: unknown) =>
  await service.database.sql(
    `select kind, closed_at is null as open, closed_by, note
     from gapura.gateway_alarm where subject_id = $1 order by opened_at`,
    [id],
  )
const OPEN = { kind: 'outcome_unknown', open: true, closed_by: null, note: null }
const CLOSED = {
  kind: 'outcome_unknown',
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

test('a charge of a caller who is not staff leaves no audit entry', async () => {
  const { id } = await charged('bank_transfer')
  const entries = await service.database.sql(
    'select action from gapura.audit_unsealed where subject_id = $1',
    [id],
  )
  expect(entries).toEqual([])
})
