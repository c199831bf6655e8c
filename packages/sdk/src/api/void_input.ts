// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface VoidInput {
  /** Why the invoice is voided. Up to 255 characters. */
  reason?: string
}
