import type { Fields } from '../wire/fields.ts'
import { fieldsAt, has, integerAt, isFields, listAt, textAt } from '../wire/fields.ts'

/** A charge with a valid envelope; its payment method checks the object of the type. */
export interface ChargeRequest {
  payment_type: string
  order_id: string
  gross_amount: number
  body: Fields
}

/**
 * The type as replies name it: a Permata VA may be asked for by its older name
 * (gateway-protocol.md#payment-types).
 */
export const typeOf = ({ payment_type }: ChargeRequest): string =>
  payment_type === 'permata' ? 'bank_transfer' : payment_type

const ORDER_ID = /^[A-Za-z0-9\-_~.]+$/
const ORDER_ID_LENGTH_MAX = 50
const TEXT_LENGTH_MAX = 255

/** Reads the envelope, or returns every validation message (gateway-protocol.md#charge-request). */
export function parseChargeRequest(body: Fields): ChargeRequest | string[] {
  const payment_type = textAt(body, 'payment_type')
  const messages = orderFaults(body)
  if (payment_type === undefined) messages.unshift('payment_type is required')
  const { order_id, gross_amount } = orderOf(body)
  if (payment_type === undefined || order_id === undefined || gross_amount === undefined)
    return messages
  return messages.length > 0 ? messages : { payment_type, order_id, gross_amount, body }
}

/** The order of a charge or of a hosted page, as far as it is valid. */
export function orderOf(body: Fields): {
  order_id: string | undefined
  gross_amount: number | undefined
} {
  const details = fieldsAt(body, 'transaction_details')
  return { order_id: textAt(details, 'order_id'), gross_amount: integerAt(details, 'gross_amount') }
}

/** What is wrong with the order, its items and its own fields. */
export function orderFaults(body: Fields): string[] {
  const messages: string[] = []
  const details = fieldsAt(body, 'transaction_details')
  if (!isFields(body['transaction_details'])) messages.push('transaction_details is required')
  messages.push(...orderIdFaults(details), ...amountFaults(details))
  messages.push(...itemFaults(body, integerAt(details, 'gross_amount')), ...customFieldFaults(body))
  return messages
}

function orderIdFaults(details: Fields): string[] {
  if (!has(details, 'order_id')) return ['transaction_details.order_id is required']
  const order_id = textAt(details, 'order_id')
  if (order_id === undefined) return ['transaction_details.order_id must be a string']
  if (order_id.length > ORDER_ID_LENGTH_MAX)
    return [`transaction_details.order_id size must be at most ${ORDER_ID_LENGTH_MAX}`]
  if (!ORDER_ID.test(order_id))
    return ['transaction_details.order_id must only contain letters, digits, -, _, ~ and .']
  return []
}

function amountFaults(details: Fields): string[] {
  if (!has(details, 'gross_amount')) return ['transaction_details.gross_amount is required']
  const gross_amount = integerAt(details, 'gross_amount')
  if (gross_amount === undefined)
    return ['transaction_details.gross_amount must be a whole number without decimals']
  return gross_amount < 1 ? ['transaction_details.gross_amount must be greater than 0'] : []
}

function itemFaults(body: Fields, gross_amount: number | undefined): string[] {
  if (!has(body, 'item_details')) return []
  const messages: string[] = []
  let sum = 0
  for (const [index, item] of listAt(body, 'item_details').entries()) {
    const name = `item_details[${index}]`
    const fields = isFields(item) ? item : {}
    const price = integerAt(fields, 'price')
    const quantity = integerAt(fields, 'quantity')
    if (price === undefined) messages.push(`${name}.price must be a whole number`)
    if (quantity === undefined || quantity < 1) messages.push(`${name}.quantity must be at least 1`)
    if (textAt(fields, 'name') === undefined) messages.push(`${name}.name is required`)
    for (const key of ['id', 'name', 'brand', 'category', 'merchant_name']) {
      if ((textAt(fields, key)?.length ?? 0) > 50)
        messages.push(`${name}.${key} size must be at most 50`)
    }
    sum += (price ?? 0) * (quantity ?? 0)
  }
  if (messages.length === 0 && gross_amount !== undefined && sum !== gross_amount) {
    messages.push('transaction_details.gross_amount is not equal to the sum of item_details')
  }
  return messages
}

function customFieldFaults(body: Fields): string[] {
  return ['custom_field1', 'custom_field2', 'custom_field3'].flatMap((key) => {
    if (!has(body, key)) return []
    const value = textAt(body, key)
    return value !== undefined && value.length <= TEXT_LENGTH_MAX
      ? []
      : [`${key} must be a string of at most ${TEXT_LENGTH_MAX}`]
  })
}

/** Fields of the charge that return in status replies and notifications. */
export function customOf(body: Fields): Fields {
  const custom: Fields = {}
  for (const key of ['custom_field1', 'custom_field2', 'custom_field3']) {
    if (has(body, key)) custom[key] = body[key]
  }
  if (isFields(body['metadata'])) custom['metadata'] = body['metadata']
  return custom
}
