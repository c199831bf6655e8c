// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { CallOptions } from '../settings.ts'
import type { Overview } from './overview.ts'

export interface StaffOverviewGetQuery {
  /**
   * The first day in Jakarta, as 2026-01-31; 30 days in all by default. Fits
   * `^\d{4}-\d{2}-\d{2}$`.
   */
  from?: string
  /** The last day in Jakarta, as 2026-01-31; today by default. Fits `^\d{4}-\d{2}-\d{2}$`. */
  until?: string
}

export interface StaffOverview {
  /**
   * Read what came in, what went back and how payers fared, over days in Jakarta. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/overview/`
   */
  get: (query?: StaffOverviewGetQuery, options?: CallOptions) => Promise<Overview>
}
