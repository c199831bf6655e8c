import type { Line } from './lines.ts'

const HOW: Record<Line['how'], (by: string) => string> = {
  check: (by) => `\`${by}\``,
  gap: (by) => `gap, decided in [${by}](decisions.md#${by.toLowerCase()})`,
}

/** The page that says, line by line, what holds the specification. */
export function report(lines: readonly Line[]): string {
  const rows = lines.map(({ id, says, how, by }) => `| ${id} | ${says} | ${HOW[how](by)} |`)
  return [
    '# Conformance',
    '',
    'Every bullet and table row of the interface specification, in our own words, and what holds it: a check of `npm run conformance`, or the decision that fills the gap. This page is written by that command.',
    '',
    '| Line | What it says | Held by |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
