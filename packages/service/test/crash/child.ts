// One flow in a process of its own, ended hard at a named point. Everything it needs to know comes
// as one argument; it answers on standard output only if it survives.
import { GatewayClient } from '../../src/gateway/client.ts'
import type { Context } from '../../src/services/context.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { cancelPayment } from '../../src/services/payments/cancel_payment.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import type { Request } from '../../src/services/requests.ts'
import { openDatabase } from '../../src/store/database.ts'

export interface ChildOrder {
  database_url: string
  schema: string
  simulator_url: string
  server_key: string
  crash_at: string
  flow: 'charge' | 'cancel' | 'refund' | 'webhook'
  payment_id: string
  body: object
  request: Request
}

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const db = openDatabase(order.database_url, { schema: order.schema })
const gateway = new GatewayClient({
  server_key: order.server_key,
  base_url: order.simulator_url,
  retry_delay_ms: 1,
  timeout_ms_max: 500,
})
const ctx: Context = {
  db,
  gateway,
  log: silent,
  confirm_notifications: false,
  reached: (point) => {
    // No handler, no flush, no goodbye: what a power cut would leave of this process.
    if (point === order.crash_at) process.kill(process.pid, 'SIGKILL')
  },
}

const FLOWS: Record<ChildOrder['flow'], () => Promise<unknown>> = {
  charge: () => createCharge(ctx, order.body, order.request),
  cancel: () => cancelPayment(ctx, order.request, order.payment_id),
  refund: () => refundPayment(ctx, order.request, order.payment_id, order.body),
  webhook: () => receiveNotification(ctx, order.body),
}

const outcome = await FLOWS[order.flow]().then(
  () => 'done',
  (error: unknown) => (error instanceof Error ? error.name : 'failed'),
)
await gateway.close()
await db.close()
process.stdout.write(outcome)
