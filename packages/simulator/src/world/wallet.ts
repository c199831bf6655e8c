import type { PaymentOption } from './account.ts'
import type { Transaction } from './transaction.ts'
import type { World } from './world.ts'

function optionOf(world: World, { account_id, details }: Transaction): PaymentOption | undefined {
  const options = world.accounts.get(account_id ?? '')?.options ?? []
  return options.find(({ name }) => name === details['payment_option_type'])
}

/** Returns money to a linked wallet. Balances of other payers are not simulated. */
export function creditWallet(world: World, transaction: Transaction, amount: number): void {
  const option = optionOf(world, transaction)
  if (option) option.balance += amount
}

/** The customer confirmed a charge to a linked wallet. */
export function debitWallet(world: World, transaction: Transaction): void {
  const option = optionOf(world, transaction)
  if (option) option.balance -= transaction.gross_amount
}
