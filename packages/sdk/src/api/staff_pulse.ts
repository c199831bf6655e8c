// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { CallOptions } from '../settings.ts'
import type { Pulse } from './pulse.ts'

export interface StaffPulse {
  /**
   * Read when something last happened, to know whether to ask for more. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/pulse/`
   */
  get: (options?: CallOptions) => Promise<Pulse>
}
