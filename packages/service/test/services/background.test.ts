import { beforeAll, describe, expect, test } from 'vitest'
import {
  processChargeAsync,
  queueCharge,
  processRefundAsync,
  queueRefund,
} from '../../src/services/background/queued_request.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { newId } from '../../src/store/sql/values.ts'
import { migrateJobs } from '../../src/tasks/runner.ts'
import { charges } from './charge_inputs.ts'
import { requestOf } from './service_bench.ts'
import { useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service } = bench
const { chargeOf } = charges(() => service.ctx.gateway)
const request = requestOf()

beforeAll(async () => {
  await migrateJobs(service.ctx)
})

/** What the queue would pass to the task. */
const payloadOf = async (job_id: string): Promise<unknown> => {
  const schema = `${service.database.db.schema}_worker`
  const [job] = await service.database.sql(
    `select payload from ${schema}._private_jobs where key = $1`,
    [job_id],
  )
  return job?.['payload']
}
const strike = async (operation: string, effect: string, times = 1) =>
  await service.control('faults', { effect, match: { operation }, times })

describe('process_charge_async', () => {
  test('charges once however often it runs, under the order id of its queueing', async () => {
    const { job_id, order_id } = await queueCharge(service.ctx, request, await chargeOf('gopay'))
    const payload = await payloadOf(job_id)
    for (let round = 0; round < 3; round++) {
      expect(await processChargeAsync(service.ctx, payload)).toMatchObject({
        outcome: 'done',
        body: { order_id, transaction_status: 'pending' },
      })
    }
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('whose answer and look were lost throws for a retry, and finds its charge', async () => {
    const input = await chargeOf('bank_transfer')
    const { job_id, order_id } = await queueCharge(service.ctx, request, input)
    const payload = await payloadOf(job_id)
    await strike('charge', 'drop_after')
    await strike('get_status', 'drop_before', 3)
    await expect(processChargeAsync(service.ctx, payload)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    expect(await processChargeAsync(service.ctx, payload)).toMatchObject({ outcome: 'done' })
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('refused by the gateway ends the job without a retry', async () => {
    const input = await chargeOf('bank_transfer', { order_id: service.fresh('taken') })
    const first = await queueCharge(service.ctx, request, input)
    const second = await queueCharge(service.ctx, request, input)
    await processChargeAsync(service.ctx, await payloadOf(first.job_id))
    expect(await processChargeAsync(service.ctx, await payloadOf(second.job_id))).toEqual({
      outcome: 'refused',
      code: 'duplicate_order',
    })
  })

  test('refuses a card token, from the caller and from the queue, because a queue is a table', async () => {
    const card = await chargeOf('credit_card')
    await expect(queueCharge(service.ctx, request, card)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'token_id' }],
    })
    const linked = await chargeOf('gopay', {
      gopay: { account_id: 'a', payment_option_token: 't' },
    })
    await expect(queueCharge(service.ctx, request, linked)).rejects.toMatchObject({
      errors: [{ field: 'gopay.payment_option_token' }],
    })
    const payload = { job_id: newId(), owner_id: 'o', request: { ...card, order_id: 'x-1' } }
    expect(await processChargeAsync(service.ctx, payload)).toEqual({
      outcome: 'refused',
      code: 'invalid_request',
    })
  })
})

describe('process_refund_async', () => {
  test('refunds once however often it runs, also when the answer was lost', async () => {
    const payment = await bench.charged('gopay')
    await bench.pay(payment)
    await bench.pass(3)
    await bench.sweep()
    const queued = await queueRefund(service.ctx, request, payment.id, { amount: 50_000 })
    const payload = await payloadOf(queued?.job_id ?? '')
    await strike('refund', 'drop_after')
    await strike('get_status', 'drop_before', 3)
    const again = async () => await processRefundAsync(service.ctx, payload)
    await expect(again()).rejects.toMatchObject({ code: 'outcome_unknown' })
    await expect(again()).rejects.toMatchObject({ code: 'outcome_unknown' })
    await service.database.do((tx) => moveClock(tx, 120_000))
    await resolveOperations(service.ctx, 10)
    expect(await again()).toMatchObject({
      outcome: 'done',
      body: { refund: { amount: '50000.00', status: 'succeeded' } },
    })
    expect(await again()).toMatchObject({ outcome: 'done' })
    expect((await service.ledger(payment.order_id))?.refunded).toBe(50_000)
  })

  test('of a payment that cannot be refunded any more, or is not of its owner, ends refused', async () => {
    const { id } = await bench.charged('bank_transfer')
    const job = { payment_id: id, refund: { amount: 1_000 } }
    const by = (owner_id: string) => ({ ...job, job_id: newId(), owner_id })
    expect(await processRefundAsync(service.ctx, by('owner-1'))).toMatchObject({
      outcome: 'refused',
    })
    expect(await processRefundAsync(service.ctx, by('stranger'))).toEqual({
      outcome: 'refused',
      code: 'not_found',
    })
  })
})
