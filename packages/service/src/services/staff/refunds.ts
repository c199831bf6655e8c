// The refunds of all payments, and those that staff paid outside the gateway.
import { Type } from 'typebox'
import { formatMoney, parseMoney, toWholeRupiah } from '../../domain/money.ts'
import { REFUND_SOURCES, REFUND_STATUSES } from '../../domain/payment.ts'
import {
  listAllRefunds,
  type RefundFilters,
  type StaffRefundRow,
} from '../../store/refunds/outside.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { requestOutsideRefund } from '../payments/refund_payment.ts'
import type { Refunded } from '../payments/representation.ts'
import type { Outcome, Request } from '../requests.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'
import { staffList } from './staff_list.ts'
import { SHORT_REASON } from './staff_query.ts'

const maybe = Type.Optional
const closed = { additionalProperties: false }

export const REFUND_QUERY = Type.Object(
  {
    status: maybe(Type.Enum([...REFUND_STATUSES], { description: 'Only refunds in this status.' })),
    source: maybe(
      Type.Enum([...REFUND_SOURCES], { description: 'Only refunds from this source.' }),
    ),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseRefundQuery = listQueryParser(
  REFUND_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({ filters }),
)

const representRow = ({ amount, ...row }: StaffRefundRow) => ({
  ...row,
  amount: formatMoney(amount),
})

/** A page of the refunds of all payments, newest first. For staff. */
export const listRefunds = staffList('refund.list', async (tx, filters: RefundFilters, page) => {
  const found = await listAllRefunds(tx, filters, page)
  return { ...found, results: found.results.map(representRow) }
})

export const OUTSIDE_REFUND_INPUT = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      description: 'The amount that was refunded, in whole rupiah.',
    }),
    reason: SHORT_REASON,
    reference: Type.String({
      minLength: 3,
      maxLength: 100,
      pattern: '\\S',
      description: 'The number of the bank transfer, as the bank shows it.',
    }),
    evidence: maybe(
      Type.String({
        maxLength: 1_000,
        description: 'What else proves it, such as where the slip is kept.',
      }),
    ),
  },
  closed,
)

const parseOutside = keptTextParser(OUTSIDE_REFUND_INPUT)

/** Requests that a refund paid outside the gateway be recorded; a second person approves it. */
export async function requestOutside(
  ctx: Context,
  request: Request,
  payment_id: string,
  input: unknown,
): Promise<Outcome<Refunded>> {
  requireStaff(request.caller, 'staff:act')
  const { amount: given, reason, reference, evidence = null } = parseOutside(input)
  const amount = parseMoney(given) ?? 0n
  if (amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'must be a positive number of whole rupiah' }])
  }
  const outside = { reference: reference.trim(), evidence }
  return await requestOutsideRefund(ctx, request, payment_id, {
    amount,
    reason,
    direct: false,
    outside,
  })
}
