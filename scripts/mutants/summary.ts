// The results of a run as text: killed by file, and every mutant that survived.
import path from 'node:path'
import type { Stryker } from '@stryker-mutator/core'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

const DETECTED = new Set(['Killed', 'Timeout'])
const UNDETECTED = new Set(['Survived', 'NoCoverage'])
const REPLACEMENT_CHARS_MAX = 100

export interface Summary {
  lines: string[]
  killed_share: number
}

export function summaryOf(results: readonly MutantResult[], root: string): Summary {
  const counted = results.filter(({ status }) => DETECTED.has(status) || UNDETECTED.has(status))
  const survived = counted.filter(({ status }) => UNDETECTED.has(status))
  const killed_share = counted.length === 0 ? 0 : 1 - survived.length / counted.length
  const killed = counted.length - survived.length
  const left_out = results.length - counted.length
  return {
    lines: [
      ...[...Map.groupBy(counted, ({ fileName }) => fileName)].map(([file, mutants]) => {
        const found = mutants.filter(({ status }) => DETECTED.has(status)).length
        return `${found} of ${mutants.length} killed  ${path.relative(root, file)}`
      }),
      ...survived.map((mutant) => described(mutant, root)),
      `${killed} of ${counted.length} killed (${(killed_share * 100).toFixed(1)} %), ${left_out} left out`,
    ],
    killed_share,
  }
}

function described(mutant: MutantResult, root: string): string {
  const { fileName, location, mutatorName, replacement, status } = mutant
  const { line, column } = location.start
  const changed = replacement.replaceAll(/\s+/g, ' ').slice(0, REPLACEMENT_CHARS_MAX)
  return `${status} ${path.relative(root, fileName)}:${line}:${column} ${mutatorName} ${changed}`
}
