import { createServer, type Server } from 'node:http'
import type { Logger } from '../services/context.ts'
import type { ServerConfig } from './config.ts'
import { createGapura } from './create_gapura.ts'
import { jsonLogger } from './json_logger.ts'

// Slow clients hold a connection at most this long before their request is whole.
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
const HEADER_BYTES_MAX = 16_384
/** Longer than any call to the gateway, so that a charge under way still gets its answer. */
const STOP_WITHIN_MS = 30_000

export interface RunningServer {
  url: string
  /** Takes no more requests, lets those under way end, closes everything. */
  stop: () => Promise<void>
}

/** The service on its own port. It does not start on a database that is unfit or of the other side. */
export async function startServer(
  { host, port, gapura: options }: ServerConfig,
  logger: Logger = jsonLogger((line) => process.stdout.write(line)),
): Promise<RunningServer> {
  const gapura = createGapura({ logger, ...options })
  try {
    await gapura.ready()
    const server = createServer({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    })
    server.on('request', (request, response) => gapura.nodeHandler(request, response))
    const url = await listening(server, host, port)
    logger.info({ url }, 'listening')
    return {
      url,
      stop: async () => {
        await stopped(server)
        await gapura.close()
        logger.info({}, 'stopped')
      },
    }
  } catch (error) {
    await gapura.close()
    throw error
  }
}

/** Stops the server on SIGTERM or SIGINT; the process then ends by itself. */
export function stopOnSignal(server: RunningServer): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    server.stop().catch(() => {
      process.exitCode = 1
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function listening(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
}

async function stopped(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeIdleConnections()
  })
  clearTimeout(late)
}
