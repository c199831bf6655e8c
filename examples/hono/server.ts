import { serve } from '@hono/node-server'
import { createGapura, readConfig } from 'gapura'
import { Hono } from 'hono'

const { port, gapura: settings } = readConfig()
// Hono passes on the whole path, so the prefix is set here.
const gapura = createGapura({ ...settings, prefix: '/pay' })
await gapura.migrate()

gapura.subscribe({
  name: 'fulfilment',
  signals: ['payment_settled'],
  handler: ({ object: payment }) => console.log(`send the goods for ${payment.order_id}`),
})
const worker = await gapura.startWorker()

const app = new Hono()
app.all('/pay/*', (context) => gapura.fetchHandler(context.req.raw))
app.get('/', (context) => context.text('the shop'))

const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () =>
  console.log(`http://127.0.0.1:${port}`),
)

process.once('SIGTERM', () => {
  server.close(() => {
    void worker.stop().then(gapura.close)
  })
})
