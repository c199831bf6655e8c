// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface Waiting {
  count: number
  oldest_s: number
}
