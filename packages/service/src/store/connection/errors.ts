export type StoreErrorCode =
  // The connection was lost between the commit and its reply: it may or may not have committed.
  | 'commit_unknown'
  // A statement failed, its error was swallowed, and the commit became a rollback.
  | 'transaction_aborted'
  | 'transaction_ended'
  | 'transaction_nested'
  | 'server_unsafe'
  // The connection leads to a server that refuses writes, as after a failover.
  | 'server_standby'
  | 'environment_mismatch'
  | 'migration_changed'
  | 'migration_unknown'
  | 'migration_busy'
  | 'pool_too_small'

/**
 * A failure of the store itself, not of a caller or the gateway: start-up, misuse, a lost commit.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

// SQLSTATEs that mean "try later" and do not concern the statement. Away: connection lost or
// refused, out of resources, shutting down, a read-only server after a failover. Busy: a lock, a
// statement or a transaction that timed out, a deadlock.
const AWAY = /^(?:08|53|57P|58|25006$)/
const BUSY = /^(?:25P0[34]|40001|40P01|55P03|57014)$/

const SOCKET = /^E(?:CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/

/** The driver and its pool give these errors no code. */
const MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed)/

/** Whether the database is unavailable now, as opposed to refusing a statement. */
export const isUnavailable = (error: unknown): boolean => isAway(error) || BUSY.test(codeOf(error))

/** Whether it is unavailable for all callers, as opposed to busy rows. */
export function isAway(error: unknown): boolean {
  if (error instanceof StoreError) return true
  if (error instanceof AggregateError) return error.errors.some(isAway)
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return AWAY.test(code) || SOCKET.test(code) || MESSAGES.test(error.message)
}

/** The SQLSTATE of an error, or the system's error code; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
