// Citations in code and documents: `ADR 0007`, `I-39a`, `D-18`, a page with or without its anchor such as
// `gateway-protocol.md#idempotency`. Each must exist in the repository.
import path from 'node:path'
import { lineAt, type Fault, type Tree } from '../tidy/tree.ts'
import { hasAnchor } from '../tidy/rules.ts'

const INDEX = 'docs/decisions.md'
const INVARIANTS = 'docs/reference/invariants.md'

/** A page is cited by its name alone; these are the folders it may be in. */
const FOLDERS = ['docs', 'docs/reference', 'docs/decisions', 'docs/payments']

const CITATION =
  /\bADR[ -](\d{4})\b|(?<![\w#"-])([DI]-\d{2,3}[a-z]?)(?![\w"])|(?<![\w/.-])((?:docs\/(?:[\w-]+\/)*)?[\w-]+\.md)(#[\w-]+)?/g

/** Sections of documents that are not in the repository. */
const OUTSIDE = /\b(?:Wire|[Dd]esign|Spec) \d+(?:\.\d+)?/g

const isCode = (file: string): boolean => /\.(?:ts|tsx|js|sql)$/.test(file)
/** Files that explain citations or plant them. */
const EXEMPT = ['scripts/docs/citations.ts', 'test/docs/', 'test/tidy']
const isExempt = (file: string): boolean => EXEMPT.some((start) => file.startsWith(start))

/** The file of a decision, by its number. */
export const decisionFile = (tree: Tree, number: string): string | undefined =>
  [...tree.keys()].find((file) => file.startsWith(`docs/decisions/${number}-`))

/** The address of a citation, as path from the root with its anchor; undefined if it does not exist. */
export function addressOf(tree: Tree, citation: string): string | undefined {
  const match = new RegExp(CITATION).exec(citation)
  if (match === null) return undefined
  const [, decision, number, page = '', anchor = ''] = match
  if (decision !== undefined) return decisionFile(tree, decision)
  if (number !== undefined) {
    const home = number.startsWith('D') ? INDEX : INVARIANTS
    return hasAnchor(tree.get(home) ?? '', number.toLowerCase())
      ? `${home}#${number.toLowerCase()}`
      : undefined
  }
  const places = page.includes('/')
    ? [page]
    : FOLDERS.map((folder) => path.posix.join(folder, page))
  const found = places.find((place) => tree.has(place))
  if (found === undefined) return undefined
  return anchor === '' || hasAnchor(tree.get(found) ?? '', anchor.slice(1))
    ? `${found}${anchor}`
    : undefined
}

/** In code only comments cite a page; a name in quotes is a file that the code reads or writes. */
const isQuoted = (text: string, at: number, length: number): boolean =>
  /['"`/(]/.test(text[at - 1] ?? '') && /['"`/)]/.test(text[at + length] ?? '')

export function citationFaults(tree: Tree): Fault[] {
  return [...tree].flatMap(([file, text]) => {
    if (!isCode(file) || isExempt(file)) return []
    return [...text.matchAll(CITATION)].flatMap((match) => {
      const [citation, , , page, anchor] = match
      const { index } = match
      const quoted =
        page !== undefined && anchor === undefined && isQuoted(text, index, citation.length)
      if (quoted || isReadme(page)) return []
      if (addressOf(tree, citation) !== undefined) return []
      return [
        { rule: 'citation', file, line: lineAt(text, index), why: `${citation} does not exist` },
      ]
    })
  })
}

const isReadme = (page: string | undefined): boolean =>
  page !== undefined && /^(?:README|CONTRIBUTING|CHANGELOG|SECURITY)\.md$/.test(page)

/** Citations of documents that a reader of the repository does not have. */
export const outsideCitations = (tree: Tree): Fault[] =>
  [...tree].flatMap(([file, text]) =>
    isExempt(file) || !(isCode(file) || file.endsWith('.md'))
      ? []
      : [...text.matchAll(OUTSIDE)].map(({ 0: citation, index }) => ({
          rule: 'citation',
          file,
          line: lineAt(text, index),
          why: `${citation} is not in the repository`,
        })),
  )

/** Old decision numbers are kept for migrations, which must not change; code cites the ADR. */
export const oldNumbers = (tree: Tree): Fault[] =>
  [...tree].flatMap(([file, text]) =>
    !isCode(file) || isExempt(file) || file.includes('/migrations/')
      ? []
      : [...text.matchAll(/(?<![\w#"'-])D-\d{2,3}(?![\w"'])/g)].map(({ 0: citation, index }) => ({
          rule: 'citation',
          file,
          line: lineAt(text, index),
          why: `${citation} has become an ADR or a page: see ${INDEX}`,
        })),
  )
