import { textOf, type Answer, type Body, type Rig } from './rig.ts'

export const requestFor = (token: string, fields: Body = {}): Body => ({
  name: 'MONTHLY',
  amount: '14000',
  currency: 'IDR',
  payment_type: 'credit_card',
  token,
  schedule: { interval: 1, interval_unit: 'month', max_interval: 12 },
  metadata: { meta: 'data', description: 'Tea', merchant_subscription_id: 'SUB-1' },
  customer_details: {
    first_name: 'Budi',
    last_name: 'Utomo',
    email: 'budi@example.com',
    phone: '+62812345678',
  },
  ...fields,
})

/** The calls a merchant with subscriptions makes, and what its two URLs got. */
export class Subscriber {
  #rig: Rig

  constructor(rig: Rig) {
    this.#rig = rig
  }

  async savedCard(number = '4811111111111114'): Promise<string> {
    const query =
      'client_key=SB-Mid-client-simulator&card_exp_month=12&card_exp_year=2030' +
      `&card_number=${number}`
    const answer = await this.#rig.wire(`GET /v2/card/register?${query}`)
    return textOf(answer.body, 'saved_token_id')
  }

  async create(body: Body, headers?: Record<string, string>): Promise<Answer> {
    return await this.#rig.wire('POST /v1/subscriptions', body, headers)
  }

  async subscribed(fields: Body = {}, number?: string): Promise<string> {
    const answer = await this.create(requestFor(await this.savedCard(number), fields))
    return textOf(answer.body, 'id')
  }

  async get(id: string): Promise<Body> {
    return (await this.#rig.wire(`GET /v1/subscriptions/${id}`)).body
  }

  async change(id: string, what: string): Promise<Answer> {
    return await this.#rig.wire(`POST /v1/subscriptions/${id}/${what}`)
  }

  recurring(): Body[] {
    return this.#at('/recurring')
  }

  payments(): Body[] {
    return this.#at('/payment')
  }

  #at(url_path: string): Body[] {
    const { received } = this.#rig.hook
    return received.filter(({ path }) => path === url_path).map(({ body }) => body)
  }
}
