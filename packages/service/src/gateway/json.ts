/** Where a number can begin: digits inside a string do not match. */
const LONG_NUMBER = /(?:^|[:[,\s])-?\d{16}/

/**
 * Parses JSON; undefined if it is not JSON. Integers too large for a number become strings: the
 * gateway's `refund_chargeback_id` exceeded 2^53, and a rounded id finds nothing.
 */
export function parseJson(text: string): unknown {
  try {
    // The reviver costs several times the plain parse, and hardly any reply needs it.
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? source : value
}

/** No answer of the gateway is a third as deep; deeper values could overflow the stack. */
const DEPTH_MAX = 32
/** What a string can hold only by an escape, and a table not at all: NUL and lone surrogates. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/**
 * Parses an answer of the gateway; undefined if it is not JSON or nested too deeply. What no table
 * can store is replaced: the charge it reports was made and must be recorded.
 */
export function parseAnswer(text: string): unknown {
  const value = parseJson(text)
  if (depthOf(value) > DEPTH_MAX) return undefined
  return UNSTORABLE_ESCAPE.test(text) ? storable(value) : value
}

/** Stops counting one past the most. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return depth
  let deepest = depth + 1
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, depth + 1))
  return deepest
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storable)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [storable(name), storable(inner)]),
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
