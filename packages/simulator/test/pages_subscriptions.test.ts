import { expect, test } from 'vitest'
import { ledTo, open, press } from './page_reader.ts'
import { Rig } from './rig.ts'
import { Subscriber } from './subscriber.ts'

const rig = new Rig().install()
const merchant = new Subscriber(rig)

const pathOf = (id: string): string => `/_sim/ui/subscriptions/${id}`

test('the list shows schedule and next cycle', async () => {
  expect((await open(rig, '/_sim/ui/subscriptions')).text).toContain('No subscription yet')
  const id = await merchant.subscribed()
  const page = await open(rig, '/_sim/ui/subscriptions')
  expect(page.markup).toContain(pathOf(id))
  expect(page.text).toContain('MONTHLY active Rp 14.000 every month 5 Feb 2026, 12:00:00 WIB')
})

test('the next cycle runs now, and the one after it an interval later', async () => {
  const id = await merchant.subscribed()
  ledTo(await press(rig, `${pathOf(id)}/cycle`, { wish: 'charge' }))
  await rig.quiet()
  expect(merchant.payments()).toMatchObject([{ transaction_status: 'capture' }])
  expect(await merchant.get(id)).toMatchObject({
    schedule: { current_interval: 1, next_execution_at: '2026-02-05T12:00:00.000000' },
  })
  const page = await open(rig, pathOf(id))
  expect(page.text).toContain('1 / 12')
  expect(page.text).toContain('Rp 14.000 capture')
})

test('a failed cycle is tried again as the schedule says, and only then', async () => {
  const id = await merchant.subscribed({
    retry_schedule: { interval: 1, interval_unit: 'day', max_interval: 2 },
  })
  ledTo(await press(rig, `${pathOf(id)}/cycle`, { wish: 'fail' }))
  expect((await open(rig, pathOf(id))).text).toContain('Retry at 6 Jan 2026, 12:00:00 WIB')
  expect(merchant.payments()).toEqual([])
  await rig.advance({ days: 1 })
  expect(merchant.payments()).toHaveLength(1)
})

test('a retry brought forward is not charged a second time at its hour', async () => {
  const id = await merchant.subscribed({
    retry_schedule: { interval: 1, interval_unit: 'day', max_interval: 2 },
  })
  await press(rig, `${pathOf(id)}/cycle`, { wish: 'fail' })
  await press(rig, `${pathOf(id)}/cycle`, { wish: 'charge' })
  await rig.advance({ days: 3 })
  expect(merchant.payments().map((body) => body['transaction_status'])).toEqual([
    'capture',
    'settlement',
  ])
  expect(await merchant.get(id)).toMatchObject({ schedule: { current_interval: 1 } })
})

test('after every try failed it is inactive; then, as when cancelled, nothing runs', async () => {
  const worn = await merchant.subscribed({
    retry_schedule: { interval: 1, interval_unit: 'day', max_interval: 1 },
  })
  await press(rig, `${pathOf(worn)}/cycle`, { wish: 'fail' })
  await press(rig, `${pathOf(worn)}/cycle`, { wish: 'fail' })
  expect(await merchant.get(worn)).toMatchObject({ status: 'inactive' })
  const cancelled = await merchant.subscribed()
  await merchant.change(cancelled, 'cancel')
  for (const id of [worn, cancelled]) {
    expect((await open(rig, pathOf(id))).text).toContain('No cycle is left')
    expect((await press(rig, `${pathOf(id)}/cycle`)).http_status).toBe(409)
  }
  expect((await open(rig, pathOf('unknown'))).http_status).toBe(404)
  expect((await press(rig, `${pathOf('unknown')}/cycle`)).http_status).toBe(404)
})

test('a program runs cycles too', async () => {
  const id = await merchant.subscribed()
  const path = `/_sim/subscriptions/${id}/cycle`
  expect(await rig.sim(`POST ${path}`)).toMatchObject({ status: 'active', current_interval: 1 })
  const failed = await rig.sim(`POST ${path}`, { result: 'fail' })
  expect(failed).toMatchObject({ current_interval: 1, retries_made: 1 })
  await merchant.change(id, 'cancel')
  expect((await rig.refusedBySim(`POST ${path}`)).http_status).toBe(409)
  const unknown = await rig.refusedBySim('POST /_sim/subscriptions/unknown/cycle')
  expect(unknown.http_status).toBe(404)
})
