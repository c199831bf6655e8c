// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface BreakerState {
  open: boolean
  openings: number
}
