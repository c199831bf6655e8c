// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface StaffActInput {
  /** Up to 255 characters. */
  reason?: string
}
