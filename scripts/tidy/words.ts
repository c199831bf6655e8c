// Words that the style guide replaces by the usual term, and where they are still used.
import { isGenerated, lineAt, type Tree } from './tree.ts'

interface Word {
  /** Looked for in text whose identifiers are split into words: `noteDeed` is "note Deed". */
  pattern: RegExp
  use: string
}

/** A lookahead allows the phrases in which the word has its plain meaning. */
const WORDS: readonly Word[] = [
  { pattern: /\b(?:told|tells?|telling)\b/gi, use: 'published, delivered, emit, notify, show' },
  { pattern: /\b(?:nobody|whoever)\b/gi, use: 'name the actor: caller, process, staff member' },
  { pattern: /\b(?:she|hers?|he|him|his)\b/gi, use: 'caller, staff member' },
  { pattern: /\bdeeds?\b/gi, use: 'audit entry; for metrics, metric event' },
  { pattern: /\bfates?\b/gi, use: 'notification result' },
  { pattern: /\btwins?\b/gi, use: 'duplicate' },
  { pattern: /\btestimon(?:y|ies)\b/gi, use: 'provenance' },
  { pattern: /\bbooks?\b/gi, use: 'write batch, ledger, records' },
  { pattern: /\bturn(?:s|ed|ing)? the page\b/gi, use: 'flush' },
  { pattern: /\bdoors?\b/gi, use: 'entry point, route, client' },
  { pattern: /\bkeep house|house kept\b|\bhouses?\b/gi, use: 'maintenance' },
  { pattern: /\brooms?\b(?! (?:for|to|left)\b)/gi, use: 'layer, folder' },
  { pattern: /\bwalls?\b(?![ -]clock)/gi, use: 'rule, boundary' },
  { pattern: /\blanes?\b|\bin turn of\b/gi, use: 'fair connection queue' },
  { pattern: /\bsightings?\b/gi, use: 'telemetry event' },
  {
    pattern: /\b(?:has|have|had) the word\b|\bperson(?:'|’)s word\b/gi,
    use: 'only … may act',
  },
  {
    pattern:
      /\b(?:the|payment|invoice|subscription|object) moves\b|\bmoves\.md\b|\bmove payment\b/gi,
    use: 'transitions',
  },
  { pattern: /\bfenced transaction\b/gi, use: 'record with retry' },
  { pattern: /\bhand(?:s|ed)? back\b/gi, use: 'release the lease' },
  { pattern: /\bown lights\b|\bgoodbye\b|'no time'/gi, use: 'a full clause' },
]

/** Files in which a word may stay, with the reason. */
const EXEMPT: readonly { file: RegExp; why: string }[] = [
  { file: /^scripts\/tidy\/words\.ts$/, why: 'names the words' },
  { file: /^test\/tidy(?:_goals)?\.test\.ts$/, why: 'plants the words' },
  { file: /^docs\/moves\.md$/, why: 'keeps the anchors of a page that has moved' },
  { file: /^site\/pages\.ts$/, why: 'names that page' },
  { file: /\/published_key\.ts$/, why: 'holds the letters of a key' },
  {
    file: /\/camt053\.ts$|^campaigns\/imports\/samples\.ts$/,
    why: 'names the status BOOK of ISO 20022',
  },
  { file: /\/dev\/embedded_postgres\.ts$/, why: 'names the Unix user nobody' },
  { file: /\/migrations\/\d+\w*\.sql$/, why: 'a database refuses a migration that has changed' },
]

export interface WordLeft {
  file: string
  line: number
  word: string
  use: string
}

const asWords = (text: string): string => text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ')

export function wordsLeft(tree: Tree): WordLeft[] {
  return [...tree]
    .filter(([file]) => !isGenerated(file) && !EXEMPT.some((one) => one.file.test(file)))
    .flatMap(([file, raw]) => {
      const text = asWords(raw)
      return WORDS.flatMap(({ pattern, use }) =>
        [...text.matchAll(pattern)].map(({ 0: word, index }) => {
          return { file, line: lineAt(text, index), word: word.toLowerCase(), use }
        }),
      )
    })
}
