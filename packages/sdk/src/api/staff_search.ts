// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { CallOptions } from '../settings.ts'
import type { Searched } from './searched.ts'

export interface StaffSearchPaymentsQuery {
  /**
   * An id, order id, email address, account number, payment code, amount or day, as a customer
   * reads it out. 1 to 255 characters.
   */
  q?: string
}

export interface StaffSearch {
  /**
   * Find payments by whatever a customer can read out. For staff. Needs the scope `staff:read`.
   * `GET /staff/search/`
   */
  payments: (query?: StaffSearchPaymentsQuery, options?: CallOptions) => Promise<Searched>
}
