// Each fault, and exactly the alerts it must raise, with the longest delay of each in the campaign's
// seconds, which stand for minutes of the shipped rules.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { moveClock } from '../../packages/service/src/store/connection/settings.ts'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import { inDatabase, notify, statement, type AlertScene } from './alert_scene.ts'
import { SERVER_KEY } from './deployment.ts'
import { settlement, signed } from './forgeries.ts'

export interface AlertFault {
  name: string
  /** Alert and severity, and within how many seconds it fires. */
  expected: Readonly<Record<string, number>>
  /** Begins it; the returned function ends it. */
  begin: (scene: AlertScene) => Promise<() => Promise<void> | void>
  quick?: boolean
}

const CHARGES_FAIL = {
  'GapuraChargesIndefinite page': 40,
  'GapuraChargesIndefinite ticket': 40,
}
const WEBHOOKS_FAIL = { 'GapuraWebhooksLate page': 40, 'GapuraWebhooksLate ticket': 40 }

const onEveryCall = async (
  { deployment: { witness } }: AlertScene,
  effect: string,
  options: object,
): Promise<() => Promise<void>> => {
  for (const operation of ['charge', 'get_status'])
    await witness.control('faults', { effect, match: { operation }, probability: 1, options })
  return async () => await witness.heal()
}

const gateway: readonly AlertFault[] = [
  {
    name: 'gateway away: no answer',
    expected: { ...CHARGES_FAIL, 'GapuraGatewayBreakerOpen page': 60 },
    begin: async ({ deployment: { lines } }) => {
      lines.gateway.weather = { black_hole: true }
      await Promise.resolve()
      return () => {
        lines.gateway.weather = {}
        lines.gateway.resetAll()
      }
    },
  },
  {
    name: 'gateway unreachable: connections reset, breaker open',
    quick: true,
    expected: { ...CHARGES_FAIL, 'GapuraGatewayBreakerOpen page': 40 },
    begin: async ({ deployment: { lines } }) => {
      lines.gateway.weather = { reset_share: 1 }
      lines.gateway.resetAll()
      await Promise.resolve()
      return () => {
        lines.gateway.weather = {}
      }
    },
  },
  {
    name: 'gateway slow: six seconds a call',
    expected: { 'GapuraGatewaySlow ticket': 60 },
    begin: async ({ deployment: { lines } }) => {
      lines.gateway.weather = { latency_ms: 3_000 }
      await Promise.resolve()
      return () => {
        lines.gateway.weather = {}
      }
    },
  },
  {
    name: 'gateway refusing: key not accepted',
    expected: { 'GapuraGatewayRefusing page': 40 },
    begin: async (scene) =>
      await onEveryCall(scene, 'status', {
        http_status: 401,
        body: { status_code: '401', status_message: 'Access denied' },
      }),
  },
]

const database: readonly AlertFault[] = [
  {
    name: 'database away',
    quick: true,
    expected: { ...CHARGES_FAIL, ...WEBHOOKS_FAIL, 'GapuraDatabaseDown page': 30 },
    begin: async ({ cluster, load }) => {
      cluster.kill()
      await load.payAll()
      return async () => await cluster.start()
    },
  },
  {
    name: 'database disk full',
    expected: { ...CHARGES_FAIL, ...WEBHOOKS_FAIL, 'GapuraDatabaseRefusesWrites page': 40 },
    begin: async ({ cluster, load }) => {
      const free = cluster.fillDisk()
      await load.payAll()
      return free
    },
  },
  {
    name: 'database failed over: the address leads to a standby',
    expected: {
      ...CHARGES_FAIL,
      ...WEBHOOKS_FAIL,
      'GapuraDatabaseDown page': 40,
      'GapuraDatabaseRefusesWrites page': 40,
    },
    begin: async ({ cluster, load }) => {
      await cluster.demote()
      await load.payAll()
      return async () => await cluster.promote()
    },
  },
  {
    name: 'clock skew of a minute',
    expected: { 'GapuraClockSkew ticket': 40 },
    begin: async (scene) => {
      await inDatabase(scene, async (tx) => await moveClock(tx, 60_000))
      return async () => await inDatabase(scene, async (tx) => await moveClock(tx, -60_000))
    },
  },
  {
    name: 'partition missing',
    expected: { 'GapuraPartitionMissing ticket': 60 },
    begin: async (scene) => {
      const partitions = await statement(
        scene,
        `select name from gapura.month_partitions('gateway_event') order by month desc limit 2`,
      )
      for (const { name } of partitions) await statement(scene, `drop table gapura.${String(name)}`)
      return async () => {
        await statement(
          scene,
          `select gapura.ensure_month_partition(
             'gateway_event', (gapura.now() + make_interval(months => ahead))::date)
           from generate_series(0, 3) as ahead`,
        )
      }
    },
  },
]

const processes: readonly AlertFault[] = [
  {
    name: 'worker dead, with a charge whose answer was lost',
    expected: {
      'GapuraTargetDown ticket': 20,
      'GapuraNoWorker page': 80,
      'GapuraEventsStalled page': 60,
      'GapuraOutcomeUnknown page': 60,
    },
    begin: async ({ deployment, load }) => {
      const { workers, witness } = deployment
      await workers[0]?.stop()
      await witness.control('faults', {
        effect: 'drop_after',
        match: { operation: 'charge' },
        times: 1,
        probability: 1,
      })
      await load.charge()
      return async () => await workers[0]?.resume()
    },
  },
  {
    name: 'queue stalled: its table is locked',
    expected: { 'GapuraQueueStalled page': 60 },
    begin: async (scene) => {
      const { db } = scene.deployment.parts.ctx
      const client = await db.pool.connect()
      const jobs = `${jobsSchema(db)}._private_jobs`
      await client.query(`select ${jobsSchema(db)}.add_job('check_pending_payments')`)
      await client.query('begin')
      await client.query(`lock table ${jobs} in share mode`)
      return async () => {
        await client.query('rollback')
        client.release()
      }
    },
  },
]

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

export const ALERT_FAULTS: readonly AlertFault[] = [
  ...gateway,
  ...database,
  ...processes,
  ...webhooks,
  ...money,
]
