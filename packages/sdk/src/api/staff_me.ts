// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { CallOptions } from '../settings.ts'
import type { StaffIdentity } from './staff_identity.ts'

export interface StaffMe {
  /**
   * Read whom this key or session belongs to. For staff.
   * `GET /staff/me/`
   */
  get: (options?: CallOptions) => Promise<StaffIdentity>
}
