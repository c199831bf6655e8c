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

export async function cardToken(gateway: GatewayClient): Promise<string> {
  const card = { card_exp_month: '12', card_exp_year: '2035', card_cvv: '123' }
  const { token_id } = await gateway.getCardToken({ ...card, card_number: '4811111111111114' })
  if (typeof token_id !== 'string') throw new TypeError('the simulator gave no token')
  return token_id
}
