// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface SubscriberLag {
  /** The name of the subscriber. */
  subscriber: string
  /** The age of the oldest event it has not received, in seconds. */
  lag_s: number
  /** How many events it failed at and gave up. */
  dead: number
}
