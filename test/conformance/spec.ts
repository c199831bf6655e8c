// The interface specification beside the checkout, line by line. Only the hash of each line is stored
// in the repository.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FILE = path.resolve(import.meta.dirname, '../../../shared/spec/interface-specification.md')

export const specIsPresent = existsSync(FILE)

/** The whole text of a section, its paragraphs too, without the sections inside it. */
export function sectionText(section: string): string {
  const parts = readFileSync(FILE, 'utf8').split(/^#+ /m)
  return parts.find((part) => /^\d+(?:\.\d+)*(?=[. ])/.exec(part)?.[0] === section) ?? ''
}

export interface SpecLine {
  section: string
  hash: string
  text: string
}

const RULE = /^\|[-| ]+\|$/

/** Every bullet and table row, without the heads of tables. */
export function specLines(): SpecLine[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  let section = ''
  return lines.flatMap((line, index) => {
    if (line.startsWith('#')) section = /^#+ (\d+(?:\.\d+)?)/.exec(line)?.[1] ?? section
    const text = line.trim()
    const head = RULE.test(lines[index + 1]?.trim() ?? '')
    const counts = /^(?:- |\d+\. |\|)/.test(text) && !RULE.test(text) && !head
    return counts ? [{ section, text, hash: hashOf(section, text) }] : []
  })
}

const hashOf = (section: string, text: string): string =>
  createHash('sha256').update(`${section}\n${text}`).digest('hex').slice(0, 10)
