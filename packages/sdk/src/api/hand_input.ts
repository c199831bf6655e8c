// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface HandInput {
  /**
   * `look`: look it up at the gateway now; `done` or `refused`: end it so where the gateway
   * shows nothing.
   */
  outcome: 'look' | 'done' | 'refused'
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason: string
  /** The gateway's id of the payment that a charge made. 1 to 100 characters. */
  transaction_id?: string
  /**
   * The gateway's id of the invoice or subscription that was created. Fits
   * `^[A-Za-z0-9._~-]{1,100}$`.
   */
  gateway_id?: string
}
