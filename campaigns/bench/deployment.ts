// The whole system, every part in its own process: API processes and workers under a supervisor,
// the gateway's simulator, a database, and proxies that can cut connections.
import { randomBytes } from 'node:crypto'
import { compose, type Parts } from '../../packages/service/src/main/compose.ts'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { moveClock } from '../../packages/service/src/store/connection/settings.ts'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import {
  withTransaction,
  type Tx,
} from '../../packages/service/src/store/connection/transaction.ts'
import type { ProcessOrder } from '../processes/process_order.ts'
import { bundle } from '../../test/bundle.ts'
import { createEffects } from './effects.ts'
import type { FaultProxy } from './fault_proxy.ts'
import { GatewayWitness } from './gateway_witness.ts'
import { SCOPES, type Scope } from '../../packages/service/src/domain/caller.ts'
import { CheckoutLog, IntentLog, type CampaignCaller } from './intents.ts'
import { openLines, reach, throughLine } from './lines.ts'
import { freePort, Supervised } from './supervised.ts'

const { PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env
const DATABASE_URL = `postgres://${PGUSER ?? 'root'}@${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}/${PGDATABASE ?? 'test'}`
export const SERVER_KEY = 'SB-Mid-server-campaign'
export const CLIENT_KEY = 'SB-Mid-client-campaign'
export const OWNER = 'campaign'
/** Each with a key of its own. */
const OWNERS = [OWNER, 'campaign-second', 'campaign-third']
const STAFF = 'campaign-staff'
/** So low that a refund above it fits into a payment twice: a double must be possible. */
export const SECOND_PERSON_ABOVE = 60_000

export interface DeploymentOrder {
  /** Of the callers' keys; all by default. */
  scopes?: readonly Scope[]
  seed: number
  apis: number
  workers: number
  /** By default a schema of its own in the database of the tests. */
  database_url?: string
  timeout_ms_max?: number
  breaker_rest_ms?: number
  frozen_clock?: boolean
  /** Additional environment for API processes and workers. */
  environment?: Record<string, string>
  /**
   * Another program for the API processes than the ordinary server, and its additional argument.
   */
  api_script?: string
  api_more?: object
  /** Without proxies: nothing is to be cut, and each byte costs. */
  direct?: boolean
  /** Instead of the ordinary key, where a search looks for it afterwards. */
  server_key?: string
  /** Lets the processes have webhook endpoints. */
  webhook_key?: string
  /** Gives every process a page of metrics. */
  metrics?: boolean
  /** A rule that the API processes break on purpose. */
  broken?: string | undefined
}

export interface Api {
  url: string
  process: Supervised
}

export interface Deployment {
  apis: readonly Api[]
  workers: readonly Supervised[]
  /** Where the processes have their pages of metrics. */
  metrics_ports: readonly number[]
  witness: GatewayWitness
  /** Proxies between service and gateway, service and database, gateway and service. */
  lines: { gateway: FaultProxy; database: FaultProxy; webhooks: FaultProxy }
  database_url: string
  schema: string
  simulator_url: string
  api_key: string
  /** At least three owners, the first of them with `api_key`. */
  callers: readonly CampaignCaller[]
  staff: CampaignCaller
  /** Every intent of the run, of all callers. */
  intents: IntentLog
  checkouts: CheckoutLog
  /** The campaign's own access to the service: it sweeps and resolves like one more worker. */
  parts: Parts
  /** Moves both clocks together. */
  pass: (minutes: number) => Promise<void>
  close: () => Promise<void>
}

export async function deploy(order: DeploymentOrder): Promise<Deployment> {
  const { seed, database_url = DATABASE_URL, server_key = SERVER_KEY, direct = false } = order
  const schema = `campaign_${Date.now().toString(36)}_${randomBytes(3).toString('hex')}`
  const [simulator_port, ...ports] = await freePorts(1 + order.apis)
  const simulator_url = `http://127.0.0.1:${simulator_port}`
  const simulator = startSimulator(order, simulator_port)
  const reached = await reach(database_url)
  const lines = await openLines(seed, { simulator_port, ports, database_url: reached.url })
  await simulator.untilReady()
  const witness = new GatewayWitness(simulator_url)
  const place = { database_url, schema, server_key, base_url: simulator_url }
  const { parts, callers, staff } = await prepare(place, order.scopes)
  const shared: Omit<ProcessOrder, 'port'> = {
    database_url: direct ? reached.url : throughLine(database_url, lines.database.port),
    schema,
    server_key,
    gateway_url: direct ? simulator_url : `http://127.0.0.1:${lines.gateway.port}`,
    timeout_ms_max: order.timeout_ms_max ?? 10_000,
    breaker_rest_ms: order.breaker_rest_ms ?? 1_000,
    second_person_above: SECOND_PERSON_ABOVE,
    ...(order.webhook_key !== undefined && { webhook_key: order.webhook_key }),
    ...(order.broken !== undefined && { broken: order.broken }),
  }
  const { apis, workers, metrics_ports } = await startProcesses(shared, ports, order)
  const processes = [...apis.map(({ process }) => process), ...workers]
  await Promise.all(processes.map(async (one) => await one.untilReady()))
  await sendNotifications(witness, lines.webhooks.port)
  return {
    apis,
    workers,
    metrics_ports,
    witness,
    lines,
    database_url,
    schema,
    simulator_url,
    api_key: callers[0]?.api_key ?? '',
    callers,
    staff,
    intents: new IntentLog(),
    checkouts: new CheckoutLog(),
    parts,
    pass: async (minutes) => await passBoth(witness, parts, minutes),
    close: async () => {
      await Promise.all([...processes, simulator].map(async (one) => await one.stop()))
      await Promise.all(Object.values(lines).map(async (line) => await line.close()))
      await tearDown(parts, schema).finally(reached.leave)
    },
  }
}

const freePorts = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, freePort))) as [number, ...number[]]

