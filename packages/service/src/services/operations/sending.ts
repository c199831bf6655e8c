// One rule for every call that changes something at the gateway: it is on disk before it is made,
// and a process that was paused since then does not make it.
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'

/** Connect, read and a margin: before this no other process may touch an operation that was sent. */
export const CALL_DUE_MS = 1_000 + 10_000 + 5_000

/** After this only the resolver may act: a paused process must not wake and send. */
const SEND_WITHIN_MS = 5_000

/** A send that is on disk. Only these are made. */
export interface WrittenSend<Operation extends GatewayOperation = GatewayOperation> {
  operation: Operation
  /** Before it was written, by the process's own clock: pauses count. */
  begun_at: number
}

/** Makes a call that is on disk, unless too much time has passed since. */
export async function sendWritten<Answer>(
  { operation, begun_at }: WrittenSend,
  call: () => Promise<Answer>,
): Promise<Answer> {
  if (performance.now() - begun_at > SEND_WITHIN_MS) {
    throw gatewayError('outcome_unknown', { operation: operation.kind })
  }
  return await call()
}
