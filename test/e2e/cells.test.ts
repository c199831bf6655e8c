// Two cells in a browser: staff of one list the payments of both, and open one of the other there.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGapura, SCOPES, Secret, type Gapura } from 'gapura'
import { afterAll, expect, test } from 'vitest'
import { DATABASE_URL, useDatabase } from '../../packages/service/test/store/test_database.ts'
import { violationsOf } from './browser.ts'
import { PREFIX, SHOP, useDesk } from './desk.ts'

const database = useDatabase()
const keys = [new Secret(Buffer.alloc(32, 'cells').toString('base64'))]

interface Other {
  gapura: Gapura
  server: Server
  /** Another host than that of the desk, as cells have: cookies do not mind the port. */
  url: string
  away: boolean
}
let found: Other | undefined
const other = (): Other => {
  if (found === undefined) throw new Error('open only inside tests')
  return found
}

const e2e = useDesk({
  prepare: async (url) => {
    const server = createServer((request, response) => {
      if (other().away) request.socket.destroy()
      else other().gapura.nodeHandler(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}${PREFIX}`
    const public_url = `http://localhost:${port}${PREFIX}`
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: database.db.schema,
      gateway: { server_key: new Secret('SB-Mid-server-x'), notification_urls: [`${address}/n/`] },
      prefix: PREFIX,
      cell: { name: 'b', peers: { a: url }, keys },
    })
    found = { gapura, server, url: public_url, away: false }
    const cell = { name: 'a', peers: { b: address }, keys, dashboards: { b: public_url } }
    return { cell }
  },
})
afterAll(async () => {
  const { gapura, server } = other()
  server.closeAllConnections()
  server.close()
  await gapura.close()
})

const page = () => e2e.desk.page
const link = (name: string) => page().getByRole('link', { name, exact: true })

test('all cells are listed, a row opens its own cell, and a cell that is away is named', async () => {
  const { order_id } = await e2e.charge('gopay')
  const id = '019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10'
  await database.sql(
    `insert into gapura.gateway_payment (id, owner_id, order_id, payment_type, gross_amount)
     values ($1, $2, 'order-of-b', 'gopay', 44000)`,
    [id, SHOP.owner_id],
  )
  await e2e.signIn()
  await link(order_id).waitFor()
  expect(await link('order-of-b').count()).toBe(0)

  await page().getByLabel('Cells').selectOption('All cells')
  await link('order-of-b').waitFor()
  await link(order_id).waitFor()
  await page().getByRole('columnheader', { name: 'Cell', exact: true }).waitFor()
  expect(
    await page()
      .getByRole('button', { name: /Export/ })
      .count(),
  ).toBe(0)
  expect(await violationsOf(page())).toEqual([])

  const { url, gapura } = other()
  const order = { owner_id: 'sari', name: 'desk', staff: true, scopes: SCOPES }
  const { key } = await gapura.createApiKey(order)
  await page().request.post(`${url}/sign_in/key/`, { data: { key }, maxRetries: 3 })
  const opening = page().context().waitForEvent('page')
  await link('order-of-b').click()
  const there = await opening
  expect(there.url()).toBe(`${url}/dashboard/#/payments/${id}`)
  await there.getByText('order-of-b').first().waitFor()
  await there.close()

  other().away = true
  await page().reload()
  await page().getByText('These cells did not answer').waitFor()
  await link(order_id).waitFor()
  expect(await link('order-of-b').count()).toBe(0)
  expect(await violationsOf(page())).toEqual([])
  other().away = false
  await page().getByRole('button', { name: 'Try again' }).click()
  await link('order-of-b').waitFor()
  expect(await page().getByText('These cells did not answer').count()).toBe(0)
  expect(e2e.desk.complaints).toEqual([])
})
