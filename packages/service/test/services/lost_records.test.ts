// The connection to the database breaks after the call to the gateway: at the commit, before or
// after the server had it. The result is still recorded, or the lease is released; no operation
// waits for a lease without a holder, and nothing is sent twice (ADR 0006).
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gatewayError } from '../../src/domain/errors.ts'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { recordRefused } from '../../src/services/operations/record.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { CHARGE } from '../../src/services/payments/charge_operation.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { findOperation } from '../../src/store/operations/rows.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { cuttingOf, MOMENTS } from './cutting_bench.ts'
import { useFaults } from './fault_bench.ts'
import { dewi, handsOf, reason } from './hand_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, fault, mute, clearFaults, later, rowOf, chargesOf, denyKnowing } = bench
const { openOf } = handsOf(service)

const cutting = cuttingOf(service)

beforeEach(mute)
afterEach(async () => {
  await healed()
  // What is left open would be the next test's first commit.
  await bench.resolve()
})

const operationOf = async (order_id: string) =>
  (
    await service.database.sql(
      `select operation.id, kind, state, attempt, sends,
         extract(epoch from due_at - gapura.now())::float8 as due_s
       from gapura.gateway_operation as operation
       join gapura.gateway_payment as payment on payment.id = subject_id
       where order_id = $1
       order by operation.created_at desc`,
      [order_id],
    )
  )[0]

async function healed(): Promise<void> {
  await clearFaults()
  await mute()
}

/** A charge that was made, without an answer or notification; the first looks found nothing. */
async function lostCharge(name: string, key?: string) {
  const order_id = service.fresh(name)
  const input = await chargeOf('bank_transfer', { order_id })
  await fault('charge', 'drop_after')
  await denyKnowing(3)
  await createCharge(service.ctx, input, requestOf('owner-1', key)).catch(() => undefined)
  await healed()
  return { order_id, input }
}

const callsOf = async (order_id: string, operation: string): Promise<number> => {
  const reply = await fetch(`${service.simulator.url}/_sim/ledger?kind=call&limit=1000`)
  const { entries } = (await reply.json()) as {
    entries: { operation: string; order_id?: string }[]
  }
  return entries.filter((call) => call.operation === operation && call.order_id === order_id).length
}

describe('the resolver', () => {
  test.each(MOMENTS)('%s its look at the payment ended: claimed again at once', async (when) => {
    const { order_id } = await lostCharge(`read-${when}`)
    await later(70_000)
    // The claim passes; reading the payment fails.
    await cutting(when, { after: 1, times: 1 }, async (ctx) => await resolveOperations(ctx, 10))
    expect(await operationOf(order_id)).toMatchObject({ state: 'unknown' })
    await later(3_000)
    await resolveOperations(service.ctx, 10)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending' })
    expect(await chargesOf(order_id)).toBe(1)
  })

  test.each(MOMENTS)('%s what it saw is recorded: recorded in the same round', async (when) => {
    const { order_id } = await lostCharge(`record-${when}`)
    await later(70_000)
    await cutting(when, { after: 2, times: 1 }, async (ctx) => await resolveOperations(ctx, 10))
    expect(await operationOf(order_id)).toMatchObject({ state: 'succeeded', attempt: 2 })
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending' })
    expect(await chargesOf(order_id)).toBe(1)
  })

  test('that cannot reach the database for a while releases what it holds', async () => {
    const { order_id } = await lostCharge('closed')
    await later(70_000)
    // All four tries, and the first release.
    await cutting('before', { after: 2, times: 5 }, async (ctx) => await resolveOperations(ctx, 10))
    const given = await operationOf(order_id)
    expect(given).toMatchObject({ state: 'unknown', attempt: 2 })
    expect(given?.['due_s']).toBeLessThanOrEqual(2)
  })

  test.each(MOMENTS)('%s a further send is written: sent in the same round, once', async (when) => {
    const { id, order_id } = await bench.charged('bank_transfer')
    await fault('cancel', 'timeout_before')
    await cancelPayment(service.ctx, requestOf(), id).catch(() => undefined)
    await healed()
    await later(70_000)
    const before = await callsOf(order_id, 'cancel')
    await cutting(when, { after: 2, times: 1 }, async (ctx) => await resolveOperations(ctx, 10))
    expect(await operationOf(order_id)).toMatchObject({ state: 'succeeded', sends: 2 })
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'cancel' })
    expect((await callsOf(order_id, 'cancel')) - before).toBe(1)
  })

  test('that never learns whether a further send is on disk sends nothing', async () => {
    const { id, order_id } = await bench.charged('bank_transfer')
    await fault('cancel', 'timeout_before')
    await cancelPayment(service.ctx, requestOf(), id).catch(() => undefined)
    await healed()
    await later(70_000)
    const before = await callsOf(order_id, 'cancel')
    await cutting('after', { after: 2, times: 4 }, async (ctx) => await resolveOperations(ctx, 10))
    const given = await operationOf(order_id)
    expect(given).toMatchObject({ state: 'unknown', sends: 2 })
    expect(given?.['due_s']).toBeLessThanOrEqual(2)
    expect(await callsOf(order_id, 'cancel')).toBe(before)
  })
})

