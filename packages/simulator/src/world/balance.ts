import { businessDayAfter } from './business_days.ts'
import type { MoneyEntry } from './ledger.ts'
import { feeOf } from './rates.ts'
import type { Transaction } from './transaction.ts'
import type { World } from './world.ts'

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

const RUPIAH = 100

/** Business days between settlement and the day it can be withdrawn. */
export const CUTOFF_DAYS = 3

/** Adds a movement of money to the merchant's balance; holds and captures are not on it. */
export function postToBalance(
  world: World,
  transaction: Transaction,
  { movement, amount, source }: Pick<MoneyEntry, 'movement' | 'amount' | 'source'>,
): void {
  const { balance, clock, settings } = world
  const at = clock.now()
  const { order_id, transaction_id, payment_type } = transaction
  const available_at =
    movement === 'settle'
      ? businessDayAfter(at, CUTOFF_DAYS, settings.holidays)
      : Math.max(at, balance.availableAt(transaction_id))
  const post = (kind: BalanceKind, signed: number): void =>
    balance.add({ at, available_at, kind, amount: signed, order_id, transaction_id })
  if (movement === 'settle') {
    const { fee, vat } = feeOf(payment_type, amount * RUPIAH)
    balance.keep(transaction_id, { available_at, fee, vat })
    post('payment', amount * RUPIAH)
    post('fee', -fee)
    post('vat', -vat)
  } else if (movement === 'refund' || movement === 'chargeback') {
    post(movement, -amount * RUPIAH)
  } else if (movement === 'reverse' && source === 'settlement') {
    // What the payer paid beyond the merchant's part never was on the balance.
    const { fee, vat } = balance.feeOf(transaction_id) ?? { fee: 0, vat: 0 }
    post('reversal', -(amount - transaction.purse.fee) * RUPIAH)
    post('fee_return', fee)
    post('vat_return', vat)
  }
}
