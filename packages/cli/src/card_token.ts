import { GatewayClient, type GatewaySettings } from 'gapura'

/** The simulator's card that is always accepted. A browser would do this with the client key. */
const CARD = {
  card_number: '4811111111111114',
  card_exp_month: '12',
  card_exp_year: '2035',
  card_cvv: '123',
}

/** A token of a test card, from the simulator only: no real card number is used. */
export const tokenOfCard = async (gateway: GatewaySettings): Promise<string> =>
  await tokenBy(gateway, async (client) => (await client.getCardToken(CARD)).token_id)

/** The same for a card that stays at the gateway, as a subscription needs it. */
export const tokenOfSavedCard = async (gateway: GatewaySettings): Promise<string> => {
  const { card_cvv: _, ...card } = CARD
  return await tokenBy(gateway, async (client) => (await client.registerCard(card)).saved_token_id)
}

async function tokenBy(
  gateway: GatewaySettings,
  ask: (client: GatewayClient) => Promise<string | null | undefined>,
): Promise<string> {
  const client = new GatewayClient({
    client_key: 'SB-Mid-client-simulator',
    ...gateway,
    card_data: true,
  })
  try {
    const token = await ask(client)
    if (!token) throw new Error('the simulator gave no card token')
    return token
  } finally {
    await client.close()
  }
}
