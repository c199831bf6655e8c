// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface Waiting {
  count: number
  oldest_s: number
}
