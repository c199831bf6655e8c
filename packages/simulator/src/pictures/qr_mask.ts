import type { Grid, Modules } from './qr_grid.ts'

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Every mask is tried; the code that confuses a reader least is kept. */
export function chooseMask(grid: Grid): Modules {
  let best: { modules: boolean[][]; penalty: number } | undefined
  for (const [mask, flips] of MASKS.entries()) {
    grid.drawFormat(mask)
    const modules = grid.dark.map((row, y) =>
      row.map((dark, x) => (grid.fixed[y]?.[x] === true ? dark : dark !== flips(x, y))),
    )
    const penalty = penaltyOf(modules)
    if (!best || penalty < best.penalty) best = { modules, penalty }
  }
  return best?.modules ?? []
}

function penaltyOf(modules: boolean[][]): number {
  const columns = modules.map((_, x) => modules.map((row) => row[x] ?? false))
  const lines = [...modules, ...columns].map(linePenalty).reduce((sum, one) => sum + one, 0)
  return lines + blockPenalty(modules) + balancePenalty(modules)
}

/** Long runs of one colour, and whatever looks like a finder with white beside it. */
function linePenalty(line: boolean[]): number {
  const text = line.map((dark) => (dark ? '1' : '0')).join('')
  const runs = (text.match(/1{5,}|0{5,}/g) ?? []).map((run) => run.length - 2)
  return runs.reduce((sum, one) => sum + one, 0) + 40 * finderLikes(text)
}

/** Runs of 1:1:3:1:1 with four light ones before or after; what lies outside the code is light. */
function finderLikes(text: string): number {
  const outside = '0'.repeat(text.length)
  const runs = (`${outside}${text}${outside}`.match(/1+|0+/g) ?? []).map((run) => run.length)
  let found = 0
  for (let at = 1; at + 5 < runs.length; at += 2) {
    const unit = runs[at] ?? 0
    const like =
      runs[at + 1] === unit &&
      runs[at + 2] === 3 * unit &&
      runs[at + 3] === unit &&
      runs[at + 4] === unit
    if (!like) continue
    const before = runs[at - 1] ?? 0
    const after = runs[at + 5] ?? 0
    if (before >= 4 * unit && after >= unit) found += 1
    if (after >= 4 * unit && before >= unit) found += 1
  }
  return found
}

function blockPenalty(modules: boolean[][]): number {
  let blocks = 0
  for (const [y, row] of modules.slice(1).entries()) {
    const above = modules[y] ?? []
    for (let x = 1; x < row.length; x += 1) {
      const colour = row[x]
      if (row[x - 1] === colour && above[x] === colour && above[x - 1] === colour) blocks += 1
    }
  }
  return 3 * blocks
}

/** Ten for every twentieth that the dark share is away from a half. */
function balancePenalty(modules: boolean[][]): number {
  const total = modules.length ** 2
  const dark = modules.flat().filter(Boolean).length
  return 10 * (Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1)
}
