// A subscription whose first cycle is recorded before the answer to its creation.
import { expect, test } from 'vitest'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { createSubscription } from '../../src/services/subscriptions/actions.ts'
import { holdUp } from '../review/paused_gateway.ts'
import { eventually } from '../store/test_database.ts'
import { dewi, reason } from './hand_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()
const { service } = here
const DAY = 24 * 60
const daily = { interval_unit: 'day' }

/** Its process pauses with the answer, until a cycle has shown that it exists. */
async function provedFirst(before: () => Promise<unknown>) {
  const alarms = async (id: unknown) =>
    await here.sql(
      `select detail, closed_at is null as is_open from gapura.gateway_alarm
       where subject_id = $1 order by opened_at, id`,
      [id],
    )
  const newest = async () =>
    (await here.sql('select id from gapura.gateway_subscription order by id desc limit 1'))[0]
  const ctx = holdUp(service.ctx, 'createSubscription', 'after_answer', async () => {
    await before()
    await here.pass(DAY)
    await eventually(
      async () => await alarms((await newest())?.['id']),
      ([alarm]) => alarm?.['detail'] === NO_ID,
    )
  })
  const made = bodyOf(await createSubscription(ctx, await here.inputOf(daily), requestOf()))
  expect(made).toMatchObject({ status: 'active', gateway_subscription_id: expect.any(String) })
  return await alarms(made['id'])
}
const NO_ID = 'it charges, and its id is not known yet'

test('that a cycle has proved leaves no alarm once its first answer comes', async () => {
  expect(await provedFirst(async () => await Promise.resolve())).toEqual([
    { detail: NO_ID, is_open: false },
  ])
})

test('that staff gave up and a cycle has proved leaves the alarm about it', async () => {
  const giveUp = async () => {
    await here.pass(3)
    const [creation] = await here.sql(
      `select id from gapura.gateway_operation
       where kind = 'create_subscription' order by created_at desc limit 1`,
    )
    await resolveOperation(service.ctx, dewi, String(creation?.['id']), {
      outcome: 'refused',
      reason,
    })
  }
  expect(await provedFirst(giveUp)).toEqual([
    { detail: NO_ID, is_open: false },
    { detail: 'create_subscription was given up and was carried out', is_open: true },
  ])
})
