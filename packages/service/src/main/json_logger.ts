import type { Logger } from '../services/context.ts'

/** One JSON object a line. The fields are the caller's choice; nothing is added but the time. */
export function jsonLogger(write: (line: string) => void): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
