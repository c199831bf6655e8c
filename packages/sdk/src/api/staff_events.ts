// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { DeadEvent } from './dead_event.ts'
import type { ReleaseInput } from './release_input.ts'
import type { ReleasedEvent } from './released_event.ts'

export interface StaffEventListQuery {
  /** Only events that this subscriber failed at. 1 to 100 characters. */
  subscriber?: string
  /** Only events about this object. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffEvents {
  /**
   * List events that subscribers failed at. For staff. Needs the scope `staff:read`.
   * `GET /staff/events/`
   */
  list: (query?: StaffEventListQuery, options?: CallOptions) => Pages<DeadEvent>

  /**
   * Have a dead event told again. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/retry/`
   */
  retry: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>

  /**
   * Pass a dead event over for good. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/skip/`
   */
  skip: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>
}
