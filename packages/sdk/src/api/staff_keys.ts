// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions } from '../settings.ts'
import type { StaffKey } from './staff_key.ts'

export interface StaffKeyListQuery {
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface StaffKeys {
  /**
   * List every owner's API keys; the keys themselves are not kept. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/keys/`
   */
  list: (query?: StaffKeyListQuery, options?: CallOptions) => Pages<StaffKey>
}
