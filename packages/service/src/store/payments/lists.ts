import type { Caller } from '../../domain/caller.ts'
import type { Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentStatus } from '../../domain/payment_status.ts'
import type { PaymentType } from '../../domain/payment_type.ts'
import type { Tx } from '../connection/transaction.ts'
import {
  conditionsOf,
  pageOf,
  pageStatement,
  visibleTo,
  whereOf,
  type Condition,
  type Page,
  type PageRequest,
} from '../sql/lists.ts'
import type { SqlValue } from '../sql/values.ts'

const LIST_COLUMNS = [
  'id',
  'owner_id',
  'order_id',
  'payment_type',
  'gross_amount',
  'transaction_status',
  'fraud_status',
  'customer_email',
  'created_at',
] as const satisfies readonly (keyof GatewayPayment)[]

/** What a list shows of a payment (api-rules.md#payments), and what `is_paid` is computed from. */
export type PaymentSummary = Pick<GatewayPayment, (typeof LIST_COLUMNS)[number]>

/** The documented filters, and what staff search by. Each alone is backed by an index. */
export interface PaymentFilters {
  transaction_status?: PaymentStatus
  payment_type?: PaymentType
  order_id?: string
  customer_email?: string
  /** From this moment on. */
  created_from?: Date
  /** Before this moment. */
  created_before?: Date
  transaction_id?: string
  va_number?: string
  bill_key?: string
  payment_code?: string
  gross_amount?: Money
  subscription_id?: string
  invoice_id?: string
  checkout_id?: string
  id?: string
  ids?: readonly string[]
  owner_id?: string
  /** The bank of the virtual account, or the acquiring bank of a card. Has no index of its own. */
  bank?: string
  /** First paid at this moment or later. */
  paid_from?: Date
  /** First paid before this moment. */
  paid_before?: Date
}

/** A term that a payment learns from the gateway; compared again, in case the value has changed. */
const hasTerm = (kind: 'transaction_id' | 'va_number' | 'bill_key' | 'payment_code') =>
  [
    kind,
    `payment.${kind} = ? and payment.id in (
       select payment_id from gapura.gateway_payment_term where kind = '${kind}' and term = ?
     )`,
  ] as const

const PAYMENT_FILTERS = [
  ['id', 'payment.id = ?'],
  ['ids', 'payment.id = any(?::uuid[])'],
  ['payment_type', 'payment.payment_type = ?'],
  // Both halves of the rows have a partial index of their own; combined by "or", each finds its
  // rows. `order_id = ?` alone would use neither.
  [
    'order_id',
    '((payment.order_id = ? and not payment.refused) or (payment.order_id = ? and payment.refused))',
  ],
  ['customer_email', 'lower(payment.customer_email) = lower(?)'],
  hasTerm('transaction_id'),
  hasTerm('va_number'),
  hasTerm('bill_key'),
  hasTerm('payment_code'),
  ['gross_amount', 'payment.gross_amount = ?'],
  ['subscription_id', 'payment.subscription_id = ?'],
  ['invoice_id', 'payment.invoice_id = ?'],
  ['checkout_id', 'payment.checkout_id = ?'],
  // No index of its own.
  ['bank', 'payment.bank = ?'],
] as const satisfies readonly (readonly [keyof PaymentFilters, string])[]

/** Those that have a column in either table: the one that the list is ordered by. */
const keyFilters = (of: string) =>
  [
    ['owner_id', `${of}owner_id = ?`],
    ['transaction_status', `${of}transaction_status = ?`],
    ['created_from', `${of}created_at >= ?`],
    ['created_before', `${of}created_at < ?`],
    ['paid_from', `${of}paid_at >= ?`],
    ['paid_before', `${of}paid_at < ?`],
  ] as const

/** Where a list finds its payments, and which of the tables orders them. */
interface PaymentSource {
  table: string
  of: 'payment.' | 'state.'
  conditions: Condition[]
}

export const PAYMENTS = 'gapura.gateway_payment as payment'
const BY_STATE = `gapura.gateway_payment_state as state join ${PAYMENTS} on payment.id = state.id`
/** A charge that is only initiated has no row of its state, but an open operation (I-16b). */
const IS_INITIATED = `payment.transaction_status = ? and payment.id in (
  select subject_id from gapura.gateway_operation where state in ('started', 'unknown')
  union all
  select id from gapura.gateway_payment_state where transaction_status = 'initiated'
)`

function sourceOf(filters: PaymentFilters, by_state = false): PaymentSource {
  const { transaction_status: status, ...others } = filters
  const initiated = status === 'initiated'
  const paid = filters.paid_from !== undefined || filters.paid_before !== undefined
  const stated = by_state || paid || (status !== undefined && !initiated)
  const of = stated ? 'state.' : 'payment.'
  const conditions = [
    ...conditionsOf(keyFilters(of), initiated ? others : filters),
    ...conditionsOf(PAYMENT_FILTERS, filters),
  ]
  if (initiated) conditions.push([IS_INITIATED, status])
  return { table: stated ? BY_STATE : PAYMENTS, of, conditions }
}

const ofPayment = (columns: readonly string[]): string =>
  columns.map((column) => `payment.${column}`).join(', ')

/**
 * A page of the payments the caller may see, newest first. Not prepared: the best plan for
 * `settlement` is not the best for `chargeback`, so each is planned for its own value.
 */
