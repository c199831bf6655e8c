import type { Measured } from './cases.ts'

export type Rounds = Record<string, Measured[]>

/** A ratio of two cases of the same round, or a time, with its goal. */
export interface Goal {
  name: string
  wanted: string
  rounds: number[]
  median: number
  reached: boolean
}

export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? 0)) / 2
}

const GROUPED = 'service, grouped, 256 connections'

const RATIOS = [
  ['pgbench (a), 3 statements, 16 clients', 0.85],
  ['service, ungrouped, 256 connections', 2],
  ['plain Express + pg, 256 connections', 3],
] as const

const P99_MS_MAX = 35

export function goalsOf(rounds: Rounds): Goal[] {
  const ratios = RATIOS.map(([to, least]) =>
    goalOf({
      name: `${GROUPED} ÷ ${to}`,
      rounds: (rounds[GROUPED] ?? []).map(
        ({ per_second }, at) => per_second / (rounds[to]?.[at]?.per_second ?? 0),
      ),
      least,
    }),
  )
  const p99 = (rounds['service, grouped, 64 connections'] ?? []).map(({ p99_ms = 0 }) => p99_ms)
  const slowest = { name: 'p99 in ms at 64 connections', rounds: p99 }
  return [...ratios, goalOf({ ...slowest, most: P99_MS_MAX, unit: ' ms' })]
}

interface Wanted {
  name: string
  rounds: number[]
  most?: number
  least?: number
  unit?: string
}

/** One figure per round, with a bound on their median. */
export function goalOf({ name, rounds, most, least, unit = '' }: Wanted): Goal {
  const median = medianOf(rounds)
  const wanted = least === undefined ? `≤ ${most}${unit}` : `≥ ${least}${unit}`
  const reached = median >= (least ?? -Infinity) && median <= (most ?? Infinity)
  return { name, wanted, rounds, median, reached }
}

export const shown = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)

/** Goals and results. */
export const goalTable = (goals: readonly Goal[]): string =>
  [
    '| same round | wanted | median | each round | reached |',
    '|---|---|---|---|---|',
    ...goals.map(
      ({ name, wanted, rounds, median, reached }) =>
        `| ${name} | ${wanted} | ${shown(median)} | ${rounds.map(shown).join(', ')} | ${reached ? 'yes' : 'no'} |`,
    ),
  ].join('\n')

/** The tables of docs/performance.md for this run. */
export function tableOf(rounds: Rounds, goals: readonly Goal[] = goalsOf(rounds)): string {
  const lines = Object.entries(rounds).map(([name, runs]) => {
    const rates = runs.map(({ per_second }) => per_second)
    const p50 = medianOf(runs.flatMap(({ p50_ms = [] }) => p50_ms))
    const p99 = medianOf(runs.flatMap(({ p99_ms = [] }) => p99_ms))
    const times = p99 === 0 ? '– | –' : `${shown(p50)} | ${shown(p99)}`
    return `| ${name} | ${shown(medianOf(rates))} | ${rates.map(shown).join(', ')} | ${times} |`
  })
  return [
    '| case | per second, median | each round | p50 ms | p99 ms |',
    '|---|---|---|---|---|',
    ...lines,
    ...(goals.length === 0 ? [] : ['', goalTable(goals)]),
  ].join('\n')
}

const ROW = 34
const LEFT = 300
const WIDE = 520

/** A bar for the median of each case, a dot for each round. */
export function plotOf(rounds: Rounds): string {
  const entries = Object.entries(rounds)
  const most = Math.max(...entries.flatMap(([, runs]) => runs.map((run) => run.per_second)))
  const x = (rate: number): string => (LEFT + (rate / most) * WIDE).toFixed(1)
  const bars = entries.map(([name, runs], at) => {
    const y = 20 + at * ROW
    const median = medianOf(runs.map(({ per_second }) => per_second))
    const dots = runs.map(
      (run) => `<circle cx="${x(run.per_second)}" cy="${y + 9}" r="3" fill="#b3470d"/>`,
    )
    return [
      `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${name}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${(Number(x(median)) - LEFT).toFixed(1)}" height="18" fill="#4a7fb0"/>`,
      ...dots,
      `<text x="${LEFT + WIDE + 10}" y="${y + 13}">${shown(median)}/s</text>`,
    ].join('\n')
  })
  const height = 30 + entries.length * ROW
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDE + 90}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${bars.join('\n')}
</svg>
`
}
