// A host that mounts the service behind its own cookie: its staff need no key, and other users of
// the host are sent back to it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SCOPES, type Caller } from 'gapura'
import { expect, test } from 'vitest'
import { PREFIX, SHOP, useDesk } from './desk.ts'

/** The host's own people, by the session it gave them. */
const SESSIONS: Record<string, Caller> = {
  'session-of-wati': { owner_id: 'wati', staff: true, scopes: SCOPES },
  'session-of-ani': SHOP,
}

const sessionOf = (cookie: string | undefined): string =>
  /(?:^|; )host_session=([\w-]+)/.exec(cookie ?? '')?.[1] ?? ''

/** `/enter/wati` is the host's login; everything under the prefix is the service's. */
function host({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  if (url.startsWith(PREFIX)) return false
  if (url === '/favicon.ico') {
    response.writeHead(204).end()
    return true
  }
  const name = /^\/enter\/(\w+)$/.exec(url)?.[1]
  const cookie = `host_session=${name === undefined ? '' : `session-of-${name}`}`
  response.setHeader('set-cookie', `${cookie}; Path=/; HttpOnly; SameSite=Strict`)
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>The shop</title><a href="${PREFIX}/dashboard/">Payments</a>`)
  return true
}

const e2e = useDesk({
  host,
  authenticate: ({ headers }) => SESSIONS[sessionOf(headers.cookie)] ?? null,
})
const page = () => e2e.desk.page
const heading = () => page().getByRole('heading', { name: 'Payments' })

/** Signs in at the host and follows its link to the pages. */
async function enter(name: string): Promise<void> {
  const { origin } = new URL(e2e.desk.url)
  await page().goto(`${origin}/enter/${name}`)
  await page().getByRole('link', { name: 'Payments' }).click()
}

const statusOf = async (path: string): Promise<number> =>
  await page().evaluate(async (url) => (await fetch(url)).status, `${PREFIX}${path}`)

test('staff of the host are asked for no key, and act in their own name', async () => {
  const payment = await e2e.paid('gopay')
  await enter('wati')
  await heading().waitFor()
  await page().locator('header .who').getByText('wati').waitFor()
  expect(await page().getByLabel('API key').count()).toBe(0)
  // The session belongs to the host, so the page cannot end it.
  expect(await page().getByRole('button', { name: 'Sign out' }).count()).toBe(0)
  await page().getByRole('link', { name: payment.order_id, exact: true }).click()
  await page().getByRole('button', { name: 'Refund…' }).click()
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Amount in rupiah').fill('30.000')
  await dialog.getByLabel('Reason').fill('one cup was cold')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Refund Rp 30.000 to Budi Santoso' }).click()
  await page().locator('.headline').getByText('Partly refunded').waitFor()
  const refunds = await e2e.database.sql(
    'select requested_by from gapura.gateway_refund where payment_id = $1',
    [payment.id],
  )
  expect(refunds).toEqual([{ requested_by: 'wati' }])
})

test('a session that is not of staff finds the way in, and no route behind it', async () => {
  await enter('ani')
  await page().getByText('the sign-in of your own application').waitFor()
  expect(await heading().count()).toBe(0)
  expect(await statusOf('/staff/me/')).toBe(404)
  expect(await statusOf('/staff/payments/')).toBe(404)
  // As an ordinary caller the user still lists own payments.
  expect(await statusOf('/payments/')).toBe(200)
})

test('without a session there is the way in as well', async () => {
  const { origin } = new URL(e2e.desk.url)
  await page().goto(`${origin}/`)
  await page().getByRole('link', { name: 'Payments' }).click()
  await page().getByText('the sign-in of your own application').waitFor()
  expect(await statusOf('/staff/me/')).toBe(401)
})

test('the browser had nothing to complain about', () => {
  const refused = e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))
  expect(refused).toEqual([])
})
