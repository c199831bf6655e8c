import { fieldsAt, flagAt, has, listAt, textAt, type Fields } from '../wire/fields.ts'
import type { Checkout } from '../world/checkout.ts'
import type { World } from '../world/world.ts'
import { tokenOfCard } from './cards.ts'

/** What the payer gives on the page beside the method. */
export interface Choice {
  /** For a card; the accepted sandbox card where the payer gives none. */
  card_number?: string | undefined
  card_exp_month?: string | undefined
  card_exp_year?: string | undefined
  card_cvv?: string | undefined
  /** For OVO. */
  phone?: string | undefined
}

interface CheckoutMethod {
  payment_type: string
  /** Bank or store; a channel can be switched off by itself. */
  channel?: string
  /** The charge's object of the type, or what is wrong with the choice. */
  object?: (world: World, checkout: Checkout, choice: Choice) => Fields | string[]
}

const bank = (name: string): CheckoutMethod => ({
  payment_type: 'bank_transfer',
  channel: name,
  object: () => ({ bank_transfer: { bank: name } }),
})

const store = (name: string): CheckoutMethod => ({
  payment_type: 'cstore',
  channel: name,
  object: () => ({ cstore: { store: name } }),
})

/** Methods by their names in `enabled_payments`, in the order the page shows them. */
const METHODS: Record<string, CheckoutMethod> = {
  credit_card: { payment_type: 'credit_card', object: cardObject },
  gopay: { payment_type: 'gopay' },
  shopeepay: { payment_type: 'shopeepay' },
  dana: { payment_type: 'dana' },
  ovo: { payment_type: 'ovo', object: ovoObject },
  other_qris: {
    payment_type: 'qris',
    channel: 'gopay',
    object: () => ({ qris: { acquirer: 'gopay' } }),
  },
  bca_va: bank('bca'),
  bni_va: bank('bni'),
  bri_va: bank('bri'),
  cimb_va: bank('cimb'),
  permata_va: bank('permata'),
  echannel: {
    payment_type: 'echannel',
    channel: 'mandiri',
    object: (_world, { order_id }) => ({
      echannel: { bill_info1: 'Payment', bill_info2: order_id },
    }),
  },
  indomaret: store('indomaret'),
  alfamart: store('alfamart'),
  akulaku: { payment_type: 'akulaku' },
  kredivo: { payment_type: 'kredivo' },
}

export const METHOD_NAMES: readonly string[] = Object.keys(METHODS)

const PAYLATER = new Set(['akulaku', 'kredivo'])

/** The methods a page offers now: enabled for it, switched on, and possible with its data. */
export function offeredMethods({ settings }: World, { methods, body }: Checkout): string[] {
  const complete = has(body, 'customer_details') && listAt(body, 'item_details').length > 0
  return methods.filter((name) => {
    const { payment_type = '', channel } = METHODS[name] ?? {}
    if (PAYLATER.has(payment_type) && !complete) return false
    return (
      !settings.channels_off.has(payment_type) &&
      !settings.channels_off.has(`${payment_type}:${channel}`)
    )
  })
}

/** The part of a charge request that the method makes, or what is wrong with the choice. */
export function chargeFieldsOf(
  world: World,
  checkout: Checkout,
  { method, ...choice }: Choice & { method: string },
): (Fields & { payment_type: string }) | string[] {
  const known = METHODS[method]
  if (!known) return [`method must be one of ${METHOD_NAMES.join(', ')}`]
  const object = known.object?.(world, checkout, choice) ?? {}
  return Array.isArray(object) ? object : { ...object, payment_type: known.payment_type }
}

const ACCEPTED_CARD = '4811111111111114'

function cardObject(world: World, { body }: Checkout, choice: Choice): Fields | string[] {
  const sent = fieldsAt(body, 'credit_card')
  const next_year = new Date(world.clock.now()).getUTCFullYear() + 1
  const token_id = tokenOfCard(
    world,
    new URLSearchParams({
      card_number: choice.card_number ?? ACCEPTED_CARD,
      card_exp_month: choice.card_exp_month ?? '12',
      card_exp_year: choice.card_exp_year ?? String(next_year),
      card_cvv: choice.card_cvv ?? '123',
    }),
  )
  if (Array.isArray(token_id)) return token_id
  const kept = Object.fromEntries(
    ['bank', 'channel', 'type'].filter((key) => has(sent, key)).map((key) => [key, sent[key]]),
  )
  const authentication = flagAt(sent, 'secure') === true
  return { credit_card: { ...kept, token_id, authentication } }
}

function ovoObject(_world: World, { body }: Checkout, { phone }: Choice): Fields {
  const payer_phone_number = phone ?? textAt(fieldsAt(body, 'customer_details'), 'phone')
  return { ovo: { payer_phone_number: payer_phone_number ?? '081234567890' } }
}
