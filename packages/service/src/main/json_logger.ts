import { traceOf } from '../domain/error_trace.ts'
import { HIDDEN, hideSecrets, isSecretName } from '../domain/secret_shapes.ts'
import type { Logger } from '../services/context.ts'

export const LOG_LEVELS = ['info', 'warn', 'error'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface JsonLoggerOptions {
  /** The least that is written; `info` by default, which is every request. */
  level?: LogLevel
  /** Takes one line with its line break; standard output by default. */
  write?: (line: string) => void
}

/** One JSON object a line: the time, the level, the message and the fields, without any secret. */
export function jsonLogger({
  level = 'info',
  write = (line) => void process.stdout.write(line),
}: JsonLoggerOptions = {}): Logger {
  const least = LOG_LEVELS.indexOf(level)
  const at = (of: LogLevel) => {
    if (LOG_LEVELS.indexOf(of) < least) return () => undefined
    return (fields: object, message: string): void => write(`${lineOf(of, fields, message)}\n`)
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** Where the host gave no logger: what somebody has to look at, on the console. */
export const consoleLogger = (): Logger =>
  jsonLogger({ level: 'warn', write: (line) => void process.stderr.write(line) })

/** A log must not fail what it reports on, so what JSON cannot write is left out. */
function lineOf(level: LogLevel, fields: object, message: string): string {
  const head = { time: new Date().toISOString(), level, message }
  try {
    return JSON.stringify({ ...head, ...fields }, withoutSecrets)
  } catch {
    return JSON.stringify({ ...head, unreadable_fields: true }, withoutSecrets)
  }
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === 'string') return isSecretName(name) ? HIDDEN : hideSecrets(value)
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Error ? traceOf(value) : value
}
