// The service under test: the whole system, its API process measured from within, and a second one
// whose gateway is garbled.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '../../packages/service/src/domain/caller.ts'
import { createApiKey } from '../../packages/service/src/services/access/callers.ts'
import { deploy, type Deployment } from '../bench/deployment.ts'
import type { Random } from '../bench/random.ts'
import { freePort, Supervised } from '../bench/supervised.ts'
import type { ProcessOrder } from '../processes/process_order.ts'
import { openGarbledGateway, type GarbledGateway } from './garbled_gateway.ts'
import type { KnownPayment, World } from './input.ts'

export interface HostileOrder extends ProcessOrder {
  admin_port: number
  log_file: string
  jwt: World['jwt']
  /** Whether reports that give value are confirmed first (ADR 0004). */
  confirm?: boolean
  /** Whether its gateway is garbled, so that its answers to that are no failures. */
  gateway_down?: boolean
}

export interface HostileStats {
  heap_bytes: number
  /** Processor time of the process since its start. */
  cpu_ms: number
  /** How late a timer was, since the last call. */
  loop_p99_ms: number
  /** Processor time of the main thread between two of those timers. */
  worked_p99_ms: number
  errors: number
  last_error: string
}

/** Unique, so that a search for it proves something. */
export const canaryKey = (): string => `SB-Mid-server-Hostile_${randomBytes(6).toString('hex')}`

const JWT = {
  secret: `hostile ${randomBytes(20).toString('hex')}`,
  issuer: 'https://issuer.example',
  audience: 'gapura',
}
const KNOWN_PAYMENTS = 6
const CRASH_WITHIN_MS = 30_000

export interface Target {
  deployment: Deployment
  world: World
  port: number
  second_port: number
  /** The simulator behind the garbled gateway. */
  gateway: GarbledGateway
  /** Starts sweeps and relays. */
  startWorker: () => Promise<Supervised>
  log_files: readonly string[]
  admin_urls: readonly string[]
  /** A second process that serves the same, to use both cores. */
  peer_port: number
  /** Measurements of the processes. */
  stats: () => Promise<HostileStats[]>
  /** The same after a garbage collection, which blocks them. */
  heaps: () => Promise<HostileStats[]>
  /** How often a process was restarted. */
  deaths: () => number
  /** Ends the first process on purpose, and resolves when it is back. */
  crash: (how: Crash) => Promise<void>
  close: () => Promise<void>
}

/** The last output of a process that ends abnormally. */
const stderrOf = ({ log_file }: HostileOrder): string => `${log_file}.stderr`

/** A process that reports its measurements on request. */
class Watched {
  readonly process: Supervised
  #onLine: (line: string) => void = () => undefined

  constructor(argument: HostileOrder, name: string) {
    const heard = (line: string): void => this.#onLine(line)
    const script = 'processes/hostile_api.ts'
    const stderr_file = stderrOf(argument)
    this.process = new Supervised({ name, script, argument, heard, stderr_file })
  }

  async ask(question: 'stats' | 'heap'): Promise<HostileStats> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#onLine = resolve
    this.process.sendLine(question)
    return JSON.parse(await promise) as HostileStats
  }
}

/** By SIGKILL in the middle of a charge, or by an uncaught error with secrets in it. */
export type Crash = 'killed' | 'uncaught'

async function crash(process: Supervised | undefined, how: Crash): Promise<void> {
  if (process === undefined) return
  const { starts } = process
  process.sendLine(how === 'killed' ? 'crash charge.before_send' : 'throw')
  const late = performance.now() + CRASH_WITHIN_MS
  while (process.starts === starts && performance.now() < late) await sleep(20)
  if (process.starts === starts) throw new Error(`the process did not end, ${how}`)
  await process.untilReady()
}

interface TargetOrder {
  seed: number
  random: Random
  server_key: string
  /** The second process: its gateway is garbled, or it confirms every reported payment first. */
  second?: 'garbled' | 'confirming'
}

