// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface HandInput {
  outcome: 'look' | 'done' | 'refused'
  /** 3 to 500 characters. */
  reason: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** Fits `^[A-Za-z0-9._~-]{1,100}$`. */
  gateway_id?: string
}
