// The effect of a flood on honest callers: windows with and without it in turn, so that other load
// of the machine falls on both, and the median of each kind.
import { setTimeout as sleep } from 'node:timers/promises'
import { progress, type Figure } from '../bench/report.ts'
import type { GoodTraffic, Waited } from './good_traffic.ts'
import type { Line } from './lines.ts'
import type { Shooter } from './shooter.ts'
import type { HostileStats } from './target.ts'

/** Inputs a second: more than ten shops send, and within what one machine can make. */
export const FLOOD_RATE = 200
const SLOWER_MAX = 2
const LOOP_P99_MS_MAX = 50

export interface BesideOrder {
  good: GoodTraffic
  shooter: Shooter
  lines: readonly Line[]
  stats: () => Promise<HostileStats[]>
  windows: number
  window_ms: number
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

const summed = (all: readonly Waited[]): string => {
  const [p50, p99] = [median(all.map((one) => one.p50_ms)), median(all.map((one) => one.p99_ms))]
  const count = all.reduce((total, one) => total + one.count, 0)
  return `${p50.toFixed(0)} and ${p99.toFixed(0)} ms of ${count}`
}

export async function runBeside(order: BesideOrder) {
  const { good, shooter, lines, stats, windows, window_ms } = order
  const quiet: Waited[] = []
  const beside: Waited[] = []
  const loops: Record<'quiet' | 'beside', HostileStats[]> = { quiet: [], beside: [] }
  const look = async (): Promise<HostileStats[]> => (await stats()).slice(0, 1)
  for (let at = 0; at < windows; at++) {
    // The first moments still show the window before.
    await sleep(500)
    good.take()
    await look()
    await sleep(window_ms)
    quiet.push(good.take())
    loops.quiet.push(...(await look()))
    const flood = shooter.paced(lines, { rate: FLOOD_RATE, ms: window_ms + 500 })
    await sleep(500)
    good.take()
    await look()
    await sleep(window_ms)
    beside.push(good.take())
    loops.beside.push(...(await look()))
    await flood
    progress(`window ${at + 1} of ${windows}: quiet ${last(quiet)}, beside ${last(beside)}`)
  }
  const figures = figuresOf(order, { quiet, beside, loops })
  return { figures, failed: [...quiet, ...beside].flatMap((one) => one.failed) }
}

interface Windows {
  quiet: readonly Waited[]
  beside: readonly Waited[]
  loops: Record<'quiet' | 'beside', readonly HostileStats[]>
}

function figuresOf(
  { windows, window_ms }: BesideOrder,
  { quiet, beside, loops }: Windows,
): Figure[] {
  const [calm, flooded] = [median(quiet.map(p99)), median(beside.map(p99))]
  const late = (all: readonly HostileStats[]): number => median(all.map((one) => one.loop_p99_ms))
  const work = (all: readonly HostileStats[]): number => median(all.map((one) => one.worked_p99_ms))
  const held = late(loops.beside)
  return [
    {
      what: `honest callers, p50 and p99, medians of ${windows} windows of ${window_ms / 1_000} s by turns`,
      measured: `quiet ${summed(quiet)}, beside ${FLOOD_RATE} hostile inputs a second ${summed(beside)}`,
      goal: `p99 ≤ ${SLOWER_MAX} times`,
      timed: true,
      missed: flooded > calm * SLOWER_MAX,
    },
    {
      what: 'event loop late in the same windows, by whatever, median of their p99',
      measured: `quiet ${late(loops.quiet).toFixed(0)} ms, beside ${held.toFixed(0)} ms`,
      goal: `≤ ${LOOP_P99_MS_MAX} ms`,
      timed: true,
      missed: held > LOOP_P99_MS_MAX,
    },
    {
      what: 'of that by its own work, in processor time of its thread',
      measured: `quiet ${work(loops.quiet).toFixed(0)} ms, beside ${work(loops.beside).toFixed(0)} ms`,
      goal: `≤ ${LOOP_P99_MS_MAX} ms`,
      timed: true,
      missed: work(loops.beside) > LOOP_P99_MS_MAX,
    },
  ]
}

const p99 = ({ p99_ms }: Waited): number => p99_ms
const last = (all: readonly Waited[]): string => `p99 ${(all.at(-1)?.p99_ms ?? 0).toFixed(0)} ms`
