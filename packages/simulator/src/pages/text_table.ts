import type { Language } from './language.ts'

/** Texts by name, in every language: one that is missing does not compile. */
export type Table = Record<string, Record<Language, string>>
