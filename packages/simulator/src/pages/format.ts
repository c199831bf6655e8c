import { HOUR_MS, DAY_MS, MINUTE_MS, SECOND_MS } from '../wire/times.ts'
import { html, type Html } from './html.ts'
import type { Language } from './language.ts'

const LOCALES: Record<Language, string> = { en: 'en-GB', id: 'id-ID' }

const GROUPED = new Intl.NumberFormat('id-ID')

/** Whole rupiah as people in Indonesia write them, in either language. */
export const rupiahText = (amount: number): string => `Rp\u00a0${GROUPED.format(amount)}`

const formatOf = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'Asia/Jakarta',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })

// Creating a formatter costs more than a hundred uses of it.
const TIMES: Record<Language, Intl.DateTimeFormat> = { en: formatOf('en'), id: formatOf('id') }

/** A time in Jakarta, with its zone. */
export const timeText = (language: Language, at: number): string =>
  `${TIMES[language].format(at)} WIB`

export const timeTag = (language: Language, at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${timeText(language, at)}</time>`

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

const awayFormat = (language: Language): Intl.RelativeTimeFormat =>
  new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'always', style: 'long' })

const AWAY: Record<Language, Intl.RelativeTimeFormat> = {
  en: awayFormat('en'),
  id: awayFormat('id'),
}

/** How far a time is from now, in its largest unit: "in 14 minutes", "2 jam yang lalu". */
export function awayText(language: Language, at: number, now: number): string {
  const away = at - now
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(away) >= ms) ?? ['second', SECOND_MS]
  return AWAY[language].format(Math.trunc(away / length), unit)
}

const UNGROUPED_MAX = 6

/** Digits in groups of four, as on a bank slip: easier to read aloud and to type. */
export const grouped = (digits: string): string =>
  digits.length <= UNGROUPED_MAX ? digits : digits.replace(/(.{4})(?=.)/g, '$1 ')
