import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { payerView } from '@gapura/sdk'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createGapura, readConfig, RequestProblem, type Caller, type ChargeInput } from 'gapura'
import { renderSVG } from 'uqr'

const { port, gapura: settings } = readConfig()
const gapura = createGapura(settings)
await gapura.migrate()
const worker = await gapura.startWorker()

/** The shop charges in-process; the buyer's browser never has a key. */
const shop: Caller = { owner_id: 'shop', staff: false, scopes: ['payments:write'] }
const gross_amount = 150_000
/** Where buyers reach the shop. */
const shop_url = process.env['SHOP_URL'] ?? `http://127.0.0.1:${port}`
const METHODS: Record<string, ChargeInput> = {
  bca: { payment_type: 'bank_transfer', bank: 'bca', gross_amount },
  bni: { payment_type: 'bank_transfer', bank: 'bni', gross_amount },
  qris: { payment_type: 'qris', gross_amount },
}

const app = express()
app.use('/pay', gapura.nodeHandler)
const policy = "default-src 'self'; frame-ancestors 'none'"
app.use((_request, response, next) => {
  response.set('content-security-policy', policy)
  next()
})
const pages = fileURLToPath(new URL('public', import.meta.url))
app.use(express.static(pages))
app.use(express.urlencoded())
const helper = fileURLToPath(import.meta.resolve('@gapura/sdk/browser'))
app.get('/gapura.js', (_request, response) => response.sendFile(helper))

// A fresh order id for each visit; a form sent twice carries the same one and is one charge.
app.get('/', (_request, response) => response.redirect(`/order.html?order=${randomUUID()}`))

app.post('/checkout', async (request, response) => {
  const { order = '', method = '' } = request.body as { order?: string; method?: string }
  if (method === 'page' || method === 'popup') {
    const { id, redirect_url } = await openCheckout(order)
    const next = method === 'page' ? redirect_url : `/popup/${id}`
    response.redirect(303, next ?? `/result.html?checkout=${id}`)
    return
  }
  const chosen = METHODS[method]
  if (chosen === undefined) return void response.sendStatus(400)
  // Another method is another attempt for the same order, so it is another order at the gateway.
  const order_id = `${order}-${method}`
  const payment = await gapura.api.createCharge(
    shop,
    { ...chosen, order_id },
    { idempotencyKey: order_id },
  )
  response.redirect(303, `/checkout.html?payment=${payment.id}`)
})

/** The gateway's page with every payment method. Repeated for an order, it is the same page. */
async function openCheckout(order_id: string) {
  // The order id is known before the checkout is: the buyer comes back with it.
  const return_url = `${shop_url}/result.html?order=${encodeURIComponent(order_id)}`
  return await gapura.api.createCheckout(
    shop,
    { order_id, amount: gross_amount, return_url },
    { idempotencyKey: order_id },
  )
}

// The page in a popup: only here may the gateway's script and frame be loaded.
app.get('/popup/:id', async (request, response) => {
  const { redirect_url } = await gapura.api.getCheckout(shop, request.params.id)
  if (redirect_url === null) {
    response.redirect(303, `/result.html?checkout=${request.params.id}`)
    return
  }
  const { origin } = new URL(redirect_url)
  response.set(
    'content-security-policy',
    `${policy}; script-src 'self' ${origin}; frame-src ${origin}; style-src 'self' 'unsafe-inline'`,
  )
  response.sendFile('popup.html', { root: pages })
})

app.get('/popup/:id/page', async (request, response) => {
  const { token, redirect_url } = await gapura.api.getCheckout(shop, request.params.id)
  if (redirect_url === null) return void response.sendStatus(404)
  const script = new URL('/snap/snap.js', redirect_url).href
  response
    .set('cache-control', 'no-store')
    .json({ token, script, client_key: settings.gateway.client_key })
})

// What the gateway adds to the return URL is for display; only our own record counts.
app.get('/checkouts/state', async (request, response) => {
  const { order = '', checkout = '' } = request.query as { order?: string; checkout?: string }
  const { results } = order
    ? await gapura.api.listCheckouts(shop, { order_id: order })
    : { results: [await gapura.api.getCheckout(shop, checkout)] }
  const [found] = results
  if (found === undefined) return void response.sendStatus(404)
  const { order_id, status } = found
  response.set('cache-control', 'no-store').json({ order_id, status })
})

// Reads our own record, which webhooks and sweeps update; it makes no call to the gateway.
app.get('/payments/:id/state', async (request, response) => {
  const payment = await gapura.api.getPayment(shop, request.params.id)
  response.set('cache-control', 'no-store').json(payerView(payment))
})

app.get('/payments/:id/qr.svg', async (request, response) => {
  const { qr_string } = await gapura.api.getPayment(shop, request.params.id)
  if (qr_string === null) return void response.sendStatus(404)
  const picture = renderSVG(qr_string, { border: 4 })
  // With an explicit size, so that browsers can also draw it as a PNG.
  response.type('svg').send(picture.replace('<svg ', '<svg width="1024" height="1024" '))
})

// Buyers see no details. Pressing Pay again is always safe: it is the same order under the same key.
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  if (error instanceof RequestProblem) return void response.sendStatus(error.status)
  console.error(error)
  response.status(502).send('That did not work. Please go back and press Pay again.')
})

const server = app.listen(port, '127.0.0.1', (error) => {
  // Express gives a taken port to this callback; unthrown, the shop would run without listening.
  if (error) throw error
  console.log(`http://127.0.0.1:${port}`)
})

process.once('SIGTERM', () => {
  server.close(() => {
    void worker.stop().then(gapura.close)
  })
})
