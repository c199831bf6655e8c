import { gatewayError } from '../domain/errors.ts'
import { formatMoney, parseMoney } from '../domain/money.ts'
import type { SortedCursor } from '../services/staff/list_payments.ts'
import { isUuid } from './cursors.ts'

/** Opaque, like every cursor; it holds the amount too, by which the list may be sorted. */
export const encodeSortedCursor = (cursor: SortedCursor): string =>
  Buffer.from(
    [
      cursor.direction,
      cursor.created_at.toISOString(),
      cursor.id,
      formatMoney(cursor.gross_amount),
    ].join(' '),
  ).toString('base64url')

/** The cursor of a text we made, or 400. */
export function decodeSortedCursor(text: string): SortedCursor {
  const parts = Buffer.from(text, 'base64url').toString().split(' ')
  const [direction = '', time = '', id = '', amount = ''] = parts
  const created_at = new Date(time)
  const timed = !Number.isNaN(created_at.getTime()) && created_at.toISOString() === time
  const gross_amount = parseMoney(amount)
  const known = direction === 'next' || direction === 'previous'
  if (!timed || !isUuid(id) || !known || gross_amount === undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'cursor', message: 'take it from next or previous, unchanged' }],
    })
  }
  return { gross_amount, created_at, id, direction }
}
