// Each fault, and exactly the alerts it must raise, with the longest delay of each in the campaign's
// seconds, which stand for minutes of the shipped rules.
import { moveClock } from '../../packages/service/src/store/connection/settings.ts'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import { inDatabase, RATE, statement, type AlertFault, type AlertScene } from './alert_scene.ts'
import { REPORT_FAULTS } from './report_faults.ts'

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
    // Calls that end by their time-out are slow ones, too.
    expected: {
      ...CHARGES_FAIL,
      'GapuraGatewayBreakerOpen page': 60,
      'GapuraGatewaySlow ticket': 60,
    },
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
    begin: async ({ deployment: { lines }, load }) => {
      lines.gateway.weather = { latency_ms: 3_000 }
      // More at once would wait for the slots of the gateway, which is another fault.
      load.rate = 1
      await Promise.resolve()
      return () => {
        lines.gateway.weather = {}
        load.rate = RATE
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
    expected: { ...CHARGES_FAIL, ...WEBHOOKS_FAIL, 'GapuraDatabaseDown page': 30 },
    begin: async ({ cluster, load }) => {
      cluster.kill()
      load.payAll()
      await Promise.resolve()
      return async () => await cluster.start()
    },
  },
  {
    name: 'database disk full',
    expected: { ...CHARGES_FAIL, ...WEBHOOKS_FAIL, 'GapuraDatabaseRefusesWrites page': 40 },
    begin: async ({ cluster, load }) => {
      const free = cluster.fillDisk()
      load.payAll()
      await Promise.resolve()
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
      load.payAll()
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
    name: 'worker dead, with a charge whose outcome is unknown',
    expected: {
      'GapuraTargetDown ticket': 20,
      'GapuraNoWorker page': 80,
      'GapuraEventsStalled page': 60,
      'GapuraOutcomeUnknown page': 60,
    },
    begin: async (scene) => {
      const [worker] = scene.deployment.workers
      await worker?.stop()
      await statement(
        scene,
        `update gapura.gateway_operation
         set state = 'unknown', due_at = gapura.now(), created_at = gapura.now()
         where id = (
           select id from gapura.gateway_operation
           where kind = 'charge' and state = 'succeeded'
           order by created_at desc limit 1
         )`,
      )
      return async () => await worker?.resume()
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

const money: readonly AlertFault[] = [
  {
    name: 'an exception of the reconciliation past its due day',
    expected: { 'GapuraReconciliationOverdue ticket': 90 },
    begin: async (scene) => {
      const [item] = await statement(
        scene,
        `insert into gapura.reconciliation_item (id, day, due_on, kind, state, cause, effect)
         values (gen_random_uuid(), current_date - 10, current_date - 2, 'other', 'missing_here',
           'other_movement', 5000)
         returning id::text`,
      )
      return async () => {
        await statement(
          scene,
          `update gapura.reconciliation_item set state = 'resolved', due_on = null, effect = 0
           where id = '${String(item?.['id'])}'`,
        )
      }
    },
  },
]

export const ALERT_FAULTS: readonly AlertFault[] = [
  ...gateway,
  ...database,
  ...processes,
  ...money,
  ...REPORT_FAULTS,
]
