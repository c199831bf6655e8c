// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface ReasonInput {
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason: string
}
