export type StoreErrorCode =
  // The connection was lost between commit and its answer: it may or may not have happened.
  | 'commit_unknown'
  // A statement failed, its error was swallowed, and the commit became a rollback.
  | 'transaction_aborted'
  | 'transaction_ended'
  | 'transaction_nested'
  | 'server_unsafe'
  // The connection leads to a server that takes no writes, as after a failover.
  | 'server_standby'
  | 'environment_mismatch'
  | 'migration_changed'
  | 'migration_unknown'
  | 'migration_busy'
  | 'pool_too_small'

/** Trouble of the store itself, not of a caller or the gateway: start-up, misuse, a lost commit. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