export async function listPayments(
  tx: Tx,
  caller: Caller,
  filters: PaymentFilters,
  request: PageRequest,
): Promise<Page<PaymentSummary>> {
  const { conditions, ...source } = sourceOf(filters)
  const visible = visibleTo(caller).map(([sql, value]) => [`${source.of}${sql}`, value] as const)
  const { text, values } = pageStatement(
    { ...source, columns: ofPayment(LIST_COLUMNS), conditions: [...visible, ...conditions] },
    request,
  )
  return pageOf(await tx.query<PaymentSummary>(text, values, { prepare: false }), request)
}

// The list that staff use: every owner's payments, in one of four orders, by keyset like the others.
const COLUMNS = [
  'id',
  'owner_id',
  'order_id',
  'transaction_id',
  'payment_type',
  'bank',
  'store',
  'acquirer',
  'issuer',
  'masked_card',
  'gross_amount',
  'captured_amount',
  'refunded_amount',
  'transaction_status',
  'fraud_status',
  'customer_first_name',
  'customer_last_name',
  'customer_email',
  'customer_phone',
  'va_number',
  'bill_key',
  'payment_code',
  'expiry_time',
  'paid_at',
  'settlement_time',
  'created_at',
] as const satisfies readonly (keyof GatewayPayment)[]

export type StaffPaymentSummary = Pick<GatewayPayment, (typeof COLUMNS)[number]>

export interface StaffPaymentFilters extends PaymentFilters {
  /** Pending, and past its expiry time. */
  overdue?: boolean
}

export const PAYMENT_SORTS = ['newest', 'oldest', 'highest', 'lowest'] as const

export type PaymentSort = (typeof PAYMENT_SORTS)[number]

/** The row at the edge of a page, and the direction to continue. */
export interface SortedCursor {
  gross_amount: Money
  created_at: Date
  id: string
  direction: 'next' | 'previous'
}

export interface SortedRequest {
  sort: PaymentSort
  cursor: SortedCursor | null
  page_size: number
}

export interface SortedPage {
  results: StaffPaymentSummary[]
  next: SortedCursor | null
  previous: SortedCursor | null
}

/** An export reads larger pages than people do. */
export const SORTED_PAGE_MAX = 1_000

/** A page of all payments. For staff: not filtered by owner. */
export async function listStaffPayments(
  tx: Tx,
  filters: StaffPaymentFilters,
  request: SortedRequest,
): Promise<SortedPage> {
  const { text, values } = statementOf(filters, request)
  const found = await tx.query<StaffPaymentSummary>(text, values, { prepare: false })
  return sortedPageOf(found, request)
}

/** Written out, so that the planner can use the index of payments pending past their expiry. */
const overdueIn = (of: string): Condition => [
  `${of}transaction_status = ? and ${of}expiry_time < gapura.now()`,
  'pending',
]

/** The same without the table of states, which has no column that a payment has not. */
export const onPaymentsAlone = ({ overdue, ...filters }: StaffPaymentFilters): Condition[] => [
  ...conditionsOf(keyFilters('payment.'), filters),
  ...conditionsOf(PAYMENT_FILTERS, filters),
  ...(overdue === true ? [overdueIn('payment.')] : []),
]

export function staffSource({ overdue, ...filters }: StaffPaymentFilters): PaymentSource {
  const source = sourceOf(filters, overdue)
  if (overdue === true) source.conditions.push(overdueIn(source.of))
  return source
}

function statementOf(
  filters: StaffPaymentFilters,
  { sort, cursor, page_size }: SortedRequest,
): { text: string; values: SqlValue[] } {
  if (!Number.isSafeInteger(page_size) || page_size < 1 || page_size > SORTED_PAGE_MAX)
    throw new RangeError(`page_size must be 1 to ${SORTED_PAGE_MAX}`)
  const { table, of, conditions } = staffSource(filters)
  const { sql, values } = whereOf(conditions)
  const by_amount = sort === 'highest' || sort === 'lowest'
  const time = [`${of}created_at`, `${of}id`]
  const keys = by_amount ? ['payment.gross_amount', ...time] : time
  const falls = (sort === 'newest' || sort === 'highest') === (cursor?.direction !== 'previous')
  const edge = cursor === null ? [] : edgeOf(cursor, by_amount)
  const places = edge.map((_value, index) => `$${values.length + 2 + index}`)
  const after =
    cursor === null ? '' : `and (${keys.join(', ')}) ${falls ? '<' : '>'} (${places.join(', ')})`
  const text = `
    select ${ofPayment(COLUMNS)}
    from ${table}
    where ${sql}
      ${after}
    order by ${keys.map((key) => `${key} ${falls ? 'desc' : 'asc'}`).join(', ')}
    -- One row more than the page holds: it shows whether there is a further page.
    limit $${values.length + 1}`
  return { text, values: [...values, page_size + 1, ...edge] }
}

const edgeOf = ({ gross_amount, created_at, id }: SortedCursor, by_amount: boolean): SqlValue[] =>
  by_amount ? [gross_amount, created_at, id] : [created_at, id]

function sortedPageOf(
  found: readonly StaffPaymentSummary[],
  { cursor, page_size }: SortedRequest,
): SortedPage {
  const results = found.slice(0, page_size)
  const more = found.length > page_size
  const back = cursor?.direction === 'previous'
  if (back) results.reverse()
  const at = (row: StaffPaymentSummary | undefined, direction: SortedCursor['direction']) => {
    if (row === undefined) return null
    const { gross_amount, created_at, id } = row
    return { gross_amount, created_at, id, direction }
  }
  return {
    results,
    next: back || more ? at(results.at(-1), 'next') : null,
    previous: (back ? more : cursor !== null) ? at(results[0], 'previous') : null,
  }
}
