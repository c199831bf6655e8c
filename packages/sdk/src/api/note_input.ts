// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface NoteInput {
  /** 1 to 2000 characters. */
  text: string
}
