import type { StoreFailure } from '../../domain/telemetry.ts'

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
  | 'index_building'
  | 'pool_too_small'
  // The schema has no tables of ours, or those of an older release.
  | 'not_migrated'
  | 'no_rights'
  | 'login_refused'
  | 'database_missing'
  // A pooler gave the prepared statements of one connection to another.
  | 'statements_shared'
  | 'unreachable'

/**
 * A failure of the store itself, not of a caller or the gateway: start-up, misuse, a lost commit.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  /** What to do about it, which the message says too; null where nothing is to be done. */
  readonly remedy: string | null

  constructor(code: StoreErrorCode, what: string, cause?: unknown, remedy: string | null = null) {
    const message = remedy === null ? what : `${what}. ${remedy}`
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
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

/** Why a transaction failed, for the metric; undefined if the fault is not the database's. */
export function failureOf(error: unknown): StoreFailure | undefined {
  const code = codeOf(error)
  if (code === '53100' || code === '58030') return 'disk_full'
  if (code === 'server_standby' || code === '25006') return 'standby'
  if (code === 'commit_unknown') return code
  if (code === 'index_building' || BUSY.test(code)) return 'busy'
  return isAway(error) ? 'away' : undefined
}

/** Thrown by a pool whose connections are all in use, before anything is sent. */
export const NO_CONNECTION_FREE = 'timeout exceeded when trying to connect'

/**
 * Whether a statement may have been carried out although it failed. An ordinary ERROR says that it
 * was not; anything else (a lost connection, a FATAL while a commit waited for its standby) leaves
 * it open.
 */
export const mayHaveRun = (error: unknown): boolean =>
  !(
    error instanceof Error &&
    (('severity' in error && error.severity === 'ERROR') || error.message === NO_CONNECTION_FREE)
  )

/** The SQLSTATE of an error, or the system's error code; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The SQLSTATE of a lock that was not granted in time, and of a write that a move refuses. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** The SQLSTATE of a row that a unique index refuses. */
export const UNIQUE_VIOLATION = '23505'

/**
 * The SQLSTATE of a check that a statement makes of its own result, `1 / (condition)::integer`, so
 * that a commit sent with it is a rollback.
 */
export const DIVISION_BY_ZERO = '22012'

type Remedied = readonly [code: StoreErrorCode, what: string, remedy: string]

export const MIGRATE =
  'Run gapura migrate, or await gapura.migrate(), with the same database and schema (DATABASE_URL, GAPURA_SCHEMA)'

/** Faults that an operator can correct, by SQLSTATE. */
const REMEDIES: readonly (readonly [states: RegExp, fault: (schema: string) => Remedied])[] = [
  [
    /^(?:42P01|3F000|42883)$/,
    (schema) => ['not_migrated', `The schema ${schema} has no tables of this release`, MIGRATE],
  ],
  [
    /^42501$/,
    (schema) => [
      'no_rights',
      `The database role has no rights on the schema ${schema}`,
      'Run the statements that gapura migrate --grants <role> prints, as the owner of the schema',
    ],
  ],
  [
    /^28/,
    () => [
      'login_refused',
      'The database refused the login',
      'Check user and password in DATABASE_URL',
    ],
  ],
  [
    /^3D000$/,
    () => ['database_missing', 'The database does not exist', 'Create it, or correct DATABASE_URL'],
  ],
  [
    /^(?:26000|42P05)$/,
    () => [
      'statements_shared',
      'A pooler between the service and the database mixes up prepared statements',
      'Set GAPURA_PREPARED_STATEMENTS=false (database.prepared: false), or use a pooler that knows them, such as pgbouncer 1.21',
    ],
  ],
]

/**
 * The failure of a start, or of an administrator's call, with its remedy; undefined if it is of
 * another kind. The driver's own message names neither.
 */
export function storeFault(error: unknown, schema: string): StoreError | undefined {
  if (error instanceof StoreError) return error
  const code = error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error)
  const known = REMEDIES.find(([states]) => states.test(code))?.[1](schema)
  if (known !== undefined) return new StoreError(known[0], known[1], error, known[2])
  if (!isAway(error)) return undefined
  const why = code === '' ? 'no answer' : code
  return new StoreError(
    'unreachable',
    `The database cannot be reached (${why})`,
    error,
    'Check that PostgreSQL runs and that DATABASE_URL leads to it',
  )
}

/** Runs work whose caller is an administrator or a starting process, not a payer. */
export async function withRemedies<Result>(
  schema: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw storeFault(error, schema) ?? error
  }
}