/** Signed notifications and the notices about subscriptions, to the same address. */
async function sendNotifications(witness: GatewayWitness, port: number): Promise<void> {
  const notification_url = `http://127.0.0.1:${port}/notification/`
  await witness.settings({
    notification_url,
    recurring_notification_url: notification_url,
    notification_timeout_ms: 5_000,
  })
}

/** In steps, so that the two clocks are never far apart while orders expire. */
const STEP_MINUTES_MAX = 10

async function passBoth(witness: GatewayWitness, parts: Parts, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= STEP_MINUTES_MAX) {
    await passStep(witness, parts, Math.min(left, STEP_MINUTES_MAX))
  }
}

async function passStep(witness: GatewayWitness, { ctx }: Parts, minutes: number): Promise<void> {
  await witness.advanceClock(Math.round(minutes * 60))
  await withTransaction(ctx.db, async (tx) => {
    await moveClock(tx, minutes * 60_000)
    await hastenJobs(tx, jobsSchema(ctx.db), minutes)
  })
}

/** The queue uses the real clock: a job that failed often would wait beyond the campaign's end. */
const hastenJobs = async (tx: Tx, schema: string, minutes: number): Promise<unknown> =>
  await tx.query(
    `update ${schema}._private_jobs
     set run_at = run_at - make_interval(secs => $1::integer)
     where locked_at is null and run_at > now()`,
    [Math.round(minutes * 60)],
  )

async function tearDown(parts: Parts, schema: string): Promise<void> {
  const { pool } = parts.ctx.db
  await pool.query(`drop schema if exists ${schema} cascade`)
  await pool.query(`drop schema if exists ${schema}_worker cascade`)
  await parts.close()
  // Ends every listener and timer that is left.
  process.exit()
}

/** The tables, the callers' keys, and the campaign's own access without proxies. */
async function prepare(
  place: Record<'database_url' | 'schema' | 'server_key' | 'base_url', string>,
  scopes: readonly Scope[] = SCOPES,
) {
  const { database_url, schema, server_key, base_url } = place
  const direct = { databaseUrl: database_url, schema }
  const gateway = { server_key, client_key: CLIENT_KEY, base_url }
  const gapura = createGapura({ ...direct, gateway })
  await gapura.migrate()
  const caller = async (owner_id: string, is_staff: boolean): Promise<CampaignCaller> => {
    const order = { name: owner_id, owner_id, staff: is_staff, scopes: [...scopes] }
    return { owner_id, api_key: (await gapura.createApiKey(order)).key }
  }
  const callers = await Promise.all(OWNERS.map(async (owner_id) => await caller(owner_id, false)))
  const staff = await caller(STAFF, true)
  await gapura.close()
  const parts = compose({
    ...direct,
    refunds: { second_person_above: SECOND_PERSON_ABOVE },
    gateway: { ...gateway, card_data: true, breaker_rest_ms: 100 },
    // A disk that stands still for a while must not end a campaign of an hour.
    database: { statement_timeout_ms: 120_000, lock_timeout_ms: 60_000 },
  })
  await withTransaction(parts.ctx.db, createEffects)
  return { parts, callers, staff }
}

const startSimulator = (
  { seed, frozen_clock, server_key = SERVER_KEY }: DeploymentOrder,
  port: number,
): Supervised =>
  new Supervised({
    name: 'simulator',
    script: '../packages/simulator/src/main.ts',
    environment: {
      SIMULATOR_PORT: String(port),
      SIMULATOR_SEED: String(seed),
      SIMULATOR_SERVER_KEY: server_key,
      SIMULATOR_CLIENT_KEY: CLIENT_KEY,
      SIMULATOR_FROZEN_CLOCK: String(frozen_clock ?? false),
    },
  })

async function startProcesses(
  shared: Omit<ProcessOrder, 'port'>,
  ports: readonly number[],
  {
    workers,
    metrics = false,
    environment = {},
    api_script = 'campaigns/processes/api.ts',
    api_more = {},
  }: DeploymentOrder,
): Promise<{ apis: Api[]; workers: Supervised[]; metrics_ports: number[] }> {
  const observed = metrics ? ports.length + workers : 0
  const metrics_ports = await Promise.all(Array.from({ length: observed }, freePort))
  const script = await bundle(api_script)
  const withMetrics = (at: number): { admin_port?: number } =>
    metrics_ports[at] === undefined ? {} : { admin_port: metrics_ports[at] }
  const worker_script = workers > 0 ? await bundle('campaigns/processes/worker.ts') : ''
  return {
    metrics_ports,
    apis: ports.map((port, at) => ({
      url: `http://127.0.0.1:${port}`,
      process: new Supervised({
        name: `api ${at + 1}`,
        script,
        argument: { ...shared, port, ...withMetrics(at), ...api_more },
        environment,
      }),
    })),
    workers: Array.from(
      { length: workers },
      (_, at) =>
        new Supervised({
          name: `worker ${at + 1}`,
          script: worker_script,
          argument: { ...shared, port: 0, ...withMetrics(ports.length + at) },
          environment,
        }),
    ),
  }
}
