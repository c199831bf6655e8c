// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { HandInput } from './hand_input.ts'
import type { Operation } from './operation.ts'
import type { Resolved } from './resolved.ts'

export interface StaffOperationListQuery {
  /**
   * All operations about this object, instead of the open ones. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subject_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffOperations {
  /**
   * List operations without a known outcome, or all about one object. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/operations/`
   */
  list: (query?: StaffOperationListQuery, options?: CallOptions) => Pages<Operation>

  /**
   * End an operation by hand; the gateway's word goes before. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/operations/{pk}/resolve/`
   */
  resolve: (id: Uuid, input: HandInput, options?: WriteOptions) => Promise<Resolved>
}
