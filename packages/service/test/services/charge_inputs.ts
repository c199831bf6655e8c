import type { GatewayClient } from '../../src/gateway/client.ts'

const items = [
  {
    id: 'i-1',
    name: 'Tea',
    price: 75_000,
    quantity: 2,
    category: 'Food',
    url: 'https://a.example',
  },
]
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

const INPUTS: Record<string, object> = {
  bank_transfer: { bank: 'bca' },
  cstore: { store: 'alfamart' },
  ovo: { payer_phone_number: '081111111111' },
}

/** Well-formed charges of every payment type; a card gets a real token of the simulator first. */
export function charges(gateway: () => GatewayClient) {
  const token = async (card_number = '4811111111111114') => {
    const card = { card_number, card_exp_month: '12', card_exp_year: '2035', card_cvv: '123' }
    return (await gateway().getCardToken(card)).token_id
  }
  const chargeOf = async (payment_type: string, more: object = {}) => ({
    payment_type,
    gross_amount: 150_000,
    customer_details,
    item_details: items,
    ...(payment_type === 'credit_card' && { token_id: await token(), authentication: false }),
    ...INPUTS[payment_type],
    ...more,
  })
  return { token, chargeOf }
}
