import express from 'express'
import { createGapura, readConfig } from 'gapura'
import { Pool } from 'pg'
import { createTables, placeOrder, ship } from './orders.ts'

const { port, gapura: settings } = readConfig()
const pool = new Pool({ connectionString: settings.databaseUrl })
// Without a listener, a restart of the database would end this process too.
pool.on('error', (error) => console.error('idle connection lost:', error.message))
const gapura = createGapura(settings)
await gapura.migrate()
await createTables(pool)

gapura.subscribe({
  // The name keeps its place in the list of events for ever: choose it once.
  name: 'shipping',
  signals: ['payment_settled'],
  handler: async ({ id, object: payment }) => {
    console.log(`told ${id}`)
    await ship(pool, { event_id: id, order_id: payment.order_id })
  },
})
const worker = await gapura.startWorker()

const app = express()
app.use('/pay', gapura.nodeHandler)
app.use(express.json())

// One order is one charge however often the button is pressed: its id is the key.
app.post('/orders/:id', async (request, response) => {
  const order = await placeOrder(pool, request.params.id)
  const payment = await gapura.api.createCharge(
    { owner_id: 'shop', staff: false, scopes: ['payments:write'] },
    { payment_type: 'bank_transfer', bank: 'bca', order_id: order.id, gross_amount: order.price },
    { idempotencyKey: `order-${order.id}` },
  )
  response.status(201).json({ bank: payment.bank, va_number: payment.va_number })
})

const server = app.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`))

process.once('SIGTERM', () => {
  server.close(() => {
    void worker
      .stop()
      .then(gapura.close)
      .then(() => pool.end())
  })
})
