// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money } from '../values.ts'

export interface RefundedOnDay {
  /** The day in Jakarta, as 2026-01-31. */
  day: string
  /** How many refunds were made. */
  count: number
  /** Their sum, in rupiah with two decimals. */
  amount: Money
}
