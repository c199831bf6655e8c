// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface Waiting {
  /** How many wait; counting stops at 100. */
  count: number
  /** How long the oldest has waited, in seconds. */
  oldest_s: number
}
