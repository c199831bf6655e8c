export interface Sample {
  at_s: number
  resident_mb: number
}

const WIDTH = 760
const HEIGHT = 240
const LEFT = 60
const BOTTOM = 210
const TOP = 30

/** Resident memory over time. */
export function curveOf(samples: readonly Sample[]): string {
  const end = samples.at(-1)?.at_s ?? 1
  const most = Math.max(...samples.map(({ resident_mb }) => resident_mb)) * 1.1
  const x = (at_s: number): number => LEFT + (at_s / end) * (WIDTH - LEFT - 20)
  const y = (mb: number): number => BOTTOM - (mb / most) * (BOTTOM - TOP)
  const points = samples.map(
    ({ at_s, resident_mb }) => `${x(at_s).toFixed(1)},${y(resident_mb).toFixed(1)}`,
  )
  const levels = [0, most / 2, most].map(
    (mb) =>
      `<text x="${LEFT - 8}" y="${(y(mb) + 4).toFixed(1)}" text-anchor="end">${mb.toFixed(0)} MB</text>`,
  )
  const times = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(share * end).toFixed(1)}" y="${BOTTOM + 18}" text-anchor="middle">${(share * end).toFixed(0)} s</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="18" font-size="14">Resident memory of the service under load</text>
<polyline points="${points.join(' ')}" fill="none" stroke="#4a7fb0" stroke-width="1.5"/>
${[...levels, ...times].join('\n')}
</svg>
`
}
