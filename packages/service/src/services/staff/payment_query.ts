import { Type, type Static } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { parseMoney } from '../../domain/money.ts'
import { PAYMENT_STATUSES } from '../../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { parseZonedTime } from '../../domain/time.ts'
import {
  PAYMENT_SORTS,
  type PaymentSort,
  type StaffPaymentFilters,
} from '../../store/payments/lists.ts'
import { PAGE_QUERY, pageAsked } from '../page_query.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'

const maybe = Type.Optional
const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const closed = { additionalProperties: false }

const FILTERS = {
  payment_type: maybe(Type.Enum([...PAYMENT_TYPES])),
  status: maybe(Type.Enum([...PAYMENT_STATUSES])),
  overdue: maybe(Type.Enum(['true'])),
  owner_id: maybe(text(255)),
  order_id: maybe(text(100)),
  customer_email: maybe(text(255)),
  transaction_id: maybe(text(100)),
  va_number: maybe(text(100)),
  bill_key: maybe(text(100)),
  payment_code: maybe(text(100)),
  gross_amount: maybe(text(20)),
  subscription_id: maybe(uuid),
  invoice_id: maybe(uuid),
  created_from: maybe(text(40)),
  created_before: maybe(text(40)),
  sort: maybe(Type.Enum([...PAYMENT_SORTS])),
}

/** What staff can ask of all payments. Closed, as every list's. */
export const STAFF_PAYMENT_QUERY = Type.Object({ ...FILTERS, ...PAGE_QUERY }, closed)

/** The same without pages: an export has no end but the list's. */
export const EXPORT_QUERY = Type.Object(FILTERS, closed)

export interface StaffPaymentsAsked {
  filters: StaffPaymentFilters
  sort: PaymentSort
}

const parseQuery = requestParser(STAFF_PAYMENT_QUERY)
const parseExport = requestParser(EXPORT_QUERY)

export function parseStaffPaymentQuery(input: unknown) {
  const query = parseQuery(input)
  const { page_size, cursor, faults } = pageAsked(query)
  return { ...askedOf(query, faults), page_size, cursor }
}

export const parseExportQuery = (input: unknown): StaffPaymentsAsked =>
  askedOf(parseExport(input), [])

function askedOf(
  query: Static<typeof EXPORT_QUERY>,
  others: readonly FieldFault[],
): StaffPaymentsAsked {
  const { status, sort = 'newest', overdue, ...rest } = query
  const created_from = parseZonedTime(rest.created_from)
  const created_before = parseZonedTime(rest.created_before)
  const gross_amount = parseMoney(rest.gross_amount)
  const { order_id, customer_email } = rest
  refuseFaults([
    // The links to other pages repeat what was asked.
    ...secretFaults({ order_id, customer_email }),
    ...faultOf('created_from', rest.created_from, created_from, TIME),
    ...faultOf('created_before', rest.created_before, created_before, TIME),
    ...faultOf('gross_amount', rest.gross_amount, gross_amount, 'an amount, as 150000.00'),
    ...others,
  ])
  const texts = [
    'payment_type',
    'owner_id',
    'order_id',
    'customer_email',
    'transaction_id',
  ] as const
  const ids = ['va_number', 'bill_key', 'payment_code', 'subscription_id', 'invoice_id'] as const
  const given = [...texts, ...ids].flatMap((name) =>
    rest[name] === undefined ? [] : [[name, rest[name]] as const],
  )
  const filters: StaffPaymentFilters = {
    ...Object.fromEntries(given),
    ...(status && { transaction_status: status }),
    ...(overdue && { overdue: true }),
    ...(gross_amount !== undefined && { gross_amount }),
    ...(created_from && { created_from }),
    ...(created_before && { created_before }),
  }
  return { filters, sort }
}

const TIME = 'ISO 8601 with a zone, as 2026-01-31T00:00:00Z'

const faultOf = (field: string, given: unknown, read: unknown, message: string): FieldFault[] =>
  given === undefined || read !== undefined ? [] : [{ field, message }]
