import { StoreError } from './store_error.ts'

// SQLSTATEs that say "not now" and nothing about the statement: connection lost or refused, out of
// resources, shutting down, a lock or a statement that took too long, a deadlock, a read-only server
// after a failover.
const NOT_NOW = /^(?:08|53|57P|58)|^(?:25006|25P0[34]|40001|40P01|55P03|57014)$/

const SOCKET = /^E(?:CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/

/** The driver and its pool give these no code. */
const MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed)/

/** Whether the database cannot be used at present, as against a statement it refuses. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreError) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return NOT_NOW.test(code) || SOCKET.test(code) || MESSAGES.test(error.message)
}
