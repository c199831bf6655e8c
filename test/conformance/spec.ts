// The interface specification beside the checkout, line by line. Only the hash of each line is stored
// in the repository.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Beside the checkout; a copy of the checkout elsewhere is given its place. */
const FILE =
  process.env['GAPURA_SPECIFICATION'] ??
  path.resolve(import.meta.dirname, '../../../shared/spec/interface-specification.md')

export const specIsPresent = existsSync(FILE)

/** The whole text of a section, its paragraphs too, without the sections inside it. */
export function sectionText(section: string): string {
  const parts = readFileSync(FILE, 'utf8').split(/^#+ /m)
  return parts.find((part) => /^\d+(?:\.\d+)*(?=[. ])/.exec(part)?.[0] === section) ?? ''
}

export interface SpecSentence {
  section: string
  hash: string
  text: string
}

const RULE = /^\|[-| ]+\|$/
/** A bullet, or the number of a rule. */
const MARK = /^(?:- |\d+\. )/
const isRow = (text: string): boolean => text.startsWith('|')

/** Every table row, and every sentence of bullets and paragraphs; the heads of tables state nothing. */
export function specSentences(): SpecSentence[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  let section = '0'
  return lines.flatMap((line, index) => {
    if (line.startsWith('#')) section = /^#+ (\d+(?:\.\d+)?)/.exec(line)?.[1] ?? section
    const text = line.trim()
    const head = RULE.test(lines[index + 1]?.trim() ?? '')
    if (text === '' || line.startsWith('#') || RULE.test(text) || (isRow(text) && head)) return []
    const sentences = isRow(text) ? [text] : text.replace(MARK, '').split(/(?<=\.) (?=[A-Z])/)
    return sentences.map((sentence, at) => ({
      section,
      text: sentence,
      hash: hashOf(section, `${text}\n${at}`),
    }))
  })
}

const hashOf = (section: string, text: string): string =>
  createHash('sha256').update(`${section}\n${text}`).digest('hex').slice(0, 10)
