import { Type } from 'typebox'
import type { FieldFault } from '../domain/charge_rules.ts'
import { PAGE_SIZE_MAX } from '../store/sql/lists.ts'

const PAGE_SIZE_DEFAULT = 20

/** What every list can be asked besides its filters (api-rules.md#lists). */
export const PAGE_QUERY = {
  page_size: Type.Optional(Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,3}$' })])),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

interface Paged {
  page_size?: number | string
  cursor?: string
}

/** The page a query asks for, and what is wrong with it. */
export function pageAsked({ page_size: given, cursor }: Paged) {
  const page_size = Number(given ?? PAGE_SIZE_DEFAULT)
  const faults: FieldFault[] =
    page_size < 1 || page_size > PAGE_SIZE_MAX
      ? [{ field: 'page_size', message: `1 to ${PAGE_SIZE_MAX}` }]
      : []
  return { page_size, cursor: cursor ?? null, faults }
}
