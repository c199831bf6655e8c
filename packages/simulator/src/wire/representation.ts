import type { Refund, Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { rupiah } from './amounts.ts'
import type { Fields } from './fields.ts'
import { signNotification } from './signature.ts'
import { wibTime } from './times.ts'

/**
 * The code that goes with a state in notifications; status replies differ for `expire`
 * (gateway-protocol.md#codes-in-notifications).
 */
export function codeFor({ status, fraud_status }: Transaction): string {
  if (status === 'pending' || (status === 'capture' && fraud_status === 'challenge')) return '201'
  const failed = ['deny', 'cancel', 'expire', 'failure'].includes(status)
  return failed ? '202' : '200'
}

const refundFields = (refund: Refund): Fields => ({
  refund_chargeback_id: refund.refund_chargeback_id,
  refund_chargeback_uuid: refund.refund_chargeback_uuid,
  refund_amount: rupiah(refund.amount),
  created_at: wibTime(refund.created_at),
  reason: refund.reason,
  refund_key: refund.refund_key,
  refund_method: refund.refund_method,
  ...(refund.bank_confirmed_at !== undefined && {
    bank_confirmed_at: wibTime(refund.bank_confirmed_at),
  }),
})

/** What every core reply about a transaction carries. Absent values are omitted, never null. */
export function transactionFields(world: World, transaction: Transaction): Fields {
  const { expires_at, settled_at, fraud_status } = transaction
  return {
    transaction_id: transaction.transaction_id,
    order_id: transaction.order_id,
    merchant_id: world.settings.merchant_id,
    gross_amount: rupiah(transaction.gross_amount),
    currency: 'IDR',
    payment_type: transaction.payment_type,
    transaction_time: wibTime(transaction.created_at),
    transaction_status: transaction.status,
    ...(fraud_status && { fraud_status }),
    // After the common fields, so that a method may override but not omit them.
    ...transaction.details,
    ...(expires_at !== undefined && { expiry_time: wibTime(expires_at) }),
    ...(settled_at !== undefined && { settlement_time: wibTime(settled_at) }),
  }
}

/** The reply of an action: cancel, capture, approve and their like. */
export const actionReply = (
  world: World,
  transaction: Transaction,
  answer: { status_code: string; status_message: string },
): Fields => ({ ...answer, ...transactionFields(world, transaction) })

function refundsOf({ refunds, purse }: Transaction): Fields {
  if (refunds.length === 0) return {}
  const newest = refunds.at(-1)
  return {
    // Cumulative, unlike the entries (gateway-protocol.md#refunds).
    refund_amount: rupiah(purse.refunded),
    refund_key: newest?.refund_key,
    refunds: refunds.map(refundFields),
  }
}

function signed(world: World, body: Fields, transaction: Transaction, status_code: string): Fields {
  const signature_key = signNotification(
    { order_id: transaction.order_id, status_code, gross_amount: rupiah(transaction.gross_amount) },
    world.settings.server_key,
  )
  return { status_code, ...body, signature_key }
}

/**
 * The body of GET status. An expired transaction is found with 407
 * (gateway-protocol.md#operations).
 */
export function statusFields(world: World, transaction: Transaction): Fields {
  const { status, payment_type, instructions } = transaction
  const dana = payment_type === 'dana'
  const body: Fields = {
    status_message: 'Success, transaction is found',
    ...transactionFields(world, transaction),
    // As published for DANA: pending is found with 200 and spelled in capitals.
    ...(dana && status === 'pending' && { transaction_status: 'PENDING' }),
    ...((dana || payment_type === 'shopeepay') &&
      status === 'pending' && { actions: instructions['actions'] }),
    ...refundsOf(transaction),
    ...transaction.custom,
  }
  const found = status === 'expire' ? '407' : codeFor(transaction)
  return signed(world, body, transaction, dana && found === '201' ? '200' : found)
}

/** A signed payment notification about the transaction as it is now. */
export function notificationFields(world: World, transaction: Transaction): Fields {
  const body: Fields = {
    status_message: 'midtrans payment notification',
    ...transactionFields(world, transaction),
    ...refundsOf(transaction),
    ...transaction.custom,
    ...(transaction.subscription_id !== undefined && {
      subscription_id: transaction.subscription_id,
    }),
  }
  return signed(world, body, transaction, codeFor(transaction))
}
