import { listOf, textOf, type Answer, type Body, type Rig } from './rig.ts'

/** The smallest request for a hosted page that every method accepts. */
export const checkoutRequest = (order_id: string, fields: Body = {}): Body => ({
  transaction_details: { order_id, gross_amount: 44_000 },
  item_details: [{ id: '1', name: 'Shoes', price: 22_000, quantity: 2 }],
  customer_details: { first_name: 'Budi', phone: '081234567890' },
  ...fields,
})

/** The merchant and the payer of hosted pages. */
export class Shop {
  readonly #rig: Rig

  constructor(rig: Rig) {
    this.#rig = rig
  }

  async create(order_id: string, fields?: Body): Promise<Answer> {
    return await this.#rig.wire('POST /snap/v1/transactions', checkoutRequest(order_id, fields))
  }

  /** The token of a new page. */
  async created(order_id: string, fields?: Body): Promise<string> {
    return textOf((await this.create(order_id, fields)).body, 'token')
  }

  async cancel(token: string): Promise<Answer> {
    return await this.#rig.wire(`POST /snap/v1/transactions/${token}/cancel`)
  }

  /** What the payer does, by token or order id. */
  async act(id: string, action: string, body: Body = {}): Promise<Body> {
    return await this.#rig.sim(`POST /_sim/checkouts/${id}/${action}`, body)
  }

  /** Why the payer cannot do it. */
  async refused(id: string, action: string, body: Body = {}): Promise<string> {
    const answer = await this.#rig.refusedBySim(`POST /_sim/checkouts/${id}/${action}`, body)
    return textOf(answer.body, 'error')
  }

  async show(id: string): Promise<Body> {
    return await this.#rig.sim(`GET /_sim/checkouts/${id}`)
  }

  async events(order_id: string): Promise<string[]> {
    const found = await this.#rig.sim(`GET /_sim/ledger?kind=checkout&order_id=${order_id}`)
    return listOf(found, 'entries').map(({ event }) => String(event))
  }
}
