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
const METHODS: Record<string, ChargeInput> = {
  bca: { payment_type: 'bank_transfer', bank: 'bca', gross_amount },
  bni: { payment_type: 'bank_transfer', bank: 'bni', gross_amount },
  qris: { payment_type: 'qris', gross_amount },
}

const app = express()
app.use('/pay', gapura.nodeHandler)
app.use((_request, response, next) => {
  response.set('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
  next()
})
app.use(express.static(new URL('public', import.meta.url).pathname))
app.use(express.urlencoded())
const helper = fileURLToPath(import.meta.resolve('@gapura/sdk/browser'))
app.get('/gapura.js', (_request, response) => response.sendFile(helper))

// A fresh order id for each visit; a form sent twice carries the same one and is one charge.
app.get('/', (_request, response) => response.redirect(`/order.html?order=${randomUUID()}`))

app.post('/checkout', async (request, response) => {
  const { order = '', method = '' } = request.body as { order?: string; method?: string }
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
