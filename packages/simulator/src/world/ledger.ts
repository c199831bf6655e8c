export type Movement = 'authorize' | 'capture' | 'settle' | 'refund' | 'reverse' | 'chargeback'

/** One request and its result. */
export interface CallEntry {
  kind: 'call'
  sequence: number
  at: string
  operation: string
  method: string
  path: string
  order_id?: string | undefined
  transaction_id?: string | undefined
  /** The account, subscription or invoice a path names. */
  resource_id?: string | undefined
  idempotency_key?: string | undefined
  request_digest?: string | undefined
  /** Null: no reply was sent. */
  http_status: number | null
  status_code: string | null
  fault?: string | undefined
  replayed: boolean
  work_done: boolean
}

/** One movement of money, in whole rupiah. */
export interface MoneyEntry {
  kind: 'money'
  sequence: number
  at: string
  movement: Movement
  amount: number
  /** For a reversal: what is given back. A released hold was never captured money. */
  source?: 'hold' | 'capture' | 'settlement'
  /** The customer's fee inside a captured amount; it never reaches the merchant. */
  fee?: number
  order_id: string
  transaction_id: string
  refund_key?: string | undefined
  /** Of a refund, as the merchant gave it: a campaign finds its own refunds by it. */
  reason?: string | undefined
}

export type CheckoutEvent =
  | 'created'
  | 'opened'
  | 'method_chosen'
  | 'abandoned'
  | 'returned'
  | 'expired'
  | 'canceled'

/** One event of a hosted page. */
export interface CheckoutEntry {
  kind: 'checkout'
  sequence: number
  at: string
  event: CheckoutEvent
  token: string
  order_id: string
  /** The transaction that a chosen method made. */
  transaction_id?: string | undefined
}

/** All kinds share one sequence, so that cause and effect stand next to each other. */
export type LedgerEntry = CallEntry | MoneyEntry | CheckoutEntry

/** What one order id has moved over all its transactions. */
export interface OrderTotals {
  charges: number
  authorized: number
  released: number
  captured: number
  settled: number
  refunded: number
  reversed: number
  charged_back: number
  fees: number
}

type Unnumbered<Entry> = Omit<Entry, 'kind' | 'sequence' | 'at'>

const noTotals = (): OrderTotals => ({
  charges: 0,
  authorized: 0,
  released: 0,
  captured: 0,
  settled: 0,
  refunded: 0,
  reversed: 0,
  charged_back: 0,
  fees: 0,
})

/** Independent evidence: entries are only added, and the totals are their sums. */
export class Ledger {
  #entries: LedgerEntry[] = []
  #totals = new Map<string, OrderTotals>()
  #calls = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  call(entry: Unnumbered<CallEntry>): void {
    this.#entries.push({ kind: 'call', ...this.#stamp(), ...entry })
    this.#calls.set(entry.operation, (this.#calls.get(entry.operation) ?? 0) + 1)
  }

  money(entry: Unnumbered<MoneyEntry>): void {
    this.#entries.push({ kind: 'money', ...this.#stamp(), ...entry })
    const totals = this.#totalsOf(entry.order_id)
    totals.fees += entry.fee ?? 0
    totals[columnOf(entry)] += entry.amount
  }

  checkout(entry: Unnumbered<CheckoutEntry>): void {
    this.#entries.push({ kind: 'checkout', ...this.#stamp(), ...entry })
  }

  /** Counts a created transaction, whatever its later status. */
  charge(order_id: string): void {
    this.#totalsOf(order_id).charges += 1
  }

  get size(): number {
    return this.#entries.length
  }

  /** Entries after a sequence number; sequence n stands at index n - 1, so paging costs nothing. */
  *after(since: number): Iterable<LedgerEntry> {
    for (let index = Math.max(0, since); index < this.#entries.length; index++) {
      const entry = this.#entries[index]
      if (entry !== undefined) yield entry
    }
  }

  totals(order_id: string): OrderTotals | undefined {
    return this.#totals.get(order_id)
  }

  summary(): { orders: Record<string, OrderTotals>; calls: Record<string, number> } {
    return { orders: Object.fromEntries(this.#totals), calls: Object.fromEntries(this.#calls) }
  }

  #stamp(): { sequence: number; at: string } {
    return { sequence: this.#entries.length + 1, at: new Date(this.#now()).toISOString() }
  }

  #totalsOf(order_id: string): OrderTotals {
    const known = this.#totals.get(order_id)
    if (known) return known
    const fresh = noTotals()
    this.#totals.set(order_id, fresh)
    return fresh
  }
}

const COLUMNS: Record<Exclude<Movement, 'reverse'>, keyof OrderTotals> = {
  authorize: 'authorized',
  capture: 'captured',
  settle: 'settled',
  refund: 'refunded',
  chargeback: 'charged_back',
}

function columnOf({ movement, source }: Unnumbered<MoneyEntry>): keyof OrderTotals {
  if (movement === 'reverse') return source === 'hold' ? 'released' : 'reversed'
  return COLUMNS[movement]
}
