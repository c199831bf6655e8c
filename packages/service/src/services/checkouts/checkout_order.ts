import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import {
  PAGE_MINUTES_DEFAULT,
  PAGE_MINUTES_MAX,
  PAGE_MINUTES_MIN,
  type GatewayCheckout,
} from '../../domain/checkout.ts'
import { parseMoney, sumMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { isOrderId } from '../../domain/order_id.ts'
import { pageMethodsOf, PAYMENT_TYPES } from '../../domain/payment_type.ts'
import type { CheckoutRequest } from '../../gateway/wire/checkouts.ts'
import {
  amountFaults,
  CUSTOMER,
  ITEMS_MAX,
  METADATA_BYTES_MAX,
  ORDER_ITEM,
  type OrderItem,
} from '../payments/charge_order.ts'
import { canonical } from '../requests.ts'
import { refuseFaults, requestParser, secretFaults } from '../validation.ts'

// The body of `POST /checkouts/` (checkouts.md). Closed, as a charge's; customer and items are a
// charge's own.
const maybe = Type.Optional

const PAYMENT_MINUTES_MAX = 30 * 24 * 60

export const CHECKOUT_INPUT = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      description: 'The amount to pay in whole rupiah.',
    }),
    order_id: maybe(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'Your own order id, never used before; one is made where it is left out.',
      }),
    ),
    description: maybe(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'What it is for, for you and your staff; the payer does not see it.',
      }),
    ),
    item_details: maybe(
      Type.Array(ORDER_ITEM, {
        maxItems: ITEMS_MAX,
        description: 'What is ordered; the sum must be the amount.',
      }),
    ),
    customer_details: maybe(CUSTOMER),
    payment_types: maybe(
      Type.Array(Type.Enum([...PAYMENT_TYPES], { description: 'A payment method.' }), {
        minItems: 1,
        maxItems: PAYMENT_TYPES.length,
        uniqueItems: true,
        description: 'The methods the payer can choose from; all by default.',
      }),
    ),
    page_expiry_minutes: maybe(
      Type.Integer({
        minimum: PAGE_MINUTES_MIN,
        maximum: PAGE_MINUTES_MAX,
        description: 'How long the payer can choose a method on the page; a day by default.',
      }),
    ),
    payment_expiry_minutes: maybe(
      Type.Integer({
        minimum: 1,
        maximum: PAYMENT_MINUTES_MAX,
        description:
          "How long the payer can pay by the chosen method; the method's own time by default.",
      }),
    ),
    return_url: maybe(
      Type.String({
        pattern: '^https?://[^\\s]+$',
        maxLength: 1_000,
        description: 'Where the payer returns to from the page. Read the checkout there.',
      }),
    ),
    metadata: maybe(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Your own data; it is stored and returned as it was given.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type CheckoutInput = Static<typeof CHECKOUT_INPUT>

/** A checkout that passed every check that needs no gateway. */
export interface CheckoutOrder extends Omit<CheckoutInput, 'amount' | 'item_details'> {
  amount: Money
  item_details: readonly OrderItem[]
  page_expiry_minutes: number
  /** Of everything in it: a repeat with the same content gets the same page. */
  fingerprint: string
}

const parseCheckout = requestParser(CHECKOUT_INPUT)

/** Turns a request into a checkout, or throws `invalid_request` with every fault. Writes nothing. */
export function parseCheckoutOrder(input: unknown): CheckoutOrder {
  const checkout = parseCheckout(input)
  const amount = parseMoney(checkout.amount)
  const items = (checkout.item_details ?? []).map(({ price, quantity, ...item }) => ({
    ...item,
    price: parseMoney(price),
    quantity: quantity ?? 1,
  }))
  const sum = sumMoney(items.map(({ price = 0n, quantity }) => price * BigInt(quantity)))
  const adds_up = items.length === 0 || amount === undefined || sum === amount
  refuseFaults([
    ...amountFaults('amount', amount, 1n),
    ...items.flatMap(({ price }, index) => amountFaults(`item_details.${index}.price`, price)),
    ...(adds_up ? [] : [{ field: 'item_details', message: 'must add up to amount' }]),
    ...otherFaults(checkout),
    ...secretFaults(checkout),
  ])
  const order = {
    ...checkout,
    amount: amount ?? 0n,
    item_details: items.map((item) => ({ ...item, price: item.price ?? 0n })),
    page_expiry_minutes: checkout.page_expiry_minutes ?? PAGE_MINUTES_DEFAULT,
  }
  return { ...order, fingerprint: fingerprintOf(order) }
}

function otherFaults({ order_id, metadata, return_url }: CheckoutInput): FieldFault[] {
  const faults: FieldFault[] = []
  if (order_id !== undefined && !isOrderId(order_id)) {
    faults.push({
      field: 'order_id',
      message: 'must be at most 50 characters of A–Z a–z 0–9 - _ ~ .',
    })
  }
  if (return_url !== undefined && !URL.canParse(return_url)) {
    faults.push({ field: 'return_url', message: 'must be an address with http or https' })
  }
  if (metadata !== undefined && JSON.stringify(metadata).length > METADATA_BYTES_MAX) {
    faults.push({ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` })
  }
  return faults
}

function fingerprintOf(order: Omit<CheckoutOrder, 'fingerprint'>): string {
  const text = JSON.stringify(canonical(order), (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  )
  return createHash('sha256').update(text).digest('hex')
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

/**
 * The body to send (gateway-protocol.md#hosted-checkout). It carries our checkout's id, which proves
 * later that a transaction is ours.
 */
export function checkoutRequest(
  order: CheckoutOrder,
  { id, order_id }: Pick<GatewayCheckout, 'id' | 'order_id'>,
): CheckoutRequest {
  const { payment_expiry_minutes, return_url, customer_details } = order
  const minutes = (duration: number) => ({ duration, unit: 'minute' as const })
  return {
    transaction_details: { order_id, gross_amount: whole(order.amount) },
    ...(order.item_details.length > 0 && {
      item_details: order.item_details.map((item) => ({ ...item, price: whole(item.price) })),
    }),
    ...(customer_details && { customer_details }),
    // A method without a type here is never offered: its payment could not be recorded.
    enabled_payments: (order.payment_types ?? PAYMENT_TYPES).flatMap(pageMethodsOf),
    credit_card: { secure: true },
    page_expiry: minutes(order.page_expiry_minutes),
    ...(payment_expiry_minutes !== undefined && { expiry: minutes(payment_expiry_minutes) }),
    ...(return_url !== undefined && { callbacks: { finish: return_url } }),
    metadata: { ...order.metadata, gapura_checkout_id: id },
  }
}
