// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { StaffPaymentSummary } from './staff_payment_summary.ts'
import type { SearchMatchKind } from './unions.ts'

export interface SearchMatch {
  /** Which property of a payment the term was read as. */
  kind: SearchMatchKind
  /** The term as that property writes it. */
  value: string
  /** The first payments that match. */
  results: StaffPaymentSummary[]
  /** Whether more payments match than are shown. */
  more: boolean
}
