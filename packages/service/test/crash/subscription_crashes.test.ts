// A process that dies while it creates or changes a subscription. The gateway cannot look a
// creation up, so an unknown outcome stays open with an alarm, and nothing is ever made twice.
import { describe, expect, test } from 'vitest'
import { CRASH_POINTS } from '../../src/services/context.ts'
import {
  createSubscription,
  disableSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { requestOf } from '../services/service_bench.ts'
import { useSubscriptions } from '../services/subscription_bench.ts'
import { crash } from './crash.ts'

const here = useSubscriptions()
const pointsOf = (flow: string) => CRASH_POINTS.filter((point) => point.startsWith(`${flow}.`))
const daily = { interval_unit: 'day' }

/** The worker's tasks of the next minutes. */
async function recover(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await here.pass(2)
    await resolveOperations(here.service.ctx, 100)
    await here.sync()
  }
}

/** The fault that leads a flow past points that only a failure reaches. */
async function prepare(point: string, operation: string): Promise<void> {
  if (point.endsWith('.refused'))
    await here.fault(operation, 'status', {
      options: { http_status: 400, body: { status_message: 'no' } },
    })
  if (point.endsWith('.unclear')) await here.fault(operation, 'drop_after')
}

/** The subscription of that name, if one was written. */
const named = async (name: string) => {
  const [row] = await here.sql('select id from gapura.gateway_subscription where name = $1', [name])
  return row === undefined ? undefined : await here.rowOf(String(row['id']))
}

async function dieCreating(point: string, key: string) {
  const body = await here.inputOf({ ...daily, name: key })
  const request = requestOf('owner-1', key)
  await prepare(point, 'create_subscription')
  const flow = { flow: 'create_subscription' as const, payment_id: '', body, request }
  expect(await crash(here.service, point, flow)).toBe(true)
  await here.heal()
  return async () =>
    await createSubscription(here.service.ctx, body, request).catch(() => undefined)
}

/** How many charges there are under its name a day later; our record says the same. */
async function chargesOf(name: string): Promise<number> {
  await here.pass(24 * 60 + 2)
  await here.sync()
  const row = await named(name)
  if (row === undefined) return 0
  const charges = await here.atGateway(String(row['gateway_name']))
  expect(await here.paymentsOf(String(row['id']))).toHaveLength(charges.length)
  return charges.length
}

/** Died before anything was committed: nothing exists, and nothing was sent. */
const UNWRITTEN = ['create.key_claimed', 'create.inserted', 'create.operation_inserted']
/** Died before it was sent, or refused by the gateway: written, and nothing was made. */
const UNMADE = ['create.written_down', 'create.before_send', 'create.refused']

describe('a creation', () => {
  test.each(pointsOf('create'))('%s, and the caller does not repeat it', async (point) => {
    const name = `silent ${point}`
    await dieCreating(point, name)
    await recover()
    const row = await named(name)
    expect(row === undefined).toBe(UNWRITTEN.includes(point))
    const id = String(row?.['id'])
    // Only the owner of the token could repeat it, so the outcome stays unknown.
    if (row?.['status'] === 'initiated')
      expect(await here.alarmsOf(id)).toEqual(['outcome_unknown'])
    else if (row !== undefined) expect(point).toBe('create.recorded')
    expect(await chargesOf(name)).toBe([...UNWRITTEN, ...UNMADE].includes(point) ? 0 : 1)
    if (row === undefined || UNMADE.includes(point)) return
    // Its first cycle proves it, and closes what was open.
    expect(await here.read(id)).toMatchObject({ status: 'active', current_interval: 1 })
    expect(await here.alarmsOf(id)).toEqual([])
  })

  test.each(pointsOf('create'))('%s, and the caller repeats it', async (point) => {
    const name = `pressed ${point}`
    const again = await dieCreating(point, name)
    await here.pass(1)
    await resolveOperations(here.service.ctx, 100)
    await again()
    await recover()
    expect(await chargesOf(name)).toBe(1)
    expect(
      await here.sql('select from gapura.gateway_subscription where name = $1', [name]),
    ).toHaveLength(1)
  })
})

describe.each(['disable', 'enable', 'cancel', 'update'] as const)('%s', (action) => {
  test.each(pointsOf('action'))('%s', async (point) => {
    const { id } = await here.created()
    if (action === 'enable') await disableSubscription(here.service.ctx, requestOf(), id)
    const order = { payment_id: id, body: { amount: 65_000 }, request: requestOf() }
    const flow = `${action}_subscription` as const
    await prepare(point, flow)
    expect(await crash(here.service, point, { ...order, flow })).toBe(true)
    await here.heal()
    await recover()
    const operations = await here.operationsOf(id)
    expect(operations.filter(({ state }) => state !== 'succeeded')).toEqual([])
    const done = operations.some(({ kind }) => kind === flow)
    const { gateway_subscription_id } = await here.rowOf(id)
    const { status, amount } = await here.service.ctx.gateway.getSubscription(
      String(gateway_subscription_id),
    )
    const off = { disable: 'disabled', enable: 'disabled', cancel: 'cancelled', update: '' }[action]
    const expected = status === 'active' ? 'active' : off
    expect(await here.read(id)).toMatchObject({ status: expected, amount: `${amount}.00` })
    if (done && action === 'update') expect(amount).toBe('65000')
    if (done && action === 'cancel') expect(expected).toBe('cancelled')
  })
})
