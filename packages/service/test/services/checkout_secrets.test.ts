// The page's token and address are for its owner and staff: no log line, event, alarm, audit entry,
// stored reply or other column has them, and none is left once the page has ended.
import { expect, test } from 'vitest'
import { cancelCheckout, createCheckout } from '../../src/services/checkouts/actions.ts'
import { readCheckout } from '../../src/services/checkouts/read_checkouts.ts'
import { AMOUNT, useCheckouts } from './checkout_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useCheckouts()
const { service } = bench

/** Every table in which this text is found, with its column. */
async function placesOf(text: string): Promise<string[]> {
  const columns = await service.database.sql(
    `select column_list.table_name, column_list.column_name
     from information_schema.columns as column_list
     join information_schema.tables as table_list using (table_schema, table_name)
     where column_list.table_schema = $1
       and table_list.table_type = 'BASE TABLE'`,
    [service.database.db.schema],
  )
  const places: string[] = []
  for (const { table_name, column_name } of columns) {
    const [row] = await service.database.sql(
      `select count(*)::int as times from gapura.${String(table_name)}
       where strpos(${String(column_name)}::text, $1) > 0`,
      [text],
    )
    if (Number(row?.['times']) > 0) places.push(`${String(table_name)}.${String(column_name)}`)
  }
  return places
}

test('while the page is open they are on the checkout alone; then nowhere', async () => {
  const lines: unknown[] = []
  const log = {
    info: (...line: unknown[]) => void lines.push(line),
    warn: (...line: unknown[]) => void lines.push(line),
    error: (...line: unknown[]) => void lines.push(line),
  }
  const ctx = { ...service.ctx, log }
  const order_id = service.fresh('secret')
  const request = requestOf('owner-1', service.fresh('key'))
  const staff = { owner_id: 'sari', staff: true, scopes: ['staff:read'] as const }
  await bench.fault('create_checkout', 'drop_after')
  const checkout = bodyOf(await createCheckout(ctx, { amount: AMOUNT, order_id }, request))
  const token = String(checkout['token'])
  expect(checkout['redirect_url']).toContain(token)
  expect((await readCheckout(ctx, staff, checkout.id))?.token).toBe(token)
  expect(await readCheckout(ctx, requestOf('owner-2').caller, checkout.id)).toBeUndefined()
  expect((await placesOf(token)).sort()).toEqual([
    'gateway_checkout.redirect_url',
    'gateway_checkout.token',
  ])
  await bench.choose(order_id, 'gopay')
  await cancelCheckout(ctx, requestOf('owner-1', service.fresh('key')), checkout.id)
  await bench.sweepAll()
  expect(await placesOf(token)).toEqual([])
  expect(JSON.stringify(lines)).not.toContain(token)
  const again = bodyOf(await createCheckout(ctx, { amount: AMOUNT, order_id }, request))
  expect(again).toMatchObject({ id: checkout.id, token: null, redirect_url: null })
})
