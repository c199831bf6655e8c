// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions } from '../settings.ts'
import type { StaffKey } from './staff_key.ts'

export interface StaffKeyListQuery {
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
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
