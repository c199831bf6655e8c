// Mixed load: charges of several types, a payer at the gateway, refunds, cancels, expiries, reads.
// Every acknowledgement is kept, because each is a promise the verdict asks about.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { queueCharge } from '../../packages/service/src/services/background/process_charge_async.ts'
import { cardToken, chargeInput } from './charge_inputs.ts'
import { Client, type Answer } from './client.ts'
import { OWNER, type Deployment } from './deployment.ts'
import type { Random } from './random.ts'
import type { Acknowledged } from './verdict.ts'

export interface LoadOptions {
  random: Random
  rate: number
  /** Stories told at once, besides those that wait for what became of a wish. */
  lanes: number
  /** Charges a second that go through the queue. */
  queued_rate: number
  timeout_ms?: number
}

const TYPES = ['bank_transfer', 'echannel', 'cstore', 'qris', 'gopay', 'shopeepay', 'credit_card']
const REFUNDABLE = new Set(['qris', 'gopay', 'shopeepay'])
const PAID_LOOKS_MAX = 8
/** A wish whose process died, and then the one that resolved it, is answered after two leases. */
const DRAIN_MS_MAX = 180_000
const WAITING_MAX = 1_000
const REFUND = 50_000

type Mutable<Type> = {
  -readonly [Key in keyof Type]: Type[Key] extends readonly (infer Item)[] ? Item[] : never
}

export class Load {
  readonly client: Client
  readonly acknowledged: Mutable<Omit<Acknowledged, 'notifications'>> = {
    charges: [],
    refused_orders: [],
    queued_orders: [],
    refunds: [],
  }
  readonly #deployment: Deployment
  readonly #options: LoadOptions
  readonly #parts: Promise<void>[]
  readonly #stories = new Set<Promise<void>>()
  #over = false

  constructor(deployment: Deployment, options: LoadOptions) {
    this.#deployment = deployment
    this.#options = options
    const urls = deployment.apis.map(({ url }) => url)
    const { api_key } = deployment
    const { random, rate, timeout_ms, lanes } = options
    const pace = { rate, at_once: lanes, ...(timeout_ms && { timeout_ms }) }
    this.client = new Client({ urls, api_key, random, ...pace })
    this.#parts = [this.#tell(), ...(options.queued_rate > 0 ? [this.#queue()] : [])]
  }

  /** No new story; those under way end, and their last wishes are asked again until answered. */
  async finish(): Promise<void> {
    this.#over = true
    this.client.deadline = performance.now() + DRAIN_MS_MAX
    await Promise.all(this.#parts)
    await Promise.all(this.#stories)
  }

  async #tell(): Promise<void> {
    while (!this.#over) {
      const { waiting } = this.client
      if (this.#stories.size - waiting >= this.#options.lanes || waiting >= WAITING_MAX) {
        await sleep(5)
        continue
      }
      const story = this.#story()
      this.#stories.add(story)
      void story.finally(() => this.#stories.delete(story))
    }
  }

  /** Charges by way of the queue, so that a killed worker has something in its hands. */
  async #queue(): Promise<void> {
    const { ctx } = this.#deployment.parts
    const caller = { owner_id: OWNER, staff: false, scopes: [] }
    while (!this.#over) {
      try {
        const { order_id } = await queueCharge(ctx, caller, chargeInput('bank_transfer'))
        this.acknowledged.queued_orders.push(order_id)
      } catch {
        // The database is away; nothing was promised.
      }
      await sleep(1_000 / this.#options.queued_rate)
    }
  }

  async #story(): Promise<void> {
    const { random } = this.#options
    const payment_type = random.pick(TYPES)
    const order_id = `c-${randomUUID()}`
    const charged = await this.#charge(payment_type, order_id)
    if (charged?.status !== 201) return
    const id = String(charged.body['id'])
    const fate = random.fraction()
    if (fate < 0.5) await this.#pay(id, order_id, payment_type)
    else if (fate < 0.65) await this.#act(id, 'cancel')
    else if (fate < 0.75 && payment_type !== 'credit_card') await this.#act(id, 'expire')
    else if (fate < 0.9)
      await this.client.wish({ method: 'GET', path: `/payments/${id}/check_status/` })
    if (random.chance(0.3))
      await this.client.wish({ method: 'GET', path: '/payments/?page_size=20' })
    if (random.chance(0.05)) await this.#invoice()
  }

  async #charge(payment_type: string, order_id: string): Promise<Answer | undefined> {
    const { gateway } = this.#deployment.parts.ctx
    const card =
      payment_type === 'credit_card'
        ? { token_id: await cardToken(gateway).catch(() => 'none'), authentication: false }
        : {}
    const body = chargeInput(payment_type, { order_id, ...card })
    const wish = { method: 'POST', path: '/charge/', body, key: randomUUID() } as const
    const answer = await this.client.wish(wish)
    const { charges, refused_orders } = this.acknowledged
    if (answer?.status === 201) charges.push({ id: String(answer.body['id']), order_id })
    else if (answer !== undefined) refused_orders.push(order_id)
    return answer
  }

  async #pay(id: string, order_id: string, payment_type: string): Promise<void> {
    const { random } = this.#options
    await this.#deployment.witness.control(`transactions/${order_id}/pay`)
    const path = `/payments/${id}/`
    for (let look = 0; look < PAID_LOOKS_MAX && !this.#over; look++) {
      const seen = await this.client.wish({ method: 'GET', path })
      if (seen?.body['is_paid'] === true) break
      await sleep(100)
    }
    if (!REFUNDABLE.has(payment_type) || random.chance(0.4)) return
    const amount = payment_type === 'shopeepay' ? 150_000 : REFUND
    const wish = { method: 'POST', path: `${path}refund/`, key: randomUUID() } as const
    const answer = await this.client.wish({ ...wish, body: { amount, reason: 'returned' } })
    const refund = answer?.body['refund'] as { id: string } | undefined
    if (answer?.status === 200 && refund !== undefined)
      this.acknowledged.refunds.push({ payment_id: id, refund_id: refund.id })
  }

  async #act(id: string, action: 'cancel' | 'expire'): Promise<void> {
    const path = `/payments/${id}/${action}/`
    await this.client.wish({ method: 'POST', path, key: randomUUID() })
  }

  async #invoice(): Promise<void> {
    const body = {
      customer_name: 'Budi Santoso',
      customer_email: 'budi@example.com',
      due_date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      items: [{ item_id: 'lamp', description: 'Lamp', price: 75_000, quantity: 2 }],
    }
    await this.client.wish({ method: 'POST', path: '/invoices/', body, key: randomUUID() })
  }
}
