import { traceOf } from '../domain/error_trace.ts'
import { HIDDEN, hideSecrets, isSecretName, mayHoldSecrets } from '../domain/secret_shapes.ts'
import type { Logger } from '../services/context.ts'

export const LOG_LEVELS = ['info', 'warn', 'error'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface JsonLoggerOptions {
  /** The least that is written; `info` by default, which is every request. */
  level?: LogLevel
  /**
   * Takes one line with its line break. By default lines go to standard output, those of one turn
   * of the event loop together.
   */
  write?: (line: string) => void
}

/** Longer texts are not kept back: a loop that logs must not fill the memory. */
const KEPT_LENGTH_MAX = 16_384

interface Lines {
  add: (line: string) => void
  /** Writes what is kept back. */
  flush: () => void
}

/**
 * Lines in batches, because each call of the kernel costs more than the line. They are written
 * before the next turn of the event loop, at the end of the process, and with an error at once; a
 * process that is killed in between loses the lines of its last turn.
 */
function batched(write: (text: string) => void): Lines {
  let kept = ''
  const flush = (): void => {
    if (kept === '') return
    const text = kept
    kept = ''
    write(text)
  }
  process.on('exit', flush)
  return {
    add: (line) => {
      if (kept === '') setImmediate(flush)
      kept += line
      if (kept.length >= KEPT_LENGTH_MAX) flush()
    },
    flush,
  }
}

/** One for the process: a listener for its end is added once. */
let standard_output: Lines | undefined

/** One JSON object a line: the time, the level, the message and the fields, without any secret. */
export function jsonLogger({ level = 'info', write }: JsonLoggerOptions = {}): Logger {
  const least = LOG_LEVELS.indexOf(level)
  const lines = write === undefined ? (standard_output ??= batched(toOutput)) : undefined
  const add = write ?? ((line: string): void => lines?.add(line))
  const at = (of: LogLevel) => {
    if (LOG_LEVELS.indexOf(of) < least) return () => undefined
    return (fields: object, message: string): void => {
      add(`${lineOf(of, fields, message)}\n`)
      // The last line before a crash says why.
      if (of === 'error') lines?.flush()
    }
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

const toOutput = (text: string): void => void process.stdout.write(text)

/** Where the host gave no logger: what somebody has to look at, on the console. */
export const consoleLogger = (): Logger =>
  jsonLogger({ level: 'warn', write: (line) => void process.stderr.write(line) })

/** A log must not fail what it reports on, so what JSON cannot write is left out. */
function lineOf(level: LogLevel, fields: object, message: string): string {
  const head = { time: new Date().toISOString(), level, message }
  try {
    const line = { ...head, ...fields }
    const text = isFlat(line) ? JSON.stringify(line) : undefined
    // One look at the whole line: a function for each member costs several times as much.
    if (text !== undefined && !mayHoldSecrets(text)) return text
    return JSON.stringify(line, withoutSecrets)
  } catch {
    return JSON.stringify({ ...head, unreadable_fields: true }, withoutSecrets)
  }
}

const FLAT_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined'])

/** Whether JSON writes it as it is: no object, no bigint, and no name of a secret. */
function isFlat(line: Readonly<Record<string, unknown>>): boolean {
  for (const name in line) {
    const value = line[name]
    if (isSecretName(name) || (value !== null && !FLAT_TYPES.has(typeof value))) return false
  }
  return true
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === 'string') return isSecretName(name) ? HIDDEN : hideSecrets(value)
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Error ? traceOf(value) : value
}
