import express from 'express'
import { createGapura, readConfig } from 'gapura'

const { port, gapura: settings } = readConfig()
const gapura = createGapura(settings)
await gapura.migrate()

gapura.subscribe({
  name: 'fulfilment',
  signals: ['payment_settled'],
  handler: ({ object: payment }) => console.log(`send the goods for ${payment.order_id}`),
})
const worker = await gapura.startWorker()

const app = express()
// Before the JSON parser: the routes read their own bodies, and limit them.
app.use('/pay', gapura.nodeHandler)
app.use(express.json())
app.get('/', (_request, response) => void response.send('the shop'))

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
