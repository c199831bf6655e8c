/** Whole rupiah as core API replies print them. */
export const rupiah = (amount: number): string => `${amount}.00`

/** Whole rupiah from a number or a digit string; subscriptions and invoices use both. */
export function parseAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0
    ? amount
    : undefined
}
