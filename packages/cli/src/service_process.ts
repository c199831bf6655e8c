import { jsonLogger, type Logger, type LogLevel } from 'gapura'
import type { Output } from './output.ts'

/** One JSON object per line, for log collectors; the same with and without `--json`. */
export const lineLogger = (output: Pick<Output, 'write'>, level?: LogLevel): Logger =>
  jsonLogger({
    ...(level !== undefined && { level }),
    write: (line) => output.write(line.trimEnd()),
  })

/** For short commands: what fails is printed by the command itself. */
export const NO_LOG: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
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
