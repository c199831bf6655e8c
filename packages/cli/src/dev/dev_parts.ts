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
    (port) => order.note(`port ${port} is taken: the simulator gets another, shown below`),
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
  }
  const gapura = createGapura({ ...options, logger })
  undo.push(gapura.close)
  await gapura.migrate()
  const server = await onPort(
    order.port,
    async (port) => await startServer({ ...HERE, port, gapura: options }, logger),
    (port) => order.note(`port ${port} is taken: the API gets another, shown below`),
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

/** On the usual port, or on any free one if it is taken. */
async function onPort<Started>(
  port: number,
  start: (port: number) => Promise<Started>,
  taken: (port: number) => void,
): Promise<Started> {
  try {
    return await start(port)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    taken(port)
    return await start(0)
  }
}
