import type { GatewayClient } from '../../packages/service/src/gateway/client.ts'

export const AMOUNT = 150_000

const customer_details = {
  first_name: 'Ani',
  email: 'ani@example.com',
  phone: '081111111111',
  shipping_address: {
    first_name: 'Ani',
    address: 'Jl. Melati',
    city: 'Jakarta',
    postal_code: '12190',
  },
}
const tea = {
  id: 'i-1',
  name: 'Tea',
  price: 75_000,
  quantity: 2,
  category: 'Food',
  url: 'https://a.example',
}

const FIELDS: Record<string, object> = {
  bank_transfer: { bank: 'bca' },
  cstore: { store: 'alfamart' },
  ovo: { payer_phone_number: '081111111111' },
}

/** A well-formed charge of any type; a card needs a token of the simulator. */
export const chargeInput = (payment_type: string, more: object = {}): object => ({
  payment_type,
  gross_amount: AMOUNT,
  customer_details,
  item_details: [tea],
  ...FIELDS[payment_type],
  ...more,
})

const CARD = { card_exp_month: '12', card_exp_year: '2035' }
/** What the simulator's bank says to each. */
export const CARDS = { accepted: '4811111111111114', challenged: '4511111111111117' }

export async function cardToken(
  gateway: GatewayClient,
  card_number: string = CARDS.accepted,
): Promise<string> {
  const { token_id } = await gateway.getCardToken({ ...CARD, card_cvv: '123', card_number })
  if (typeof token_id !== 'string') throw new TypeError('the simulator gave no token')
  return token_id
}

/** A token that a subscription may charge again and again. */
export async function savedCardToken(gateway: GatewayClient): Promise<string> {
  const card = { ...CARD, card_number: CARDS.accepted }
  return String((await gateway.registerCard(card)).saved_token_id)
}
