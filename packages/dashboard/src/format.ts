// Money, times and numbers as people in Indonesia write them, in either language.
import type { Language } from './language.ts'

const LOCALES: Record<Language, string> = { en: 'en-GB', id: 'id-ID' }
const GROUPED = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 })

/** `Rp 150.000`, or `Rp 150.000,50` with hundredths; from the decimal text, never a float. */
export function rupiah(amount: string): string {
  const [whole = '0', fraction = '00'] = amount.replace('-', '').split('.')
  const sign = amount.startsWith('-') ? '−' : ''
  const cents = fraction === '00' ? '' : `,${fraction}`
  return `${sign}Rp\u00a0${GROUPED.format(BigInt(whole))}${cents}`
}

/** The difference of two amounts, in hundredths, never a float. */
export function minus(amount: string, less: string): string {
  const hundredths = (text: string): bigint => BigInt(text.replace('.', ''))
  const left = hundredths(amount) - hundredths(less)
  const digits = String(left < 0n ? -left : left).padStart(3, '0')
  return `${left < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const compact = (locale: string) =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const COMPACT: Record<Language, Intl.NumberFormat> = { en: compact('en-US'), id: compact('id-ID') }

/** A short amount for chart axes: `Rp 1,5 jt`. */
export const shortRupiah = (language: Language, amount: number): string =>
  `Rp\u00a0${COMPACT[language].format(amount)}`

const perLanguage = <Format>(make: (locale: string) => Format): Record<Language, Format> => ({
  en: make(LOCALES.en),
  id: make(LOCALES.id),
})

const ZONE = { timeZone: 'Asia/Jakarta' } as const
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

// Creating a formatter costs more than a hundred uses of it.
const TIMES = perLanguage((at) => new Intl.DateTimeFormat(at, { ...ZONE, ...DATE, ...CLOCK }))
const SECONDS = perLanguage(
  (at) => new Intl.DateTimeFormat(at, { ...ZONE, ...DATE, ...CLOCK, second: '2-digit' }),
)
const DAYS = perLanguage((at) => new Intl.DateTimeFormat(at, { ...ZONE, ...DATE }))
const NUMBERS = perLanguage((at) => new Intl.NumberFormat(at))
const SHARES = perLanguage(
  (at) => new Intl.NumberFormat(at, { style: 'percent', maximumFractionDigits: 1 }),
)
const AWAY = perLanguage((at) => new Intl.RelativeTimeFormat(at, { numeric: 'auto' }))

/** A time in Jakarta, with its zone. */
export const timeText = (language: Language, at: string | number): string =>
  `${TIMES[language].format(new Date(at))} WIB`

export const secondText = (language: Language, at: string): string =>
  `${SECONDS[language].format(new Date(at))} WIB`

/** A calendar day, `2026-11-15`. */
export const dayText = (language: Language, day: string): string =>
  // A day stays on one line.
  DAYS[language].format(new Date(`${day}T12:00:00+07:00`)).replaceAll(' ', '\u00A0')

export const numberText = (language: Language, value: number): string =>
  NUMBERS[language].format(value)

const PERCENTS = perLanguage((at) => new Intl.NumberFormat(at, { maximumFractionDigits: 4 }))

/** A percentage that is given as a decimal text: `2,9%`. */
export const percentText = (language: Language, percent: string): string =>
  `${PERCENTS[language].format(Number(percent))}%`

export const shareText = (language: Language, part: number, whole: number): string =>
  whole === 0 ? '–' : SHARES[language].format(part / whole)

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How far a moment is from now, in its largest unit. */
export function awayText(language: Language, at: string): string {
  const away_s = (new Date(at).getTime() - Date.now()) / 1_000
  const [unit, length] = UNITS.find(([, s]) => Math.abs(away_s) >= s) ?? (['second', 1] as const)
  return AWAY[language].format(Math.round(away_s / length), unit)
}

const SPANS = [
  [{ en: 'd', id: 'hari' }, 86_400],
  [{ en: 'h', id: 'jam' }, 3_600],
  [{ en: 'min', id: 'mnt' }, 60],
  [{ en: 's', id: 'dtk' }, 1],
] as const

/** A span in its two largest units: `3 min 20 s`, `2 h 5 min`, `40 mnt`. */
export function spanText(language: Language, seconds: number): string {
  const whole = Math.round(seconds)
  const first = SPANS.findIndex(([, length]) => whole >= length)
  if (first === -1) return language === 'en' ? '0 s' : '0 dtk'
  let left = whole
  const parts = SPANS.slice(first, first + 2).map(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? '' : `${count}\u00a0${unit[language]}`
  })
  return parts.filter((part) => part !== '').join(' ')
}

/** Digits in groups of four, as on a bank slip: easier to read aloud. */
export const grouped = (digits: string): string => digits.replace(/(.{4})(?=.)/g, '$1 ')

const DAY_MS = 86_400_000

/** The day it is in Jakarta, some days from now. */
export const jakartaDay = (days = 0): string =>
  new Date(Date.now() + 7 * 3_600_000 + days * DAY_MS).toISOString().slice(0, 10)

/** A moment as the clock in Jakarta shows it, without seconds: `2026-11-15T10:30`. */
export const jakartaClock = (at: number): string =>
  new Date(at + 7 * 3_600_000).toISOString().slice(0, 16)

/** The moment at which the clock in Jakarta shows this. */
export const jakartaTime = (clock: string): string => new Date(`${clock}+07:00`).toISOString()

/** The first moment of a Jakarta day, some days on, as the interface takes it. */
export const startOfDay = (day: string, days = 0): string =>
  new Date(new Date(`${day}T00:00:00+07:00`).getTime() + days * DAY_MS).toISOString()
