import { hideSecrets } from './secret_shapes.ts'

const CAUSES_MAX = 5

/**
 * The stacks of an error and its causes. A driver's message may quote the value that it failed on.
 */
export function traceOf(error: unknown): string[] {
  const trace: string[] = []
  for (let one = error; one instanceof Error && trace.length < CAUSES_MAX; one = one.cause) {
    trace.push(hideSecrets(one.stack ?? one.message))
  }
  return trace
}
