import { Type } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { PAYMENT_STATUSES } from '../../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { PAGE_SIZE_MAX } from '../../store/keyset.ts'
import type { PaymentFilters } from '../../store/payment_lists.ts'
import { refuseFaults, requestParser } from '../validation.ts'

const PAGE_SIZE_DEFAULT = 20

const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/**
 * What a list of payments can be asked (Spec 4.2, D-10, D-33). Closed: a misspelt filter would
 * otherwise answer with everything.
 */
export const PAYMENT_QUERY = Type.Object(
  {
    payment_type: maybe(Type.Enum([...PAYMENT_TYPES])),
    status: maybe(Type.Enum([...PAYMENT_STATUSES])),
    order_id: maybe(text(100)),
    customer_email: maybe(text(255)),
    created_from: maybe(text(40)),
    created_before: maybe(text(40)),
    page_size: maybe(Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,3}$' })])),
    cursor: maybe(text(200)),
  },
  { additionalProperties: false },
)

const parseQuery = requestParser(PAYMENT_QUERY)

/** The filters of a query, its page size and its cursor as it came; every fault at once. */
export function parsePaymentQuery(input: unknown) {
  const { payment_type, status, order_id, customer_email, ...rest } = parseQuery(input)
  const page_size = Number(rest.page_size ?? PAGE_SIZE_DEFAULT)
  const created_from = timeOf(rest.created_from)
  const created_before = timeOf(rest.created_before)
  refuseFaults([
    ...timeFaults('created_from', rest.created_from, created_from),
    ...timeFaults('created_before', rest.created_before, created_before),
    ...(page_size < 1 || page_size > PAGE_SIZE_MAX
      ? [{ field: 'page_size', message: `1 to ${PAGE_SIZE_MAX}` }]
      : []),
  ])
  const filters: PaymentFilters = {
    ...(payment_type && { payment_type }),
    ...(status && { transaction_status: status }),
    ...(order_id && { order_id }),
    ...(customer_email && { customer_email }),
    ...(created_from && { created_from }),
    ...(created_before && { created_before }),
  }
  return { filters, page_size, cursor: rest.cursor ?? null }
}

/** ISO 8601 with its zone (D-26); a bare date would mean another day to each reader. */
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

function timeOf(value: string | undefined): Date | undefined {
  if (value === undefined || !ZONED.test(value)) return undefined
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time
}

const timeFaults = (field: string, given: string | undefined, time?: Date): FieldFault[] =>
  given === undefined || time !== undefined
    ? []
    : [{ field, message: 'ISO 8601 with a zone, as 2026-01-31T00:00:00Z' }]
