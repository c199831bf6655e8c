import type { BalanceKind } from './balance.ts'
import { businessDayAfter } from './business_days.ts'
import type { MoneyEntry } from './ledger.ts'
import { feeOf } from './rates.ts'
import type { Transaction } from './transaction.ts'
import type { World } from './world.ts'

const RUPIAH = 100

/** Business days between settlement and the day it can be withdrawn. */
const CUTOFF_DAYS = 3

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
