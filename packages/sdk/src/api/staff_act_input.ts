// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface StaffActInput {
  /** Why it is done; it is stored in the audit. Up to 255 characters. */
  reason?: string
}
