// The service over HTTP with the gateway's unsigned notices sent to the same webhook.
import { send, useHttp, type Sent } from './http_bench.ts'

export function useSubscriptionHttp() {
  const http = useHttp()
  const savedCard = async (card_number = '4811111111111114') => {
    const card = { card_number, card_exp_month: '12', card_exp_year: '2035' }
    return String((await http.parts.cards.registerCard(card)).saved_token_id)
  }
  const inputOf = async (more: object = {}) => ({
    name: 'Teh Bulanan',
    amount: 50_000,
    payment_type: 'credit_card' as const,
    token: await savedCard(),
    interval: 1,
    interval_unit: 'month' as const,
    max_interval: 12,
    ...more,
  })
  return {
    http,
    savedCard,
    inputOf,
    hearNotices: async () => {
      const body = { recurring_notification_url: `${http.parts.url}/notification/` }
      await send('POST', `${http.parts.simulator.url}/_sim/settings`, { body })
    },
    created: async (more: object = {}, sent: Sent = {}) =>
      (await http.post('/subscriptions/', { body: await inputOf(more), ...sent })).body,
  }
}
