import { describe, expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf, token } = charges(() => service.ctx.gateway)

const strike = (effect: string, times = 1) =>
  service.control('faults', { effect, match: { operation: 'charge' }, times })

describe('a charge', () => {
  test.each(PAYMENT_TYPES)('by %s is recorded as the gateway answered', async (payment_type) => {
    const outcome = await createCharge(service.ctx, await chargeOf(payment_type), requestOf())
    const body = bodyOf(outcome)
    expect(body).toMatchObject({ payment_type, gross_amount: '150000.00' })
    const paid = payment_type === 'credit_card'
    expect(body['transaction_status']).toBe(paid ? 'capture' : 'pending')
    expect(body['is_paid']).toBe(paid)
    expect(body['transaction_id']).toBeTypeOf('string')
    const history = await service.database.do((tx) => listTransitions(tx, body.id))
    expect(history.map(({ to_status }) => to_status)).toEqual([
      'initiated',
      body['transaction_status'],
    ])
  })

  test('refused by the gateway releases its order id and publishes an event', async () => {
    const order_id = service.fresh('refused')
    const bad = { ...(await chargeOf('credit_card')), token_id: 'unknown', order_id }
    await expect(createCharge(service.ctx, bad, requestOf())).rejects.toMatchObject({
      code: 'card_token_invalid',
    })
    const good = await chargeOf('credit_card', { order_id })
    expect(bodyOf(await createCharge(service.ctx, good, requestOf()))).toMatchObject({ order_id })
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('denied by the bank is a result, not an error', async () => {
    const denied = await chargeOf('credit_card', { token_id: await token('4911111111111113') })
    expect(bodyOf(await createCharge(service.ctx, denied, requestOf()))).toMatchObject({
      transaction_status: 'deny',
    })
  })
})

describe('an answer that is lost', () => {
  test.each([
    ['a virtual account', 'bank_transfer', 'va_number', {}],
    ['QRIS', 'qris', 'qr_string', {}],
    ['GoPay', 'gopay', 'deeplink_url', {}],
    ['a card with 3-D Secure', 'credit_card', 'redirect_url', { authentication: true }],
  ])(
    'after the gateway did the work, %s: looked up at once, and the repeat returns the QR or link',
    async (_name, type, needed, more) => {
      const order_id = service.fresh('lost')
      await strike('drop_after')
      const input = await chargeOf(type, { order_id, ...more })
      const body = bodyOf(await createCharge(service.ctx, input, requestOf('owner-1', order_id)))
      expect(body).toMatchObject({ transaction_status: 'pending', order_id })
      expect(body[needed]).toBeTypeOf('string')
      const again = await createCharge(service.ctx, input, requestOf('owner-1', order_id))
      expect(bodyOf(again)).toEqual(body)
      expect((await service.ledger(order_id))?.charges).toBe(1)
    },
  )

  test('before the work: unknown to the caller, and the same key makes exactly one charge', async () => {
    const order_id = service.fresh('never')
    await strike('timeout_before')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    const body = bodyOf(await createCharge(service.ctx, input, request))
    expect(body).toMatchObject({ order_id, transaction_status: 'pending' })
    const again = await createCharge(service.ctx, input, request)
    expect(again).toMatchObject({ replayed: true })
    expect(bodyOf(again)).toEqual(body)
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('a 5xx after which the gateway has nothing stays unknown until a minute has passed', async () => {
    const order_id = service.fresh('5xx')
    await service.control('faults', {
      effect: 'status',
      match: { operation: 'charge' },
      times: 1,
      options: { http_status: 503 },
    })
    const input = await chargeOf('bank_transfer', { order_id })
    await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await service.database.do(async (tx) => await moveClock(tx, 61_000))
    await resolveOperations(service.ctx, 10)
    expect(bodyOf(await createCharge(service.ctx, input, requestOf()))).toMatchObject({ order_id })
  })
})

describe('idempotency', () => {
  test('fifty at once with one key make one charge', async () => {
    const order_id = service.fresh('fifty')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => createCharge(service.ctx, input, request)),
    )
    const replies = outcomes.filter(({ kind }) => kind === 'reply').map(bodyOf)
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('another request under the same key is refused', async () => {
    const key = service.fresh('key')
    await createCharge(service.ctx, await chargeOf('qris'), requestOf('owner-1', key))
    const other = await createCharge(
      service.ctx,
      await chargeOf('gopay'),
      requestOf('owner-1', key, 'g'),
    )
    expect(other).toEqual({ kind: 'problem', code: 'idempotency_key_reused' })
  })

  test('a definite refusal is replayed, not sent again', async () => {
    const request = requestOf('owner-1', service.fresh('key'))
    const bad = { ...(await chargeOf('credit_card')), token_id: 'unknown' }
    await expect(createCharge(service.ctx, bad, request)).rejects.toMatchObject({
      code: 'card_token_invalid',
    })
    const again = await createCharge(service.ctx, bad, request)
    expect(again).toMatchObject({ kind: 'reply', replayed: true, reply: { code: 400 } })
  })
})
