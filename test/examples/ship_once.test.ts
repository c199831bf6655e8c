import { expect, test } from 'vitest'
import { eventually } from '../../packages/service/test/store/test_database.ts'
import { useExample } from './running_example.ts'

const example = useExample({ folder: 'ship_once', command: ['node', 'server.ts'] })

test('an order that is sent twice, paid once and delivered as two events is shipped once', async () => {
  const order = async (): Promise<unknown> => {
    const reply = await fetch(`${example.url.replace('/pay', '')}/orders/order-1`, {
      method: 'POST',
    })
    expect(reply.status).toBe(201)
    return await reply.json()
  }
  expect(await order()).toEqual(await order())
  await example.act('order-1', 'pay')
  await received(1)
  expect(await shipped()).toEqual([{ shipments: 1, pieces: 99 }])

  // As after a crash between the shop's commit and the service's: the event is delivered again.
  await example.stop()
  await example.sql(
    `update ${example.schema}.event_subscriber set cursor_xid = '0', cursor_sequence = 0
      where name = 'shipping'`,
  )
  await example.start()
  await received(2)
  expect(await shipped()).toEqual([{ shipments: 1, pieces: 99 }])
})

const shipped = async () =>
  await example.sql('select (select count(*)::int from shipment) as shipments, pieces from stock')

async function received(times: number): Promise<void> {
  const count = async (): Promise<number> =>
    await Promise.resolve(
      example.printed.split('\n').filter((line) => line.startsWith('event ')).length,
    )
  expect(await eventually(count, (number) => number >= times)).toBe(times)
  // The line is printed before the work; the row shows when it has ended.
  await eventually(shipped, ([row]) => row?.['shipments'] === 1)
}
