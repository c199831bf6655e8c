// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { CallOptions } from '../settings.ts'
import type { StaffHealthReport } from './staff_health_report.ts'

export interface StaffHealth {
  /**
   * Read what waits, since when, and who works on it. For staff. Needs the scope `staff:read`.
   * `GET /staff/health/`
   */
  get: (options?: CallOptions) => Promise<StaffHealthReport>
}
