import { toWholeRupiah, type Money } from '../../domain/money.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import { PAYMENT_TYPE_WIRE } from '../../gateway/wire/payment_types.ts'
import type { ChargeOrder } from './charge_order.ts'

/** The body to send. It carries our payment's id, which proves later that the charge is ours. */
export function chargeRequest(
  order: ChargeOrder,
  { payment_id, order_id }: { payment_id: string; order_id: string },
): ChargeRequest {
  const envelope = {
    transaction_details: { order_id, gross_amount: whole(order.gross_amount) },
    metadata: { ...order.metadata, gapura_payment_id: payment_id },
    ...(order.customer_details && { customer_details: order.customer_details }),
    ...(order.item_details.length > 0 && {
      item_details: order.item_details.map((item) => ({ ...item, price: whole(item.price) })),
    }),
    ...(order.custom_expiry && { custom_expiry: order.custom_expiry }),
    ...customFields(order.custom_fields ?? []),
  }
  return { ...envelope, ...PAYMENT_TYPE_WIRE[order.payment_type].details(order) }
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

function customFields([first, second, third]: readonly string[]) {
  return {
    ...(first !== undefined && { custom_field1: first }),
    ...(second !== undefined && { custom_field2: second }),
    ...(third !== undefined && { custom_field3: third }),
  }
}
