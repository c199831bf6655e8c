import express from 'express'
import { createGapura, readConfig } from 'gapura'
import { Pool } from 'pg'
import { createTables, placeOrder, ship } from './orders.ts'

const { port, gapura: settings } = readConfig()
const pool = new Pool({ connectionString: settings.databaseUrl })
// Without a listener, a restart of the database would end this process.
pool.on('error', (error) => console.error('idle connection lost:', error.message))
const gapura = createGapura(settings)
await gapura.migrate()
await createTables(pool)

gapura.subscribe({
  // The service stores the position of this name permanently: do not rename it.
  name: 'shipping',
  signals: ['payment_settled'],
  handler: async ({ id, object: payment }) => {
    console.log(`event ${id}`)
    await ship(pool, { event_id: id, order_id: payment.order_id })
  },
})
const worker = await gapura.startWorker()

const app = express()
app.use('/pay', gapura.nodeHandler)
app.use(express.json())

// The order id is the Idempotency-Key, so one order is one charge however often it is sent.
app.post('/orders/:id', async (request, response) => {
  const order = await placeOrder(pool, request.params.id)
  const payment = await gapura.api.createCharge(
    { owner_id: 'shop', staff: false, scopes: ['payments:write'] },
    { payment_type: 'bank_transfer', bank: 'bca', order_id: order.id, gross_amount: order.price },
    { idempotencyKey: `order-${order.id}` },
  )
  response.status(201).json({ bank: payment.bank, va_number: payment.va_number })
})

const server = app.listen(port, '127.0.0.1', (error) => {
  // Express gives a taken port to this callback; unthrown, the shop would run without listening.
  if (error) throw error
  console.log(`http://127.0.0.1:${port}`)
})

process.once('SIGTERM', () => {
  server.close(() => {
    void worker
      .stop()
      .then(gapura.close)
      .then(() => pool.end())
  })
})
