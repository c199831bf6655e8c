import type { Logger } from 'gapura'
import type { Output } from './output.ts'

/** One JSON object per line, for log collectors; the same with and without `--json`. */
export function lineLogger(output: Pick<Output, 'write'>): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    output.write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }))
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** Resolves at the first SIGINT or SIGTERM. The second one ends the process at once. */
export async function untilStopped(): Promise<void> {
  const asked = Promise.withResolvers<void>()
  let before = false
  const heard = (): void => {
    if (before) process.exit(1)
    before = true
    asked.resolve()
  }
  process.on('SIGINT', heard)
  process.on('SIGTERM', heard)
  await asked.promise
}
