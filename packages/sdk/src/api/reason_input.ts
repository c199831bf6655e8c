// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface ReasonInput {
  /** 3 to 500 characters. */
  reason: string
}
