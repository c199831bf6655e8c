// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface StaffActInput {
  /** Up to 255 characters. */
  reason?: string
}
