// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface ReleaseInput {
  /** The subscriber that failed. 1 to 100 characters. */
  subscriber: string
  /** The object whose events wait. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id: string
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason?: string
}
