// One flow in its own process, killed at a named point. Its argument is everything it gets; it
// prints its answer only if it survives.
import { randomUUID } from 'node:crypto'
import { GatewayClient } from '../../src/gateway/client.ts'
import { cancelCheckout, createCheckout } from '../../src/services/checkouts/actions.ts'
import { createInvoice, voidInvoice } from '../../src/services/invoices/actions.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import type { Request } from '../../src/services/requests.ts'
import {
  cancelSubscription,
  disableSubscription,
  enableSubscription,
  updateSubscription,
  createSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { openDatabase } from '../../src/store/connection/database.ts'

/** Bugs of this process alone, to show that the checks find them. */
export type Plant = 'sends_before_writing' | 'other_refund_key'

export interface ChildOrder {
  database_url: string
  schema: string
  simulator_url: string
  server_key: string
  crash_at: string
  flow:
    | 'charge'
    | 'cancel'
    | 'refund'
    | 'webhook'
    | 'create_checkout'
    | 'cancel_checkout'
    | 'create_invoice'
    | 'void_invoice'
    | 'create_subscription'
    | 'disable_subscription'
    | 'enable_subscription'
    | 'cancel_subscription'
    | 'update_subscription'
  /** Or the checkout's, the invoice's or the subscription's. */
  payment_id: string
  body: object
  request: Request
  plant?: Plant
}

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const db = openDatabase(order.database_url, {
  schema: order.schema,
  prepared: process.env['GAPURA_PREPARED_STATEMENTS'] !== 'false',
})

/** Refunds under a key that is not the one on disk. */
class ForgetfulGateway extends GatewayClient {
  override async refund(...given: Parameters<GatewayClient['refund']>) {
    const [refund, options] = given
    if (typeof refund === 'string' || typeof options === 'string')
      return await super.refund(...given)
    return await super.refund({ ...refund, refund_key: randomUUID() }, options ?? {})
  }
}

const Gateway = order.plant === 'other_refund_key' ? ForgetfulGateway : GatewayClient
const gateway = new Gateway({
  server_key: order.server_key,
  base_url: order.simulator_url,
  retry_delay_ms: 1,
  timeout_ms_max: 500,
})
const ctx = withInbox({
  db,
  gateway,
  log: silent,
  confirm_notifications: false,
  reached: (point) => {
    // Without handlers and without a flush, like a power cut.
    if (point === order.crash_at) process.kill(process.pid, 'SIGKILL')
  },
})

/** Like a service that calls the gateway first and writes the operation afterwards. */
async function sendFirst(): Promise<void> {
  const { order_id } = order.body as { order_id: string }
  await gateway.charge({
    payment_type: 'bank_transfer',
    bank_transfer: { bank: 'bca' },
    transaction_details: { order_id, gross_amount: 150_000 },
  })
}
if (order.plant === 'sends_before_writing') await sendFirst()

const FLOWS: Record<ChildOrder['flow'], () => Promise<unknown>> = {
  charge: () => createCharge(ctx, order.body, order.request),
  cancel: () => cancelPayment(ctx, order.request, order.payment_id),
  refund: () => refundPayment(ctx, order.request, order.payment_id, order.body),
  webhook: () => receiveNotification(ctx, order.body),
  create_checkout: () => createCheckout(ctx, order.body, order.request),
  cancel_checkout: () => cancelCheckout(ctx, order.request, order.payment_id, { reason: 'crash' }),
  create_invoice: () => createInvoice(ctx, order.body, order.request),
  void_invoice: () => voidInvoice(ctx, order.request, order.payment_id, order.body),
  create_subscription: () => createSubscription(ctx, order.body, order.request),
  disable_subscription: () => disableSubscription(ctx, order.request, order.payment_id),
  enable_subscription: () => enableSubscription(ctx, order.request, order.payment_id),
  cancel_subscription: () => cancelSubscription(ctx, order.request, order.payment_id),
  update_subscription: () => updateSubscription(ctx, order.request, order.payment_id, order.body),
}

const outcome = await FLOWS[order.flow]().then(
  () => 'done',
  (error: unknown) => (error instanceof Error ? error.name : 'failed'),
)
await gateway.close()
await db.close()
process.stdout.write(outcome)
