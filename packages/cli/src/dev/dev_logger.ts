import type { Logger } from 'gapura'
import { timeOf } from '../formats.ts'
import type { Output } from '../output.ts'

/** One line for each request, warning and error; requests only once the welcome text is out. */
export function devLogger(output: Output): { logger: Logger; begin: () => void } {
  let begun = false
  const print = (event: string, fields: object, line: string): void =>
    output.event({ event, ...fields }, () => `${timeOf(new Date())}  ${line}`)
  const trouble = (level: 'warning' | 'error') => (fields: object, message: string) =>
    print(level, { message, ...fields }, `${level}: ${message}  ${wordsOf(fields)}`)
  return {
    begin: () => {
      begun = true
    },
    logger: {
      info: (fields, message) => {
        if (begun && message === 'request') print('request', fields, requestOf({ ...fields }))
      },
      warn: trouble('warning'),
      error: trouble('error'),
    },
  }
}

function requestOf(fields: Record<string, unknown>): string {
  const { method, route, path, status, code = '', duration_ms } = fields
  const what = `${String(method)} ${String(path ?? route)}`
  return `${what.padEnd(39)}  ${String(status)}  ${String(duration_ms)} ms  ${String(code)}`.trimEnd()
}

/** `name=value`, and of a trace its first line: the rest is in the log of a server. */
const wordsOf = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]: [string, unknown]) => {
      const shown: unknown = Array.isArray(value) ? value[0] : value
      const text = typeof shown === 'string' ? shown : JSON.stringify(shown ?? null)
      return `${name}=${text.split('\n', 1)[0] ?? ''}`
    })
    .join(' ')
