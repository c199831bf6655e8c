import { createSimulator, type Simulator } from '@gapura/simulator'
import {
  createGapura,
  SIGNALS,
  startServer,
  type Gapura,
  type GapuraOptions,
  type Logger,
  type RunningServer,
  type SignalEnvelope,
} from 'gapura'
import { SimulatorControl } from '../simulator_control.ts'

export interface DevParts {
  gapura: Gapura
  server: RunningServer
  simulator: Simulator
  control: SimulatorControl
  options: GapuraOptions & { databaseUrl: string }
}

export interface DevOrder {
  databaseUrl: string
  schema: string | undefined
  prefix: string
  port: number
  simulator_port: number
  /** Encrypts the secrets of webhook endpoints. */
  webhook_key: string
  logger: Logger
  /** Prints progress during the start. */
  note: (text: string) => void
  heard: (event: SignalEnvelope) => void
  /** Stops the parts already started, the last one first, if a later part fails. */
  undo: (() => Promise<void>)[]
}

/** Simulator, API and worker in this process, connected to each other. */
export async function startParts(order: DevOrder): Promise<DevParts> {
  const { databaseUrl, schema, prefix, logger, undo } = order
  const simulator = await onPort(
    order.simulator_port,
    async (port) => await createSimulator({ port }),
    (port, next) => order.note(`port ${port} is taken: the simulator tries ${next}`),
  )
  undo.push(simulator.close)
  const { url: base_url, server_key, client_key } = simulator
  const options = {
    databaseUrl,
    ...(schema !== undefined && { schema }),
    prefix,
    // A browser sends no key, and the data are only samples.
    docs: 'public' as const,
    gateway: { server_key, client_key, base_url },
    webhooks: { keys: [order.webhook_key], allow_private: true },
  }
  const gapura = createGapura({ ...options, logger })
  undo.push(gapura.close)
  await gapura.migrate()
  const server = await onPort(
    order.port,
    async (port) => await startServer({ ...HERE, port, gapura: options }, logger),
    (port, next) => order.note(`port ${port} is taken: the API tries ${next}`),
  )
  undo.push(server.stop)
  const control = new SimulatorControl(base_url)
  const notification_url = `${server.url}${prefix}/notification/`
  // Subscription notifications too: they are unsigned, so the service asks the gateway.
  await control.settings({ notification_url, recurring_notification_url: notification_url })
  gapura.subscribe({ name: 'gapura-dev', signals: SIGNALS, handler: order.heard, start: 'now' })
  const worker = await gapura.startWorker({ reads_per_second: 50 })
  undo.push(worker.stop)
  return { gapura, server, simulator, control, options }
}

/** Without health and metrics: a developer watches the process. */
const HERE = { host: '127.0.0.1', admin: null, drain_ms: 0 }

/** Ports tried after the usual one, before the system chooses. */
const NEXT_PORTS_MAX = 20
const PORT_MAX = 65_535

/** On the usual port, or on the next free one if it is taken. */
async function onPort<Started>(
  wanted: number,
  start: (port: number) => Promise<Started>,
  taken: (port: number, next: number | 'any free one') => void,
): Promise<Started> {
  const last = Math.min(wanted + NEXT_PORTS_MAX, PORT_MAX)
  for (let port = wanted; port <= last; port++) {
    try {
      return await start(port)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      taken(port, port < last ? port + 1 : 'any free one')
    }
  }
  return await start(0)
}
