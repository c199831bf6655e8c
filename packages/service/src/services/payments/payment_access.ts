import type { GatewayPayment } from '../../domain/payment.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import { findPayment, findPaymentById } from '../../store/payments/rows.ts'
import type { ObjectAccess } from '../operations/operation_type.ts'
import { representWithin } from './read_payment.ts'

/** How operations reach a payment. */
export const PAYMENT_ACCESS: ObjectAccess<GatewayPayment> = {
  subject_kind: 'payment',
  find: findPayment,
  findById: findPaymentById,
  lock: lockPayment,
  represent: representWithin,
}
