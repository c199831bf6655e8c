/** Whole rupiah as core API replies print them. */
export const rupiah = (amount: number): string => `${amount}.00`
