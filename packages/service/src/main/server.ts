import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../services/context.ts'
import type { ServerConfig } from './config.ts'
import { createGapura, type Gapura } from './create_gapura.ts'
import { jsonLogger } from './json_logger.ts'
import { listen, type Listening } from './listening.ts'
import { prefixOf } from './mount.ts'
import type { RunningWorker, WorkerOptions } from './worker.ts'

/** Longer than any call to the gateway, so that a charge under way still gets its answer. */
const STOP_WITHIN_MS = 30_000
/** A scrape or a probe is answered at once or not at all. */
const ADMIN_STOP_WITHIN_MS = 1_000
/** Connections still open this long after the stop do not delay the end of the process. */
const LINGER_MS = 5_000

export interface RunningProcess {
  /** Where health and metrics are, if a port was set for them. */
  admin_url: string | null
  /**
   * Reports not ready, accepts no new requests, waits for running ones and closes everything. May
   * be called again. Rejects, after everything is closed, if a request had to be cut off.
   */
  stop: () => Promise<void>
}

export interface RunningServer extends RunningProcess {
  url: string
}

const loggerOf = ({ log_level = 'info' }: ServerConfig): Logger => jsonLogger({ level: log_level })

export type WorkerSettings = Omit<WorkerOptions, 'subscribers'>

/**
 * The service on its own port, with a worker if configured. It does not start on a database that
 * is unfit or belongs to the other environment.
 */
export async function startServer(
  config: ServerConfig,
  logger: Logger = loggerOf(config),
  { worker: settings }: { worker?: WorkerSettings } = {},
): Promise<RunningServer> {
  return await starting(config, logger, async (gapura, opened) => {
    await gapura.ready()
    const worker = settings && (await gapura.startWorker(settings))
    if (worker) {
      opened.unshift(async () => await worker.stop())
      logger.info({}, 'worker started')
    }
    const server = await listen(
      (request, response) => gapura.nodeHandler(request, response),
      config,
    )
    opened.unshift(async () => await emptied(server, config.drain_ms))
    const { url } = server
    logger.info({ url: `${url}${prefixOf(config.gapura.prefix)}` }, 'listening')
    return { url }
  })
}

/** The worker in a process of its own. */
export async function startWorkerProcess(
  config: ServerConfig,
  logger: Logger = loggerOf(config),
  settings: WorkerSettings = {},
): Promise<RunningProcess> {
  return await starting(config, logger, async (gapura, opened) => {
    const worker: RunningWorker = await gapura.startWorker(settings)
    opened.unshift(async () => await worker.stop())
    logger.info({}, 'worker started')
    return {}
  })
}

/** What is to be closed, first to last. */
type Opened = (() => Promise<void>)[]

/** Builds the service, opens what is asked for, the admin port before it, and closes it all again. */
async function starting<More extends object>(
  { admin, gapura: options }: ServerConfig,
  logger: Logger,
  open: (gapura: Gapura, opened: Opened) => Promise<More>,
): Promise<RunningProcess & More> {
  const gapura = createGapura({ logger, ...options })
  const opened: Opened = [async () => await gapura.close()]
  const closeAll = async (): Promise<void> => {
    gapura.stopping()
    const failures: unknown[] = []
    for (const close of opened) await close().catch((error: unknown) => failures.push(error))
    logger.info({}, 'stopped')
    if (failures.length > 0) throw new AggregateError(failures, 'stopped, but not in good order')
  }
  try {
    // First of all, so that a start that takes long is seen to be alive and not ready.
    let started = false
    const operated =
      admin &&
      (await listen(
        adminHandler(gapura, () => started),
        admin,
      ))
    if (operated) opened.push(async () => void (await operated.close(ADMIN_STOP_WITHIN_MS)))
    if (operated) logger.info({ url: operated.url }, 'health and metrics')
    const more = await open(gapura, opened)
    started = true
    let stopped: Promise<void> | undefined
    return {
      ...more,
      admin_url: operated?.url ?? null,
      stop: async () => {
        stopped ??= closeAll()
        await stopped
      },
    }
  } catch (error) {
    await closeAll().catch(() => undefined)
    throw error
  }
}

/** The database may be ready long before this process is. */
const adminHandler =
  (gapura: Gapura, started: () => boolean): Gapura['adminHandler'] =>
  (request, response) => {
    if (started() || request.url !== '/readyz') gapura.adminHandler(request, response)
    else response.writeHead(503).end('starting\n')
  }

/** A balancer needs a moment to see that we are not ready; until then it still sends. */
async function emptied(server: Listening, drain_ms: number): Promise<void> {
  server.drain()
  await sleep(drain_ms)
  if (await server.close(STOP_WITHIN_MS)) return
  throw new Error(`requests were cut off after ${STOP_WITHIN_MS} ms`)
}

/**
 * Stops on SIGTERM or SIGINT; the process then ends by itself, with 0 if all of it was in good order
 * and 1 otherwise. A second signal ends it at once.
 */
export function stopOnSignal(running: RunningProcess): void {
  let stopping = false
  const stop = (): void => {
    // A second signal ends the process at once; recovery handles operations cut off here.
    if (stopping) process.exit(1)
    stopping = true
    running
      .stop()
      .catch(() => {
        process.exitCode = 1
      })
      .finally(() => {
        setTimeout(() => process.exit(), LINGER_MS).unref()
      })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
