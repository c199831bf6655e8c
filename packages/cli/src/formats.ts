// How people in Jakarta read money and time: whole rupiah with dots, and the zone always written.
const TIME = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Jakarta',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** `2026-11-15 10:30:00 WIB`, or a dash. */
export const timeOf = (at: Date | string | null): string =>
  at === null ? '-' : `${TIME.format(typeof at === 'string' ? new Date(at) : at)} WIB`

/** `Rp 150.000` of `150000.00`; cents only where there are any. */
export function rupiah(decimal: string): string {
  const [whole = '0', cents = '00'] = decimal.split('.')
  const dotted = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return `Rp ${dotted}${/^0*$/.test(cents) ? '' : `,${cents}`}`
}

const SPANS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** `3 min`: a span in the largest unit that fits. */
export function span(ms: number): string {
  const [length, unit] = SPANS.find(([one]) => Math.abs(ms) >= one) ?? [1, 'ms']
  return `${Math.round(ms / length)} ${unit}`
}
