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
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { secretFaults, refuseFaults, requestParser } from '../validation.ts'

const maybe = Type.Optional
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const uuid = (description: string) => Type.String({ pattern: UUID, description })
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const closed = { additionalProperties: false }

const FILTERS = {
  payment_type: maybe(
    Type.Enum([...PAYMENT_TYPES], { description: 'Only payments with this payment method.' }),
  ),
  status: maybe(Type.Enum([...PAYMENT_STATUSES], { description: 'Only payments in this status.' })),
  overdue: maybe(
    Type.Enum(['true'], { description: 'Only payments still pending past their expiry time.' }),
  ),
  owner_id: maybe(text(255, 'Only payments of this owner.')),
  order_id: maybe(text(100, 'Only the payment with this order id.')),
  customer_email: maybe(text(255, 'Only payments of the customer with this email address.')),
  transaction_id: maybe(text(100, "Only the payment with this id of the gateway's.")),
  va_number: maybe(text(100, 'Only payments into this virtual account.')),
  bill_key: maybe(text(100, 'Only payments with this Mandiri bill key.')),
  payment_code: maybe(text(100, 'Only payments with this code for a convenience store.')),
  gross_amount: maybe(text(20, 'Only payments of exactly this amount, as 150000.00.')),
  subscription_id: maybe(uuid('Only payments of this subscription.')),
  invoice_id: maybe(uuid('Only payments of this invoice.')),
  checkout_id: maybe(uuid('Only payments made on the page of this checkout.')),
  bank: maybe(
    Type.String({
      pattern: '^[a-z0-9_]{2,20}$',
      description: 'Only payments into a virtual account of this bank, or by cards it acquires.',
    }),
  ),
  paid_from: maybe(text(40, 'Only payments first paid at this time or later; with a zone.')),
  paid_before: maybe(text(40, 'Only payments first paid before this time; with a zone.')),
  created_from: maybe(text(40, 'Only payments created at this time or later; with a zone.')),
  created_before: maybe(text(40, 'Only payments created before this time; with a zone.')),
  sort: maybe(
    Type.Enum([...PAYMENT_SORTS], { description: 'In which order; `newest` first by default.' }),
  ),
}

/** What staff can ask of all payments. Closed, as every list's. */
export const STAFF_PAYMENT_QUERY = Type.Object({ ...FILTERS, ...PAGE_QUERY }, closed)

/** The same over all cells: a cursor holds a place in each of them. */
export const CELL_PAYMENT_QUERY = Type.Object(
  {
    ...FILTERS,
    page_size: PAGE_QUERY.page_size,
    cursor: maybe(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        description: 'Where the page begins: the `next_cursor` of the page before, unchanged.',
      }),
    ),
  },
  closed,
)

/** The same without pages: an export has no end but the list's. */
export const EXPORT_QUERY = Type.Object(FILTERS, closed)

export interface StaffPaymentsAsked {
  filters: StaffPaymentFilters
  sort: PaymentSort
}

const parseExport = requestParser(EXPORT_QUERY)

const filtersOf = (query: Static<typeof EXPORT_QUERY>) => {
  const { faults, ...filters } = askedOf(query)
  return { filters, faults }
}

export const parseStaffPaymentQuery = listQueryParser(STAFF_PAYMENT_QUERY, filtersOf)
export const parseCellPaymentQuery = listQueryParser(CELL_PAYMENT_QUERY, filtersOf)

export function parseExportQuery(input: unknown): StaffPaymentsAsked {
  const { faults, ...asked } = askedOf(parseExport(input))
  refuseFaults(faults)
  return asked
}

function askedOf(
  query: Static<typeof EXPORT_QUERY>,
): StaffPaymentsAsked & { faults: readonly FieldFault[] } {
  const { status, sort = 'newest', overdue, ...rest } = query
  const times = Object.fromEntries(
    TIMES.flatMap((name) => {
      const at = parseZonedTime(rest[name])
      return at === undefined ? [] : [[name, at] as const]
    }),
  )
  const gross_amount = parseMoney(rest.gross_amount)
  const { order_id, customer_email } = rest
  const faults = [
    // The links to other pages repeat what was asked.
    ...secretFaults({ order_id, customer_email }),
    ...TIMES.flatMap((name) => faultOf(name, rest[name], times[name], TIME)),
    ...faultOf('gross_amount', rest.gross_amount, gross_amount, 'an amount, as 150000.00'),
  ]
  const texts = [
    'payment_type',
    'bank',
    'owner_id',
    'order_id',
    'customer_email',
    'transaction_id',
  ] as const
  const ids = [
    'va_number',
    'bill_key',
    'payment_code',
    'subscription_id',
    'invoice_id',
    'checkout_id',
  ] as const
  const given = [...texts, ...ids].flatMap((name) =>
    rest[name] === undefined ? [] : [[name, rest[name]] as const],
  )
  const filters: StaffPaymentFilters = {
    ...Object.fromEntries(given),
    ...(status && { transaction_status: status }),
    ...(overdue && { overdue: true }),
    ...(gross_amount !== undefined && { gross_amount }),
    ...times,
  }
  return { filters, sort, faults }
}

const TIMES = ['created_from', 'created_before', 'paid_from', 'paid_before'] as const

const TIME = 'ISO 8601 with a zone, as 2026-01-31T00:00:00Z'

const faultOf = (field: string, given: unknown, read: unknown, message: string): FieldFault[] =>
  given === undefined || read !== undefined ? [] : [{ field, message }]
