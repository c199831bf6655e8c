// The shapes of our pictures. They have a light background of their own, so that they look the same
// on a light and on a dark page.

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const INK = '#22262e'
export const ACCENT = '#9c4320'
const QUIET = '#8b8178'
const SOFT = '#f3e9e2'

interface Size {
  width: number
  height: number
  title: string
}

export const picture = ({ width, height, title }: Size, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
<title>${escapeHtml(title)}</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="${ACCENT}"/></marker></defs>
<rect width="${width}" height="${height}" rx="10" fill="#fdfcfb"/>
${parts.join('\n')}
</svg>
`

interface Box {
  x: number
  y: number
  width: number
  height: number
  lines: readonly string[]
  quiet?: boolean
}

/** The first line is the name, the others are details. */
export function box({ x, y, width, height, lines, quiet = false }: Box): string {
  const top = y + height / 2 - (lines.length - 1) * 8.5 + 4.5
  const text = lines.map((line, index) => {
    const weight = index === 0 ? ' font-weight="600"' : ` fill="#5b6370" font-size="12"`
    return `<text x="${x + width / 2}" y="${top + index * 17}" text-anchor="middle"${weight}>${escapeHtml(line)}</text>`
  })
  const look = quiet
    ? `fill="none" stroke="${QUIET}" stroke-dasharray="4 3"`
    : `fill="${SOFT}" stroke="${QUIET}"`
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" ${look}/>${text.join('')}`
}

interface Arrow {
  points: readonly (readonly [number, number])[]
  text?: string
  /** Position of the text; by default above the middle of a straight arrow. */
  at?: readonly [number, number]
  dashed?: boolean
}

export function arrow({ points, text, at, dashed = false }: Arrow): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const [x1, y1] = points[0] ?? [0, 0]
  const [x2, y2] = points.at(-1) ?? [0, 0]
  const [x, y] = at ?? [(x1 + x2) / 2, (y1 + y2) / 2 - 6]
  const words =
    text === undefined
      ? ''
      : `<text x="${x}" y="${y}" text-anchor="middle" font-size="12">${escapeHtml(text)}</text>`
  return `<path d="${path}" fill="none" stroke="${ACCENT}" stroke-width="1.4"${dashed ? ' stroke-dasharray="5 4"' : ''} marker-end="url(#tip)"/>${words}`
}

export type Step =
  | { from: number; to: number; text: string; dashed?: boolean }
  | { over: number; lines: readonly string[] }

const ACTOR_WIDTH = 205
const SIDE = 105
const TOP = 64

/** A sequence diagram: messages between actors, from top to bottom. */
export function sequence(title: string, actors: readonly string[], steps: readonly Step[]): string {
  const xOf = (actor: number): number => SIDE + actor * ACTOR_WIDTH
  const parts: string[] = []
  let y = TOP + 30
  for (const step of steps) {
    if ('over' in step) {
      const height = 14 + step.lines.length * 17
      const x = xOf(step.over) - 92
      parts.push(box({ x, y: y - 12, width: 184, height, lines: step.lines }))
      y += height + 16
    } else {
      const { from, to, text, dashed = false } = step
      const inset = from < to ? 2 : -2
      const points = [
        [xOf(from) + inset, y],
        [xOf(to) - inset, y],
      ] as const
      parts.push(arrow({ points, text, dashed }))
      y += 36
    }
  }
  const heads = actors.map((name, index) => {
    const x = xOf(index)
    const line = `<path d="M${x} ${TOP - 10}V${y - 8}" stroke="${QUIET}" stroke-dasharray="2 4"/>`
    return `${line}${box({ x: x - 80, y: 16, width: 160, height: 34, lines: [name] })}`
  })
  const width = SIDE * 2 + (actors.length - 1) * ACTOR_WIDTH
  return picture({ width, height: y + 4, title }, [...heads, ...parts])
}
