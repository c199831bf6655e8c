import type { Language } from './language.ts'

/** Texts by name, in every language: a missing one does not compile. */
export type Table = Record<string, Record<Language, string>>
