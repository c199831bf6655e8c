// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'

export interface WorkerPulse {
  /** The id of the worker process. */
  id: string
  /** Where it runs. */
  description: string
  /** When it started. */
  started_at: Timestamp
  /** When it last reported. */
  beat_at: Timestamp
  /** How long ago that was, in milliseconds. */
  silent_ms: number
}
