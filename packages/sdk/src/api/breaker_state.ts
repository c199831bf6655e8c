// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface BreakerState {
  /** Whether calls to the gateway are stopped, because it keeps failing. */
  open: boolean
  /** How often that happened since the process started. */
  openings: number
}
