/** A JSON object from outside: each reader below returns undefined for a value of another type. */
export type Fields = Record<string, unknown>

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The nested object, or an empty one, so that readers can be chained. */
export function fieldsAt(from: Fields, key: string): Fields {
  const value = from[key]
  return isFields(value) ? value : {}
}

/** The string of that name. */
export function textAt(from: Fields, key: string): string | undefined {
  const value = from[key]
  return typeof value === 'string' ? value : undefined
}

/** The whole number of that name; a decimal or a digit string is none. */
export function integerAt(from: Fields, key: string): number | undefined {
  const value = from[key]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/** The boolean of that name; the word "true" is none. */
export function flagAt(from: Fields, key: string): boolean | undefined {
  const value = from[key]
  return typeof value === 'boolean' ? value : undefined
}

/** The list of that name, or an empty one. */
export function listAt(from: Fields, key: string): unknown[] {
  const value = from[key]
  return Array.isArray(value) ? value : []
}

/** The parsed text, or nothing when it is no JSON object. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a key was sent at all; null counts as absent, as the gateway omits null fields. */
export const has = (from: Fields, key: string): boolean =>
  from[key] !== undefined && from[key] !== null
