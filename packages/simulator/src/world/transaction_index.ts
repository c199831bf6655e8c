import type { Transaction } from './transaction.ts'

// Limits the memory of a simulator that runs a soak test.
const TRANSACTIONS_MAX = 1_000_000

/** Every transaction, by its id, its order id (newest last) or the number a payer types in. */
export class TransactionIndex {
  #by_id = new Map<string, Transaction>()
  #in_order: Transaction[] = []
  #by_order = new Map<string, Transaction[]>()
  #by_number = new Map<string, Transaction>()

  add(transaction: Transaction): void {
    if (this.#by_id.size >= TRANSACTIONS_MAX)
      throw new Error('the simulator holds its maximum of transactions: POST /_sim/reset')
    this.#by_id.set(transaction.transaction_id, transaction)
    this.#in_order.push(transaction)
    const earlier = this.#by_order.get(transaction.order_id)
    if (earlier) earlier.push(transaction)
    else this.#by_order.set(transaction.order_id, [transaction])
  }

  /**
   * Looks up by transaction id exactly, or by order id for its newest transaction
   * (gateway-protocol.md#field-conventions).
   */
  find(id: string): Transaction | undefined {
    return this.#by_id.get(id) ?? this.newestOf(id)
  }

  byId(id: string): Transaction | undefined {
    return this.#by_id.get(id)
  }

  newestOf(order_id: string): Transaction | undefined {
    return this.#by_order.get(order_id)?.at(-1)
  }

  allOf(order_id: string): readonly Transaction[] {
    return this.#by_order.get(order_id) ?? []
  }

  /** The pending transaction a payer reaches by typing a VA number, bill key or payment code. */
  waitingOn(number: string): Transaction | undefined {
    const found = this.#by_number.get(number)
    return found?.status === 'pending' ? found : undefined
  }

  giveNumber(number: string, transaction: Transaction): void {
    this.#by_number.set(number, transaction)
  }

  page({ after, limit }: { after: number; limit: number }): Transaction[] {
    return [...this.#by_id.values().drop(after).take(limit)]
  }

  /** Every transaction, the latest charge first. */
  *newestFirst(): Generator<Transaction, void> {
    for (let index = this.#in_order.length - 1; index >= 0; index -= 1) {
      const transaction = this.#in_order[index]
      if (transaction !== undefined) yield transaction
    }
  }

  get size(): number {
    return this.#by_id.size
  }
}
