import { headerOf, type Call } from '../http/call.ts'

export type Language = 'en' | 'id'

const COOKIE = 'simulator_language'
const YEAR_SECONDS = 31_536_000

const isLanguage = (text: string | null | undefined): text is Language =>
  text === 'en' || text === 'id'

/** The switch in the address, else the choice kept in the cookie, else what the browser prefers. */
export function languageOf(call: Call): Language {
  const asked = call.query.get('lang')
  if (isLanguage(asked)) return asked
  const kept = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(headerOf(call, 'cookie') ?? '')?.[1]
  return isLanguage(kept) ? kept : preferred(headerOf(call, 'accept-language') ?? '')
}

/** Keeps a choice made in the address for the next pages. */
export function keepLanguage(call: Call): Record<string, string> {
  const asked = call.query.get('lang')
  if (!isLanguage(asked)) return {}
  return {
    'set-cookie': `${COOKIE}=${asked}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`,
  }
}

function preferred(header: string): Language {
  const wishes = header.split(',').map((wish) => {
    const [tag = '', quality] = wish.trim().split(/\s*;\s*q=/)
    return { language: tag.slice(0, 2).toLowerCase(), weight: Number(quality ?? 1) }
  })
  const [best] = wishes
    .filter(({ language, weight }) => isLanguage(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return isLanguage(best?.language) ? best.language : 'en'
}
