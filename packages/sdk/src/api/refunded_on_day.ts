// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money } from '../values.ts'

export interface RefundedOnDay {
  day: string
  count: number
  amount: Money
}
