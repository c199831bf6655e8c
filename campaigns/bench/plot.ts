// Draws acknowledged requests over time with the faults marked, for the documents.
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CampaignArguments } from './arguments.ts'
import type { InjectedFault } from './killing.ts'

interface Timeline {
  acknowledged_at: readonly number[]
  injected: readonly (Pick<InjectedFault, 'at_ms' | 'who'> & { how: string })[]
}

const WIDTH = 900
const HEIGHT = 260
const LEFT = 50
const BOTTOM = 40
const TOP = 30
/** Around the first fault: normal operation, the fault, recovery. */
const BEFORE_MS = 5_000
const WINDOW_MS = 30_000
const BIN_MS = 250

/** Writes the window around the first fault to `GAPURA_CAMPAIGN_PLOTS`. */
export async function drawTimeline(
  { seed }: CampaignArguments,
  name: string,
  { acknowledged_at, injected }: Timeline,
): Promise<string> {
  const first = injected[0]?.at_ms ?? 0
  const from = Math.max(0, first - BEFORE_MS)
  const picture = draw(`Acknowledged requests a second, campaign ${name}, seed ${seed}`, {
    acknowledged_at: acknowledged_at.map((at) => at - from),
    injected: injected.map(({ at_ms, ...one }) => ({ ...one, at_ms: at_ms - from })),
  })
  const folder = process.env['GAPURA_CAMPAIGN_PLOTS'] ?? path.join(tmpdir(), 'gapura-campaigns')
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `campaign-${name}.svg`)
  await writeFile(file, picture)
  return file
}

/** The picture: bars of a quarter second, a line for each fault in the window. */
export function draw(title: string, { acknowledged_at, injected }: Timeline): string {
  const bins = Array<number>(WINDOW_MS / BIN_MS).fill(0)
  for (const at of acknowledged_at) {
    const bin = Math.floor(at / BIN_MS)
    if (at >= 0 && bin < bins.length) bins[bin] = (bins[bin] ?? 0) + 1
  }
  const rates = bins.map((count) => (count * 1_000) / BIN_MS)
  const top = Math.max(10, ...rates)
  const across = (ms: number): number => LEFT + (ms / WINDOW_MS) * (WIDTH - LEFT - 10)
  const up = (rate: number): number => HEIGHT - BOTTOM - (rate / top) * (HEIGHT - BOTTOM - TOP)
  const bars = rates.map((rate, bin) => {
    const x = across(bin * BIN_MS).toFixed(1)
    const width = (across(BIN_MS) - across(0) - 1).toFixed(1)
    const height = (up(0) - up(rate)).toFixed(1)
    return `<rect x="${x}" y="${up(rate).toFixed(1)}" width="${width}" height="${height}" fill="#2b6cb0"/>`
  })
  const marks = injected
    .filter(({ at_ms }) => at_ms >= 0 && at_ms < WINDOW_MS)
    .map(({ at_ms, who, how }) => {
      const x = across(at_ms).toFixed(1)
      const line = `<line x1="${x}" y1="${TOP}" x2="${x}" y2="${up(0)}" stroke="#c53030" stroke-width="1.5"/>`
      return `${line}<title>${how} of ${who}</title>`
    })
    .map((mark) => `<g>${mark}</g>`)
  const ticks = Array.from({ length: WINDOW_MS / 5_000 + 1 }, (_, at) => at * 5_000).map(
    (ms) =>
      `<text x="${across(ms).toFixed(1)}" y="${HEIGHT - 18}" text-anchor="middle">${ms / 1_000} s</text>`,
  )
  const levels = [0, top / 2, top].map(
    (rate) =>
      `<text x="${LEFT - 6}" y="${(up(rate) + 4).toFixed(1)}" text-anchor="end">${Math.round(rate)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="18" font-size="14">${title}</text>`,
    `<text x="${WIDTH - 10}" y="18" text-anchor="end" fill="#c53030">red: a fault was injected</text>`,
    ...bars,
    ...marks,
    ...ticks,
    ...levels,
    '</svg>\n',
  ].join('\n')
}
