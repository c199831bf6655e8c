const LONG_NUMBER = /\d{16}/

/**
 * JSON text to a value, or nothing for what is not JSON. Integers too large for a number become
 * their digits: the gateway's `refund_chargeback_id` outgrew 2^53, and a rounded id finds nothing.
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
