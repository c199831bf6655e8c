import {
  expiryFault,
  inputFaults,
  type ExpiryUnit,
  type FieldFault,
} from '../../domain/charge_rules.ts'
import { parseMoney, sumMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { isOrderId } from '../../domain/order_id.ts'
import { requiresInput } from '../../domain/payment_type.ts'
import { parseGatewayTime } from '../../domain/time.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { CHARGE_INPUT, type ChargeInput } from './charge_input.ts'

export interface OrderItem {
  id?: string
  name: string
  price: Money
  quantity: number
  brand?: string
  category?: string
  merchant_name?: string
  url?: string
}

/** A charge that passed every check that needs no gateway. */
export interface ChargeOrder extends Omit<
  ChargeInput,
  'gross_amount' | 'item_details' | 'custom_expiry'
> {
  gross_amount: Money
  item_details: readonly OrderItem[]
  custom_expiry: { expiry_duration: number; unit: ExpiryUnit; order_time?: string } | null
}

const METADATA_BYTES_MAX = 4_096

/** The field that may hold a secret: it goes to the gateway and is never stored. */
const SECRET_INPUTS = ['token_id', 'gopay.payment_option_token']

const parseCharge = requestParser(CHARGE_INPUT)

/** Turns a request into a charge, or throws `invalid_request` with every fault. Writes nothing. */
export function parseChargeOrder(input: unknown): ChargeOrder {
  const charge = withPayerPhone(parseCharge(input))
  const gross_amount = parseMoney(charge.gross_amount)
  const items = (charge.item_details ?? []).map(({ price, quantity, ...item }) => ({
    ...item,
    price: parseMoney(price),
    quantity: quantity ?? 1,
  }))
  const expiry = charge.custom_expiry ?? null
  const custom_expiry = expiry && { ...expiry, unit: expiry.unit ?? 'minute' }
  const given = new Set(Object.keys(charge))
  const { payment_type, bank, store } = charge
  refuseFaults([
    ...inputFaults({ payment_type, given, ...(bank && { bank }), ...(store && { store }) }),
    ...amountFaults('gross_amount', gross_amount, 1n),
    ...items.flatMap(({ price }, index) => amountFaults(`item_details.${index}.price`, price)),
    ...sumFaults(gross_amount, items),
    ...(given.has('custom_expiry') && custom_expiry ? expiryFaults(charge, custom_expiry) : []),
    ...orderFaults(charge),
    ...secretFaults(charge, SECRET_INPUTS),
  ])
  return {
    ...charge,
    gross_amount: gross_amount ?? 0n,
    item_details: items.map((item) => ({ ...item, price: item.price ?? 0n })),
    custom_expiry,
  }
}

/** OVO asks the payer's phone; by default it is the customer's (api-rules.md#charge-input). */
function withPayerPhone(charge: ChargeInput): ChargeInput {
  const phone = charge.customer_details?.phone
  if (!requiresInput(charge, 'payer_phone_number') || charge.payer_phone_number !== undefined)
    return charge
  return phone === undefined ? charge : { ...charge, payer_phone_number: phone }
}

function amountFaults(field: string, amount: Money | undefined, min?: Money): FieldFault[] {
  if (amount === undefined)
    return [{ field, message: 'must be an amount with at most two decimals' }]
  if (toWholeRupiah(amount) === undefined)
    return [{ field, message: 'must be a whole number of rupiah' }]
  return min !== undefined && amount < min ? [{ field, message: 'must be more than zero' }] : []
}

function sumFaults(
  gross: Money | undefined,
  items: readonly { price: Money | undefined; quantity: number }[],
): FieldFault[] {
  if (items.length === 0 || gross === undefined) return []
  const sum = sumMoney(items.map(({ price = 0n, quantity }) => price * BigInt(quantity)))
  return sum === gross ? [] : [{ field: 'item_details', message: 'must add up to gross_amount' }]
}

function expiryFaults(
  charge: ChargeInput,
  expiry: { expiry_duration: number; unit: ExpiryUnit; order_time?: string },
): FieldFault[] {
  const fault = expiryFault(charge.payment_type, expiry, charge.qris_acquirer)
  const { order_time } = expiry
  const field = 'custom_expiry.order_time'
  const timed = order_time === undefined || parseGatewayTime(order_time) !== undefined
  return [
    ...(fault ? [fault] : []),
    ...(timed ? [] : [{ field, message: 'must be a valid timestamp' }]),
  ]
}

function orderFaults({ order_id, metadata, gopay }: ChargeInput): FieldFault[] {
  const faults: FieldFault[] = []
  if (order_id !== undefined && !isOrderId(order_id)) {
    faults.push({
      field: 'order_id',
      message: 'must be at most 50 characters of A–Z a–z 0–9 - _ ~ .',
    })
  }
  if (metadata !== undefined && JSON.stringify(metadata).length > METADATA_BYTES_MAX) {
    faults.push({ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` })
  }
  if (gopay?.account_id !== undefined && gopay.payment_option_token === undefined) {
    faults.push({ field: 'gopay.payment_option_token', message: 'is required with account_id' })
  }
  return faults
}
