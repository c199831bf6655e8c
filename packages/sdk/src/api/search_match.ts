// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { StaffPaymentSummary } from './staff_payment_summary.ts'
import type { SearchMatchKind } from './unions.ts'

export interface SearchMatch {
  kind: SearchMatchKind
  value: string
  results: StaffPaymentSummary[]
  more: boolean
}
