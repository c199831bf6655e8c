import { toWholeRupiah, type Money } from '../../domain/money.ts'
import type { PaymentType } from '../../domain/payment_type.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { ChargeOrder } from './charge_order.ts'

/** What the payer's bank shows for a Mandiri bill, unless the merchant's items say more. */
const BILL_INFO = { bill_info1: 'Payment:', bill_info2: 'Online purchase' }

/** The body to send. Carries our payment's id, so that what we find later can be told to be ours. */
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
  return { ...envelope, ...DETAILS[order.payment_type](order) }
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

function customFields([first, second, third]: readonly string[]) {
  return {
    ...(first !== undefined && { custom_field1: first }),
    ...(second !== undefined && { custom_field2: second }),
    ...(third !== undefined && { custom_field3: third }),
  }
}

type Details<T extends PaymentType> = Omit<ChargeRequest<T>, 'transaction_details'>

const callback = ({ callback_url }: ChargeOrder) =>
  callback_url === undefined ? {} : { callback_url }

/** What each payment type adds to the envelope (gateway-protocol.md#payment-types). */
const DETAILS: { [T in PaymentType]: (order: ChargeOrder) => Details<T> } = {
  credit_card: (order) => ({
    payment_type: 'credit_card',
    credit_card: {
      token_id: order.token_id ?? '',
      authentication: order.authentication ?? true,
      ...(order.capture === false && { type: 'authorize' as const }),
      ...(order.bank !== undefined && { bank: order.bank }),
      ...(order.save_token_id !== undefined && { save_token_id: order.save_token_id }),
      ...(order.installment_term !== undefined && { installment_term: order.installment_term }),
    },
  }),
  bank_transfer: ({ bank = '', va_number }) => ({
    payment_type: 'bank_transfer',
    bank_transfer: { bank, ...(va_number !== undefined && { va_number }) },
  }),
  echannel: () => ({ payment_type: 'echannel', echannel: BILL_INFO }),
  gopay: (order) => ({
    payment_type: 'gopay',
    gopay: {
      ...(order.callback_url !== undefined && { enable_callback: true, ...callback(order) }),
      ...order.gopay,
    },
  }),
  qris: ({ qris_acquirer = 'gopay' }) => ({
    payment_type: 'qris',
    qris: { acquirer: qris_acquirer },
  }),
  shopeepay: (order) => ({ payment_type: 'shopeepay', shopeepay: callback(order) }),
  ovo: ({ payer_phone_number = '' }) => ({ payment_type: 'ovo', ovo: { payer_phone_number } }),
  dana: (order) => ({ payment_type: 'dana', dana: callback(order) }),
  cstore: ({ store = '' }) => ({ payment_type: 'cstore', cstore: { store } }),
  akulaku: () => ({ payment_type: 'akulaku' }),
  kredivo: () => ({ payment_type: 'kredivo' }),
}
