import type { Client } from './client.ts'
import type { CampaignArguments } from './arguments.ts'

/** One figure of a campaign, with its goal where there is one. */
export interface Figure {
  what: string
  measured: string | number
  goal?: string
  /**
   * A figure that misses its goal is not a broken promise; it is printed, and the exit code is 1.
   */
  missed?: boolean
  /** A goal in seconds; the quick form does not count it, because its machines may be slow. */
  timed?: boolean
}

/** Prints progress. */
export const progress = (words: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${words}\n`)
}

export const seconds = (ms: number | null): string =>
  ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`

export const figuresOf = (client: Client): Figure[] => {
  const last = client.acknowledged_at.at(-1) ?? 1
  const answers = [...client.statuses].map(([status, times]) => `${status}: ${times}`)
  return [
    { what: 'requests sent', measured: client.sent },
    { what: 'requests acknowledged', measured: client.acknowledged_at.length },
    {
      what: 'acknowledged a second, faults included',
      measured: Math.round(client.acknowledged_at.length / (last / 1_000)),
    },
    {
      what: 'answers',
      measured: answers.toSorted((one, other) => one.localeCompare(other)).join(', '),
    },
    {
      what: 'requests never answered',
      measured: client.given_up,
      goal: '0',
      missed: client.given_up > 0,
    },
  ]
}

/** In flight at each fault; with fewer than one on average the campaign proved nothing. */
export function inFlightFigure(at_faults: readonly number[]): Figure {
  const sum = at_faults.reduce((total, count) => total + count, 0)
  const mean = at_faults.length === 0 ? 0 : sum / at_faults.length
  return {
    what: 'in flight at each fault, on average',
    measured: mean.toFixed(1),
    goal: '≥ 1',
    missed: mean < 1,
  }
}

interface Results {
  figures: readonly Figure[]
  faults: readonly string[]
  /** The history behind the faults. */
  stories?: readonly string[]
}

/** Prints the report and sets the exit code. */
export function report(
  name: string,
  { n, seed, quick }: CampaignArguments,
  { figures, faults, stories = [] }: Results,
): void {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`)
  say(`\ncampaign ${name}  n ${n}  seed ${seed}${quick ? '  quick' : ''}`)
  for (const { what, measured, goal, missed } of figures) {
    const wanted = goal === undefined ? '' : `  (${goal})${missed === true ? '  MISSED' : ''}`
    say(`  ${what}: ${measured}${wanted}`)
  }
  for (const fault of faults) say(`  BROKEN ${fault}`)
  for (const line of stories) say(`    ${line}`)
  const missed = figures.filter((figure) => figure.missed === true)
  say(`  ${faults.length} promises broken, ${missed.length} goals missed`)
  const counted = quick ? missed.filter(({ timed }) => timed !== true) : missed
  process.exitCode = faults.length + counted.length === 0 ? 0 : 1
}
