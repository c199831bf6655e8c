import type { Fields } from '../wire/fields.ts'
import { freesOrder, isPaid, type Transaction } from './transaction.ts'

/** `completed` once a transaction made on the page was paid; only a live page takes a method. */
export type CheckoutStatus = 'live' | 'completed' | 'expired' | 'canceled'

/** One hosted payment page (Snap). It moves no money: the transactions made on it do. */
export interface Checkout {
  token: string
  order_id: string
  gross_amount: number
  created_at: number
  /** Of the page; a transaction has an expiry of its own. */
  expires_at: number
  canceled_at: number | undefined
  /** The payer closed the page last then; the same token opens it again. */
  abandoned_at: number | undefined
  opened: number
  /** Methods by their `enabled_payments` names. */
  methods: string[]
  /** The create request as the merchant sent it. */
  body: Fields
  override_urls: string[] | undefined
  append_urls: string[]
  /** One for each method the payer chose, oldest first. */
  transactions: Transaction[]
}

/** What the page is at the given time. */
export function checkoutStatus(checkout: Checkout, now: number): CheckoutStatus {
  if (checkout.canceled_at !== undefined) return 'canceled'
  if (checkout.transactions.some(isPaid)) return 'completed'
  return now >= checkout.expires_at ? 'expired' : 'live'
}

/** Whether a transaction made on the page waits for the payer or was paid. */
export const isInProgress = ({ transactions }: Checkout): boolean =>
  transactions.some((transaction) => !freesOrder(transaction))

/** Every page, by its token or its order id (newest last). */
export class CheckoutIndex {
  #by_token = new Map<string, Checkout>()
  #by_order = new Map<string, Checkout[]>()

  add(checkout: Checkout): void {
    this.#by_token.set(checkout.token, checkout)
    const earlier = this.#by_order.get(checkout.order_id)
    if (earlier) earlier.push(checkout)
    else this.#by_order.set(checkout.order_id, [checkout])
  }

  byToken(token: string): Checkout | undefined {
    return this.#by_token.get(token)
  }

  allOf(order_id: string): readonly Checkout[] {
    return this.#by_order.get(order_id) ?? []
  }

  /** By token, or the newest page of an order id. */
  find(id: string): Checkout | undefined {
    return this.#by_token.get(id) ?? this.allOf(id).at(-1)
  }

  values(): Iterator<Checkout> & Iterable<Checkout> {
    return this.#by_token.values()
  }

  page({ after, limit }: { after: number; limit: number }): Checkout[] {
    return [...this.#by_token.values().drop(after).take(limit)]
  }

  get size(): number {
    return this.#by_token.size
  }
}
