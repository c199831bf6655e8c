// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { HandInput } from './hand_input.ts'
import type { Operation } from './operation.ts'
import type { Resolved } from './resolved.ts'

export interface StaffOperationListQuery {
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subject_id?: string
  page_size?: number
  /** 1 to 200 characters. */
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
