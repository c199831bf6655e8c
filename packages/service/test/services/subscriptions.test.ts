import { describe, expect, test } from 'vitest'
import { getSubscriptionStatus } from '../../src/services/linked_payments/refresh_subscription.ts'
import {
  cancelSubscription,
  disableSubscription,
  enableSubscription,
  updateSubscription,
  createSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { holdUp } from '../review/paused_gateway.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()
const ACTIONS = {
  disable: disableSubscription,
  enable: enableSubscription,
  cancel: cancelSubscription,
}
const act = async (action: keyof typeof ACTIONS, id: string, request = requestOf()) =>
  bodyOf(await ACTIONS[action](here.service.ctx, request, id))
const REFUSED = { code: 'subscription_action_refused' }

describe('creating', () => {
  test('is written, sent under the minted name and published', async () => {
    const body = await here.created({ name: 'Kopi & Teh!', metadata: { plan: 'gold' } })
    expect(body).toMatchObject({
      name: 'Kopi & Teh!',
      amount: '50000.00',
      status: 'active',
      current_interval: 0,
      max_interval: 12,
      retry_interval: 1,
      retry_interval_unit: 'hour',
      retry_max_interval: 3,
      customer_email: 'siti@example.com',
      metadata: { plan: 'gold' },
    })
    expect(body['next_execution_at']).not.toBeNull()
    const { gateway_name, gateway_subscription_id } = await here.rowOf(body.id)
    expect(gateway_name).toMatch(/^kopi-teh-[0-9A-Za-z]{22}$/)
    expect(
      await here.service.ctx.gateway.getSubscription(String(gateway_subscription_id)),
    ).toMatchObject({ name: gateway_name, amount: '50000' })
    expect((await here.eventsOf(body.id)).map(({ type }) => type)).toEqual(['subscription_created'])
    expect(await here.operationsOf(body.id)).toEqual([
      { kind: 'create_subscription', state: 'succeeded', sends: 1 },
    ])
  })

  test('without a number of cycles continues until it is ended', async () => {
    const body = await here.created({ max_interval: undefined, interval: undefined })
    expect(body).toMatchObject({ max_interval: null, interval: 1, interval_unit: 'month' })
  })

  test('the same key gives the same subscription, another request under it none', async () => {
    const input = await here.inputOf()
    const first = await createSubscription(here.service.ctx, input, requestOf('owner-1', 'twice'))
    const again = await createSubscription(here.service.ctx, input, requestOf('owner-1', 'twice'))
    expect(again).toEqual({ ...first, replayed: true })
    const other = requestOf('owner-1', 'twice', 'another')
    expect(await createSubscription(here.service.ctx, input, other)).toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  test('refused by the gateway is a failure with its words, and publishes nothing', async () => {
    await here.fault('create_subscription', 'status', {
      options: { http_status: 400, body: { status_message: 'no such card' } },
    })
    const request = requestOf('owner-1', 'refused')
    const input = await here.inputOf()
    const refused = createSubscription(here.service.ctx, input, request)
    await expect(refused).rejects.toMatchObject({ code: 'gateway_rejected' })
    const [row] = await here.sql(
      "select id, status from gapura.gateway_subscription where status = 'failure'",
    )
    expect(await here.eventsOf(String(row?.['id']))).toEqual([])
    expect(await createSubscription(here.service.ctx, input, request)).toMatchObject({
      reply: { code: 400 },
      replayed: true,
    })
    await expect(act('cancel', String(row?.['id']))).rejects.toMatchObject(REFUSED)
  })
})

describe('actions', () => {
  test('disable, enable and cancel each publish the signal of the specification', async () => {
    const { id } = await here.created()
    expect(await act('disable', id)).toMatchObject({ id, status: 'disabled' })
    expect(await here.gatewayStatus(id)).toBe('inactive')
    expect(await act('enable', id)).toMatchObject({ status: 'active' })
    expect(await here.gatewayStatus(id)).toBe('active')
    expect(await act('cancel', id)).toMatchObject({ status: 'cancelled' })
    expect(await here.gatewayStatus(id)).toBe('inactive')
    expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
      'subscription_created',
      'subscription_disabled',
      'subscription_cancelled',
    ])
  })

  test('are refused where the rules say so, without a call to the gateway', async () => {
    const { id } = await here.created()
    await expect(act('enable', id)).rejects.toMatchObject(REFUSED)
    await act('disable', id)
    await expect(act('disable', id)).rejects.toMatchObject(REFUSED)
    await act('cancel', id)
    for (const action of ['disable', 'enable', 'cancel'] as const) {
      await expect(act(action, id)).rejects.toMatchObject(REFUSED)
    }
    const update = updateSubscription(here.service.ctx, requestOf(), id, { amount: 1 })
    await expect(update).rejects.toMatchObject(REFUSED)
    expect(await here.operationsOf(id)).toHaveLength(3)
  })

  test("another owner's is not found; nor is a missing one", async () => {
    const { id } = await here.created()
    const stranger = requestOf('owner-2')
    for (const action of Object.values(ACTIONS)) {
      expect(await action(here.service.ctx, stranger, id)).toEqual({
        kind: 'problem',
        code: 'not_found',
      })
    }
    const { caller } = stranger
    expect(await getSubscriptionStatus(here.service.ctx, caller, id)).toBeUndefined()
  })

  test('a second one while the first is in flight is answered so', async () => {
    const { id } = await here.created()
    await here.fault('disable_subscription', 'drop_before', { times: 2 })
    await here.fault('get_subscription', 'status', { times: 6, options: { http_status: 503 } })
    await expect(act('disable', id)).rejects.toMatchObject({ code: 'outcome_unknown' })
    await here.heal()
    const second = await cancelSubscription(here.service.ctx, requestOf(), id)
    expect(second).toEqual({ kind: 'problem', code: 'operation_in_progress' })
  })

  test('the same key disables once', async () => {
    const { id } = await here.created()
    const first = await act('disable', id, requestOf('owner-1', 'off'))
    expect(await act('disable', id, requestOf('owner-1', 'off'))).toEqual(first)
    expect(await here.eventsOf(id)).toHaveLength(2)
  })
})

describe('updating', () => {
  const update = async (id: string, input: object) =>
    bodyOf(await updateSubscription(here.service.ctx, requestOf(), id, input))

  test('changes the amount and how it is retried; the gateway keeps its name', async () => {
    const { id } = await here.created({ interval_unit: 'day', max_interval: 3 })
    const { gateway_name } = await here.rowOf(id)
    expect(
      await update(id, { name: 'Teh Harian', amount: '60000', interval: 2, retry_max_interval: 1 }),
    ).toMatchObject({ name: 'Teh Harian', amount: '60000.00', interval: 2, retry_max_interval: 1 })
    const { gateway_subscription_id } = await here.rowOf(id)
    const reply = await here.service.ctx.gateway.getSubscription(String(gateway_subscription_id))
    expect(reply).toMatchObject({ name: gateway_name, amount: '60000' })
    expect(reply.retry_schedule).toMatchObject({ interval_unit: 'hour', max_interval: 1 })
    await here.pass(24 * 60)
    await here.sync()
    expect(await here.paymentsOf(id)).toMatchObject([{ captured: '60000.00' }])
    expect(await here.read(id)).toMatchObject({ current_interval: 1, amount: '60000.00' })
    expect(await here.alarmsOf(id)).toEqual([])
  })

  /** The gateway's own answer about it, as a replica gives it later. */
  const answerNow = async (id: string) => {
    const gateway_id = String((await here.rowOf(id))['gateway_subscription_id'])
    return { gateway_id, body: await here.service.ctx.gateway.getSubscription(gateway_id) }
  }
  const answers = async (body: object): Promise<void> =>
    await here.service
      .control('faults', {
        effect: 'status',
        match: { operation: 'get_subscription' },
        times: 1,
        options: { http_status: 200, body },
      })
      .then(() => undefined)

  test('sends the new amount again if a replica still shows the former one', async () => {
    const { id } = await here.created()
    const { gateway_id, body } = await answerNow(id)
    await update(id, { amount: '60000' })
    await answers(body)
    await update(id, { retry_max_interval: 2 })
    const reply = await here.service.ctx.gateway.getSubscription(gateway_id)
    expect(reply).toMatchObject({ amount: '60000' })
  })

  test('keeps the amount that was set on the gateway’s own pages, whatever else was changed', async () => {
    const { id } = await here.created()
    await here.amountAtGateway(id, '70000')
    await act('disable', id)
    await act('enable', id)
    await update(id, { retry_max_interval: 2 })
    const { body } = await answerNow(id)
    expect(body).toMatchObject({ amount: '70000' })
  })

  test('keeps an amount that was set there right after another one was recorded', async () => {
    const { id } = await here.created()
    await here.amountAtGateway(id, '70000')
    await getSubscriptionStatus(here.service.ctx, here.caller, id)
    await here.amountAtGateway(id, '80000')
    await update(id, { retry_max_interval: 2 })
    const { body } = await answerNow(id)
    expect(body).toMatchObject({ amount: '80000' })
  })

  test('an answer from before the change does not undo it after a pause of the process', async () => {
    const { id } = await here.created()
    const { body } = await answerNow(id)
    await update(id, { amount: '60000' })
    await answers(body)
    const clock = performance.now.bind(performance)
    const ctx = holdUp(here.service.ctx, 'getSubscription', 'after_answer', async () => {
      performance.now = () => clock() + 120_000
      await here.pass(2)
    })
    try {
      await getSubscriptionStatus(ctx, here.caller, id)
    } finally {
      performance.now = clock
    }
    expect(await here.read(id)).toMatchObject({ amount: '60000.00' })
  })

  test('an answer from before the change does not undo it', async () => {
    const { id } = await here.created()
    const { body } = await answerNow(id)
    await update(id, { amount: '60000' })
    await answers(body)
    await getSubscriptionStatus(here.service.ctx, here.caller, id)
    expect(await here.read(id)).toMatchObject({ amount: '60000.00' })
    // A minute later it would count: the gateway shows the new amount by then.
    await here.pass(2)
    await here.sync()
    expect(await here.read(id)).toMatchObject({ amount: '60000.00' })
  })

  test('a process that was paused before the change is sent does not send it', async () => {
    const { id } = await here.created()
    const { gateway_id } = await answerNow(id)
    const clock = performance.now.bind(performance)
    const ctx = holdUp(here.service.ctx, 'getSubscription', 'after_answer', async () => {
      performance.now = () => clock() + 6_000
      return await Promise.resolve()
    })
    try {
      await expect(
        updateSubscription(ctx, requestOf(), id, { amount: '60000' }),
      ).rejects.toMatchObject({ code: 'outcome_unknown' })
    } finally {
      performance.now = clock
    }
    const reply = await here.service.ctx.gateway.getSubscription(gateway_id)
    expect(reply).toMatchObject({ amount: '50000' })
  })

  test.each([[{}], [{ amount: 0 }], [{ amount: 1.5 }], [{ token: 'new' }], [{ interval: 0 }]])(
    'refuses %j',
    async (input) => {
      const { id } = await here.created()
      await expect(update(id, input)).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )
})

test('get_subscription_status returns the gateway’s state, without the token', async () => {
  const input = await here.inputOf()
  const { id } = bodyOf(await createSubscription(here.service.ctx, input, requestOf()))
  const checked = await getSubscriptionStatus(here.service.ctx, here.caller, id)
  expect(checked?.subscription).toMatchObject({ id, status: 'active' })
  expect(checked?.gateway_response).toMatchObject({ status: 'active', amount: '50000' })
  expect(JSON.stringify(checked)).not.toContain(input.token)
})
