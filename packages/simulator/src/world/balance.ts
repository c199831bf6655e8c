export type BalanceKind =
  | 'payment'
  | 'fee'
  | 'vat'
  | 'refund'
  | 'chargeback'
  | 'reversal'
  | 'fee_return'
  | 'vat_return'
  | 'withdrawal'
  | 'withdrawal_return'

/** One line of the merchant's balance at the gateway, in hundredths of a rupiah, signed. */
export interface BalanceLine {
  sequence: number
  at: number
  /** From when it can be withdrawn; until then it is pending. */
  available_at: number
  kind: BalanceKind
  amount: number
  order_id?: string
  transaction_id?: string
  withdrawal_id?: string
}

/** What the merchant has at one moment, in hundredths of a rupiah. */
export interface BalanceSums {
  effective: number
  pending: number
  overall: number
}

/** The balance as the sum of its lines; they are only added. */
export class Balance {
  #lines: BalanceLine[] = []
  /** Of each transaction: from when its money can be withdrawn, and what was kept of it. */
  #kept = new Map<string, { available_at: number; fee: number; vat: number }>()

  add(line: Omit<BalanceLine, 'sequence'>): void {
    if (!Number.isSafeInteger(line.amount)) throw new Error(`no balance line of ${line.amount}`)
    if (line.amount !== 0) this.#lines.push({ sequence: this.#lines.length + 1, ...line })
  }

  /** The lines after a sequence number. */
  after(since: number): readonly BalanceLine[] {
    return this.#lines.slice(Math.max(0, since))
  }

  /** Everything before the moment. */
  before(moment: number): BalanceSums {
    let overall = 0
    let effective = 0
    for (const { at, available_at, amount } of this.#lines) {
      if (at >= moment) continue
      overall += amount
      if (available_at < moment) effective += amount
    }
    return { effective, pending: overall - effective, overall }
  }

  feeOf(transaction_id: string): { fee: number; vat: number } | undefined {
    return this.#kept.get(transaction_id)
  }

  keep(transaction_id: string, kept: { available_at: number; fee: number; vat: number }): void {
    this.#kept.set(transaction_id, kept)
  }

  availableAt(transaction_id: string): number {
    return this.#kept.get(transaction_id)?.available_at ?? 0
  }
}
