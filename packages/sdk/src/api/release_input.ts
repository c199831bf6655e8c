// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface ReleaseInput {
  /** 1 to 100 characters. */
  subscriber: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id: string
  /** 3 to 500 characters. */
  reason?: string
}
