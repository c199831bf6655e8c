/** Rupiah in hundredths. The gateway has one currency with two decimals, so a bigint is exact. */
export type Money = bigint

/** 9,999,999,999,999.99: the maximum of `numeric(15,2)`, and still exact in a JSON number. */
export const MONEY_MAX: Money = 999_999_999_999_999n

const DECIMAL = /^(-?)(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/

/**
 * An amount from outside, or undefined. Exponents, more than two decimals, leading zeros, spaces,
 * and JSON numbers that may have lost a digit are refused rather than rounded.
 */
export function parseMoney(input: unknown): Money | undefined {
  // String() writes an exponent or further digits for whatever cannot be an exact amount.
  if (typeof input === 'number') return parseMoney(String(input))
  if (typeof input !== 'string') return undefined
  const match = DECIMAL.exec(input)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const hundredths = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'))
  if (sign === '-' && hundredths === 0n) return undefined
  return sign === '-' ? -hundredths : hundredths
}

/** Exactly two decimals, the inverse of parseMoney: the form of every amount we send out. */
export function formatMoney(amount: Money): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The gateway takes whole rupiah only (api-rules.md#amounts); a fraction has no such form. */
export function toWholeRupiah(amount: Money): number | undefined {
  return amount % 100n === 0n ? Number(amount / 100n) : undefined
}

export const sumMoney = (amounts: Iterable<Money>): Money => {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return sum
}