export async function openTarget({
  seed,
  random,
  server_key,
  second = 'garbled',
}: TargetOrder): Promise<Target> {
  const deployment = await deploy({ seed, apis: 0, workers: 0, direct: true, server_key })
  const { simulator_url, parts } = deployment
  const gateway = await openGarbledGateway(simulator_url, random)
  const orders = await ordersOf(deployment, { server_key, garbled_url: gateway.url, second })
  const watched = orders.map((one, at) => new Watched(one, `hostile api ${at + 1}`))
  await Promise.all(watched.map(async (one) => await one.process.untilReady()))
  const [plain_port = 0, second_port = 0, peer_port = plain_port] = orders.map(({ port }) => port)
  const asked = async (question: 'stats' | 'heap'): Promise<HostileStats[]> =>
    await Promise.all(watched.map(async (one) => await one.ask(question)))
  const notification_url = `http://127.0.0.1:${plain_port}/notification/`
  await deployment.witness.settings({ notification_url, notification_timeout_ms: 5_000 })
  const made = await makeKeys(parts)
  const payments = await somePayments(`http://127.0.0.1:${plain_port}`, made.keys[0] ?? '')
  return {
    deployment,
    world: { ...made, server_key, jwt: JWT, payments },
    port: plain_port,
    second_port,
    peer_port,
    gateway,
    startWorker: async () => await startWorker(orders[0]),
    log_files: orders.flatMap((one) => [one.log_file, stderrOf(one)]),
    crash: async (how) => await crash(watched[0]?.process, how),
    admin_urls: orders.map(({ admin_port }) => `http://127.0.0.1:${admin_port}`),
    stats: async () => await asked('stats'),
    heaps: async () => await asked('heap'),
    deaths: () => watched.reduce((sum, one) => sum + one.process.starts - 1, 0),
    close: async () => {
      await Promise.all(watched.map(async (one) => await one.process.stop()))
      await gateway.close()
      await deployment.close()
    },
  }
}

interface Places {
  server_key: string
  garbled_url: string
  second: 'garbled' | 'confirming'
}

async function ordersOf(
  { database_url, schema, simulator_url }: Deployment,
  { server_key, garbled_url, second }: Places,
): Promise<HostileOrder[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-hostile-'))
  const order = async (name: string, gateway_url: string): Promise<HostileOrder> => ({
    port: await freePort(),
    admin_port: await freePort(),
    database_url,
    schema,
    server_key,
    gateway_url,
    timeout_ms_max: 3_000,
    breaker_rest_ms: 1,
    log_file: path.join(folder, `${name}.log`),
    jwt: JWT,
  })
  return [
    await order('plain', simulator_url),
    ...(second === 'garbled'
      ? [
          { ...(await order('garbled', garbled_url)), gateway_down: true },
          await order('peer', simulator_url),
        ]
      : [{ ...(await order('confirming', simulator_url)), confirm: true }]),
  ]
}

async function makeKeys({ ctx }: Deployment['parts']) {
  const key = async (name: string, staff: boolean): Promise<string> =>
    (await createApiKey(ctx, { name, owner_id: name, staff, scopes: SCOPES })).key
  const keys = [await key('ani', false), await key('budi', false), await key('citra', false)]
  return { keys, staff_key: await key('desk', true), honest_key: await key('eka', false) }
}

async function startWorker(order: ProcessOrder | undefined): Promise<Supervised> {
  const argument = { ...order, port: 0 }
  const worker = new Supervised({ name: 'worker', script: 'processes/worker.ts', argument })
  await worker.untilReady()
  return worker
}

/** Payments of the first owner, as targets of hostile inputs. */
export async function somePayments(
  url: string,
  api_key: string,
  count = KNOWN_PAYMENTS,
): Promise<KnownPayment[]> {
  const made: KnownPayment[] = []
  for (let at = 0; at < count; at++) made.push(await paymentOf(url, api_key))
  return made
}

export async function paymentOf(
  url: string,
  api_key: string,
  more: object = {},
): Promise<KnownPayment> {
  const reply = await fetch(`${url}/charge/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ payment_type: 'qris', gross_amount: 150_000, ...more }),
  })
  const payment = (await reply.json()) as KnownPayment
  if (reply.status !== 201) throw new Error(`the first charge failed with status ${reply.status}`)
  return payment
}
