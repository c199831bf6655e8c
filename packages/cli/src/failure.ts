import { ConfigError, GatewayError, RequestProblem, StoreError } from 'gapura'
import { UsageError } from './command.ts'
import { EXIT, type ExitCode } from './exit_codes.ts'

/** A failure as it is printed: what is wrong and what to do. */
export interface Failure {
  exit_code: ExitCode
  code: string
  message: string
  advice: string[]
}

/** A failure that a command itself detects. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandFailure) return error.failure
  if (error instanceof UsageError) return failure(EXIT.usage, 'usage', error.message)
  if (error instanceof ConfigError) {
    const advice = [
      ...error.faults,
      'Set them in the environment or in a file named by --env-file,',
      'or run gapura dev in this folder: while it runs, its settings are used.',
    ]
    return failure(EXIT.settings, 'settings', 'the settings are not valid', advice)
  }
  if (error instanceof RequestProblem) {
    const exit = error.code === 'not_found' ? EXIT.not_found : EXIT.refused
    return failure(exit, error.code, error.message, [error.detail])
  }
  if (error instanceof GatewayError) return gatewayFailure(error)
  return storeFailure(error) ?? failure(EXIT.failure, 'failed', messageOf(error))
}

const failure = (
  exit_code: ExitCode,
  code: string,
  message: string,
  advice: string[] = [],
): Failure => ({ exit_code, code, message, advice })

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error)

const UNCLEAR: ReadonlySet<string> = new Set([
  'gateway_unavailable',
  'gateway_failed',
  'gateway_rate_limited',
  'outcome_unknown',
  'outcome_not_recorded',
])

function gatewayFailure(error: GatewayError): Failure {
  if (error.code === 'store_unavailable') {
    return storeFailure(error.cause) ?? databaseFailure(messageOf(error.cause))
  }
  const said = error.gateway?.status_message
  const advice = [
    ...error.errors.map(({ field, message }) => `${field}: ${message}`),
    ...(said ? [`The gateway replied: ${said}`] : []),
    error.advice,
    ...(error.payment_id === null ? [] : [`It concerns payment ${error.payment_id}.`]),
  ]
  return failure(exitOf(error), error.code, error.message, advice)
}

function exitOf({ code, definite }: GatewayError): ExitCode {
  if (code === 'invalid_request') return EXIT.usage
  if (code === 'gateway_not_found') return EXIT.not_found
  return UNCLEAR.has(code) || !definite ? EXIT.unclear : EXIT.refused
}

const databaseFailure = (message: string, ...advice: string[]): Failure =>
  failure(EXIT.database, 'database', message, advice)

/** The database's own faults, with the remedy that the service names. */
function storeFailure(error: unknown): Failure | undefined {
  if (!(error instanceof StoreError)) return undefined
  if (error.remedy === null) return databaseFailure(error.message)
  const what = error.message.slice(0, -`. ${error.remedy}`.length)
  return databaseFailure(what, `${error.remedy}.`)
}
