import { Type } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { PAYMENT_STATUSES } from '../../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { parseZonedTime } from '../../domain/time.ts'
import type { PaymentFilters } from '../../store/payments/lists.ts'
import { PAGE_QUERY, pageAsked } from '../page_query.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'

const maybe = Type.Optional
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/**
 * What a list of payments can be asked (api-rules.md#lists, api-rules.md#payments). Closed: a
 * misspelt filter would otherwise answer with everything.
 */
export const PAYMENT_QUERY = Type.Object(
  {
    payment_type: maybe(Type.Enum([...PAYMENT_TYPES])),
    status: maybe(Type.Enum([...PAYMENT_STATUSES])),
    order_id: maybe(text(100)),
    customer_email: maybe(text(255)),
    subscription_id: maybe(Type.String({ pattern: UUID })),
    created_from: maybe(text(40)),
    created_before: maybe(text(40)),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

const parseQuery = requestParser(PAYMENT_QUERY)

/** The filters of a query, its page size and its cursor as it came; every fault at once. */
export function parsePaymentQuery(input: unknown) {
  const { payment_type, status, order_id, customer_email, subscription_id, ...rest } =
    parseQuery(input)
  const { page_size, cursor, faults } = pageAsked(rest)
  const created_from = parseZonedTime(rest.created_from)
  const created_before = parseZonedTime(rest.created_before)
  refuseFaults([
    // The links to other pages repeat what was asked.
    ...secretFaults({ order_id, customer_email }),
    ...timeFaults('created_from', rest.created_from, created_from),
    ...timeFaults('created_before', rest.created_before, created_before),
    ...faults,
  ])
  const filters: PaymentFilters = {
    ...(payment_type && { payment_type }),
    ...(status && { transaction_status: status }),
    ...(order_id && { order_id }),
    ...(customer_email && { customer_email }),
    ...(subscription_id && { subscription_id }),
    ...(created_from && { created_from }),
    ...(created_before && { created_before }),
  }
  return { filters, page_size, cursor }
}

const timeFaults = (field: string, given: string | undefined, time?: Date): FieldFault[] =>
  given === undefined || time !== undefined
    ? []
    : [{ field, message: 'ISO 8601 with a zone, as 2026-01-31T00:00:00Z' }]
