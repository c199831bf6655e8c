// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { PaymentType } from './unions.ts'

export interface MethodFigures {
  payment_type: PaymentType
  created: number
  paid: number
  open: number
  median_s: number | null
  slow_s: number | null
}
