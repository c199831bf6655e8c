import { createContext, use } from 'react'
import { ENGLISH } from './texts/english.ts'
import { INDONESIAN } from './texts/indonesian.ts'

export const LANGUAGES = ['id', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** English is the measure: a text that is missing in the other language does not compile. */
export type Texts = Record<TextName, string>
export type TextName = keyof typeof ENGLISH

const TEXTS: Record<Language, Texts> = { en: ENGLISH, id: INDONESIAN }

const KEPT = 'gapura.language'

export function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT)
  const known = LANGUAGES.find((one) => one === kept)
  return known ?? (navigator.language.startsWith('en') ? 'en' : 'id')
}

export const keepLanguage = (language: Language): void => localStorage.setItem(KEPT, language)

export type Say = (name: TextName, values?: Readonly<Record<string, string | number>>) => string

/** `{amount}` in a text is the value of that name. */
export const sayIn =
  (language: Language): Say =>
  (name, values = {}) =>
    TEXTS[language][name].replaceAll(/\{(\w+)\}/g, (whole, key: string) =>
      String(values[key] ?? whole),
    )

/** A text whose name is made of a word of the interface; the word itself where there is none. */
export const wordIn =
  (language: Language) =>
  (group: string, word: string): string => {
    const name = `${group}_${word}`
    return isTextName(name) ? TEXTS[language][name] : word.replaceAll('_', ' ')
  }

const isTextName = (name: string): name is TextName => name in ENGLISH

/** The text of a name that is made of a code; nothing for a code of a newer service. */
const namedIn =
  (language: Language) =>
  (name: string): string | undefined =>
    isTextName(name) ? TEXTS[language][name] : undefined

export interface Speech {
  language: Language
  say: Say
  word: (group: string, word: string) => string
  named: (name: string) => string | undefined
  speak: (language: Language) => void
}

export const speechIn = (language: Language, speak: Speech['speak'] = () => undefined): Speech => ({
  language,
  say: sayIn(language),
  word: wordIn(language),
  named: namedIn(language),
  speak,
})

export const SpeechContext = createContext<Speech>(speechIn('en'))

export const useSpeech = (): Speech => use(SpeechContext)
