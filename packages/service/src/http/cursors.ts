import { gatewayError } from '../domain/errors.ts'
import type { Cursor } from '../services/payments/list_payments.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/** Opaque: callers hand it back and never look inside (api-rules.md#lists). */
export const encodeCursor = ({ created_at, id, direction }: Cursor): string =>
  Buffer.from(`${direction} ${created_at.toISOString()} ${id}`).toString('base64url')

/** The cursor of a text we made, or 400. It grants nothing: whose rows are seen is asked apart. */
export function decodeCursor(text: string): Cursor {
  const [direction = '', time = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ')
  const created_at = new Date(time)
  // Years of more than four digits, or none, exist for JavaScript and not for the database.
  const timed =
    /^[1-9]\d{3}-/.test(time) &&
    !Number.isNaN(created_at.getTime()) &&
    created_at.toISOString() === time
  if (!timed || !isUuid(id) || (direction !== 'older' && direction !== 'newer')) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'cursor', message: 'take it from next or previous, unchanged' }],
    })
  }
  return { created_at, id, direction }
}
