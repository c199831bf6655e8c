import { traceOf } from '../domain/error_trace.ts'
import type { Logger } from '../services/context.ts'

/**
 * For a process that runs only the service: an uncaught error still ends it, but as a log line.
 * Node would print the whole error with every property that a driver added to it.
 */
export function endWhenUncaught(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    log.error({ error: traceOf(error) }, 'process ended by an uncaught error')
    process.exit(1)
  })
}
