// Faults in what the gateway reports: webhooks that stay away, are forged or fit nothing, and money
// that does not agree.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { notify, statement, type AlertFault } from './alert_scene.ts'
import { SERVER_KEY } from './deployment.ts'
import { settlement, signed } from './forgeries.ts'

const webhooks: readonly AlertFault[] = [
  {
    name: 'webhooks silent',
    expected: { 'GapuraWebhooksSilent page': 60 },
    begin: async ({ deployment: { lines } }) => {
      lines.webhooks.weather = { reset_share: 1 }
      await Promise.resolve()
      return () => {
        lines.webhooks.weather = {}
      }
    },
  },
  {
    name: 'webhooks forged',
    quick: true,
    expected: { 'GapuraWebhooksForged ticket': 15 },
    begin: async (scene) => {
      const order = {
        order_id: 'forged-1',
        transaction_id: randomUUID(),
        gross_amount: '150000.00',
      }
      const forged = settlement(order, 'SB-Mid-server-of-somebody')
      for (let sent = 0; sent < 40; sent++) await notify(scene, forged)
      return () => undefined
    },
  },
  {
    name: 'webhook unmatched',
    expected: { 'GapuraAlarmOpen unmatched_notification ticket': 30 },
    begin: async (scene) => {
      const { ctx } = scene.deployment.parts
      const order = { order_id: `x-${randomUUID()}`, transaction_id: randomUUID() }
      await notify(scene, settlement({ ...order, gross_amount: '150000.00' }, SERVER_KEY))
      // The sweep asks the gateway after ten minutes.
      await statement(
        scene,
        `update gapura.gateway_notification set received_at = received_at - interval '11 minutes'
         where order_id = $1`,
        [order.order_id],
      )
      await matchUnmatched(ctx, readBudget(1_000))
      return () => undefined
    },
  },
  {
    name: 'webhook endpoint disabled',
    expected: { 'GapuraAlarmOpen endpoint_disabled ticket': 40 },
    begin: async ({ deployment: { apis, api_key } }) => {
      const gone = createServer((_, reply) => reply.writeHead(410).end())
      gone.listen(0, '127.0.0.1')
      await once(gone, 'listening')
      const { port } = gone.address() as AddressInfo
      await fetch(`${apis[0]?.url ?? ''}/webhook_endpoints/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
      })
      return () => {
        gone.close()
      }
    },
  },
]

const money: readonly AlertFault[] = [
  {
    name: 'reconciliation exception: the gateway names another amount',
    expected: { 'GapuraAlarmOpen amount_mismatch page': 30 },
    begin: async (scene) => {
      const [payment] = await statement(
        scene,
        `select order_id, transaction_id from gapura.gateway_payment where order_id = $1`,
        [scene.load.unpaid],
      )
      const { order_id, transaction_id } = payment ?? {}
      const paid = {
        order_id: String(order_id),
        transaction_id: String(transaction_id),
        gross_amount: '149000.00',
      }
      const { signature_key: _, ...notice } = settlement(paid, SERVER_KEY)
      await notify(scene, signed({ ...notice, payment_type: 'bank_transfer' }, SERVER_KEY))
      return () => undefined
    },
  },
  {
    name: 'payment pending past its deadline',
    expected: { 'GapuraPaymentOverdue ticket': 30 },
    begin: async (scene) => {
      const change = async (hours: string, next: string): Promise<void> => {
        await statement(
          scene,
          `update gapura.gateway_payment
           set expiry_time = gapura.now() + ($2 || ' hours')::interval,
               next_check_at = gapura.now() + ($3 || ' hours')::interval
           where order_id = $1`,
          [order_id, hours, next],
        )
      }
      const order_id = scene.load.unpaid
      await change('-3', '3')
      return async () => await change('3', '1')
    },
  },
]

export const REPORT_FAULTS: readonly AlertFault[] = [...webhooks, ...money]
