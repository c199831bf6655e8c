import Fastify from 'fastify'
import { createGapura, readConfig } from 'gapura'

const { port, gapura: settings } = readConfig()
const app = Fastify({ logger: true })
const gapura = createGapura({ ...settings, logger: app.log })
await gapura.migrate()

gapura.subscribe({
  name: 'fulfilment',
  signals: ['payment_settled'],
  handler: ({ object: payment }) => app.log.info(`send the goods for ${payment.order_id}`),
})
const worker = await gapura.startWorker()

// Fastify sets the prefix, so createGapura gets none.
await app.register(gapura.plugin, { prefix: '/pay' })
app.get('/', () => 'the shop')
app.addHook('onClose', async () => {
  await worker.stop()
  await gapura.close()
})

await app.listen({ port, host: '127.0.0.1' })
process.once('SIGTERM', () => void app.close())