describe('a request', () => {
  test.each(MOMENTS)('%s its charge is recorded: answered as usual', async (when) => {
    const order_id = service.fresh(`charge-${when}`)
    const input = await chargeOf('bank_transfer', { order_id })
    const outcome = await cutting(
      when,
      { after: 1, times: 1 },
      async (ctx) => await createCharge(ctx, input, requestOf('owner-1', `key-${when}`)),
    )
    expect(bodyOf(outcome)).toMatchObject({ order_id, transaction_status: 'pending' })
    expect(await operationOf(order_id)).toMatchObject({ state: 'succeeded', attempt: 1 })
    expect(await chargesOf(order_id)).toBe(1)
    const repeated = await createCharge(service.ctx, input, requestOf('owner-1', `key-${when}`))
    expect(repeated).toEqual({ ...outcome, replayed: true })
  })

  test.each(MOMENTS)('%s an action is recorded: answered as usual', async (when) => {
    const { id, order_id } = await bench.charged('bank_transfer')
    const outcome = await cutting(
      when,
      { after: 1, times: 1 },
      async (ctx) => await cancelPayment(ctx, requestOf(), id),
    )
    expect(bodyOf(outcome)).toMatchObject({ order_id, transaction_status: 'cancel' })
    expect(await callsOf(order_id, 'cancel')).toBe(1)
  })

  test('before "unknown" is written: the resolver looks when it was due', async () => {
    const order_id = service.fresh('unclear')
    const input = await chargeOf('bank_transfer', { order_id })
    await fault('charge', 'drop_after')
    await fault('get_status', 'drop_before', { times: 5 })
    await cutting('before', { after: 1, times: 1 }, async (ctx) => {
      await expect(createCharge(ctx, input, requestOf())).rejects.toMatchObject({
        code: 'outcome_unknown',
      })
    })
    const open = await operationOf(order_id)
    expect(open).toMatchObject({ state: 'unknown', attempt: 1 })
    expect(open?.['due_s']).toBeLessThanOrEqual(0)
  })

  test('whose answer cannot be recorded releases the operation', async () => {
    const order_id = service.fresh('given')
    const input = await chargeOf('bank_transfer', { order_id })
    await cutting('before', { after: 1, times: 4 }, async (ctx) => {
      await expect(createCharge(ctx, input, requestOf())).rejects.toMatchObject({
        code: 'outcome_not_recorded',
        operation: 'charge',
        cause: expect.any(Error),
        subject: { kind: 'payment' },
      })
    })
    const open = await operationOf(order_id)
    expect(open).toMatchObject({ state: 'unknown', attempt: 1 })
    expect(open?.['due_s']).toBeLessThanOrEqual(2)
    await later(3_000)
    await resolveOperations(service.ctx, 10)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending' })
    expect(await chargesOf(order_id)).toBe(1)
  })

  test.each(MOMENTS)('repeated, %s the charge is taken over: answered', async (when) => {
    const { order_id, input } = await lostCharge(`repeat-${when}`, `repeat-${when}`)
    const request = requestOf('owner-1', `repeat-${when}`)
    // The key is found taken, its operation is read, and the claim of it fails.
    const repeated = await cutting(
      when,
      { after: 2, times: 1 },
      async (ctx) => await createCharge(ctx, input, request),
    )
    expect(bodyOf(repeated)).toMatchObject({ order_id })
    expect(bodyOf(await createCharge(service.ctx, input, request))).toMatchObject({ order_id })
    expect(await chargesOf(order_id)).toBe(1)
  })

  test.each(MOMENTS)('repeated, %s the further send is on disk: sent once', async (when) => {
    const order_id = service.fresh(`again-${when}`)
    const request = requestOf('owner-1', `again-${when}`)
    const input = await chargeOf('bank_transfer', { order_id })
    await fault('charge', 'drop_before')
    await createCharge(service.ctx, input, request).catch(() => undefined)
    await healed()
    const outcome = await cutting(
      when,
      { after: 3, times: 1 },
      async (ctx) => await createCharge(ctx, input, request),
    )
    expect(bodyOf(outcome)).toMatchObject({ order_id, transaction_status: 'pending' })
    expect(await operationOf(order_id)).toMatchObject({ state: 'succeeded', sends: 2 })
    expect(await callsOf(order_id, 'charge')).toBe(2)
    expect(await chargesOf(order_id)).toBe(1)
  })

  test('refused though a notification showed the charge: made, whichever commit said so', async () => {
    const { order_id } = await lostCharge('made')
    const { id } = (await operationOf(order_id)) ?? {}
    // As a notification would leave it.
    await getStatus(service.ctx, bench.caller, String((await rowOf(order_id))?.['id']))
    const operation = await service.database.do((tx) => findOperation(tx, String(id)))
    const payment = await service.database.do((tx) =>
      findPaymentById(tx, operation?.subject_id ?? ''),
    )
    if (operation === undefined || payment === undefined) throw new Error('not written')
    const error = gatewayError('gateway_failed', { operation: 'charge' })
    const attempt = { operation, subject: payment, source: 'charge' as const, request: null }
    const outcome = await cutting(
      'after',
      { after: 0, times: 1 },
      async (ctx) => await recordRefused(ctx, CHARGE, { attempt, error }),
    )
    expect(bodyOf(outcome)).toMatchObject({ order_id, transaction_status: 'pending' })
  })
})

test('a staff member whose claim failed has claimed nothing', async () => {
  const { order_id } = await lostCharge('hand')
  const id = await openOf(String((await rowOf(order_id))?.['id']))
  await later(70_000)
  await cutting('after', { after: 1, times: 1 }, async (ctx) => {
    await expect(
      resolveOperation(ctx, dewi, id, { outcome: 'look', reason }),
    ).rejects.toMatchObject({
      code: 'commit_unknown',
    })
  })
  expect(await operationOf(order_id)).toMatchObject({ state: 'unknown' })
  const { operation } =
    (await resolveOperation(service.ctx, dewi, id, { outcome: 'look', reason })) ?? {}
  expect(operation?.state).toBe('succeeded')
})
