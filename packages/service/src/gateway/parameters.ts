import { gatewayError } from '../domain/errors.ts'
import { toWholeRupiah, type Money } from '../domain/money.ts'
import type { OperationName } from './operations.ts'

export interface RefundParameters {
  order_id: string
  refund_key: string
  amount: Money
  reason?: string
}

export interface CardParameters {
  card_number: string
  card_exp_month: string
  card_exp_year: string
  client_key?: string
}

/** The form of amounts on the wire; zero and fractions of a rupiah are refused here. */
export function wholeRupiah(amount: Money, operation: OperationName): number {
  const whole = toWholeRupiah(amount)
  if (whole !== undefined && whole > 0) return whole
  const errors = [{ field: 'amount', message: 'must be a positive number of whole rupiah' }]
  throw gatewayError('invalid_request', { operation, errors })
}
