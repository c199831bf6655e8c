import { traceOf } from '../domain/error_trace.ts'
import type { Logger } from '../services/context.ts'

/**
 * For a process that is ours alone: an error nobody caught still ends it, but as a line of the log.
 * Node would print the whole error, with every property a driver hung onto it.
 */
export function endWhenUncaught(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    log.error({ error: traceOf(error) }, 'ended by an error nobody caught')
    process.exit(1)
  })
}
