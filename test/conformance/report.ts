import path from 'node:path'
import { addressOf } from '../../scripts/docs/citations.ts'
import { readTree } from '../../scripts/tidy/tree.ts'
import type { Line } from './lines.ts'

const tree = readTree('.')

/** The link of a citation, from docs/. */
function linkOf(citation: string): string {
  const address = addressOf(tree, citation)
  if (address === undefined) throw new Error(`${citation} does not exist`)
  return `[${citation.replace('ADR-', 'ADR ')}](${path.posix.relative('docs', address)})`
}

const HOW: Record<Line['how'], (by: string) => string> = {
  check: (by) => `\`${by}\``,
  gap: (by) => `gap, decided in ${linkOf(by)}`,
}

/** The page that lists the evidence for each line of the specification. */
export function report(lines: readonly Line[]): string {
  const rows = lines.map(({ id, says, how, by }) => `| ${id} | ${says} | ${HOW[how](by)} |`)
  return [
    '# Conformance',
    '',
    'Every table row and every sentence of the interface specification, in our own words, with its evidence: a check of `npm run conformance`, or the decision that fills the gap. That command writes this page.',
    '',
    '| Line | Requirement | Evidence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
