const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1000

/** `after` and `limit` of a list request. */
export function pageOf(query: URLSearchParams): { after: number; limit: number } {
  const limit = wholeNumber(query.get('limit')) ?? LIMIT_DEFAULT
  return { after: wholeNumber(query.get('after')) ?? 0, limit: Math.min(limit, LIMIT_MAX) }
}

/** The number, or nothing for what is none. */
export const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
