// A whole worker in its own process, for tests that kill it. It kills itself at the named point of
// a flow, like a SIGKILL from outside at that moment.
import process from 'node:process'
import { GatewayClient } from '../../src/gateway/client.ts'
import { startWorker } from '../../src/main/worker.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { openDatabase } from '../../src/store/connection/database.ts'

const { DATABASE, SCHEMA, GATEWAY, SERVER_KEY, DIE_AT, SMTP } = process.env
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const prepared = process.env['GAPURA_PREPARED_STATEMENTS'] !== 'false'
const db = openDatabase(DATABASE ?? '', { schema: SCHEMA ?? '', prepared })
const gateway = new GatewayClient({ server_key: SERVER_KEY ?? '', base_url: GATEWAY ?? '' })
const worker = await startWorker(
  withInbox({
    db,
    gateway,
    log: silent,
    confirm_notifications: false,
    reached: (point) => {
      if (point === DIE_AT) process.kill(process.pid, 'SIGKILL')
    },
  }),
  {
    subscribers: [],
    // With a mail server, alarms and scheduled exports are sent.
    ...(SMTP !== undefined && {
      public_url: 'https://shop.example/pay',
      alerts: {
        channels: [
          {
            kind: 'email' as const,
            name: 'mail',
            events: ['endpoint_disabled' as const],
            smtp_url: SMTP,
            from: 'pay@shop.example',
            to: ['staff@shop.example'],
          },
        ],
      },
    }),
  },
)
const stop = async (): Promise<void> => {
  await worker.stop()
  await gateway.close()
  await db.close()
}
process.on('SIGTERM', () => void stop())
