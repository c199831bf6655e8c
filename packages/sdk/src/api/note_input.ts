// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface NoteInput {
  /** The note; the other staff members read it. 1 to 2000 characters. */
  text: string
}
