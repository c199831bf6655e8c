// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface SubscriberLag {
  subscriber: string
  lag_s: number
  dead: number
}
