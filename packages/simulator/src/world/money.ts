import { postToBalance } from './balance_posting.ts'
import type { Movement } from './ledger.ts'
import type { Transaction } from './transaction.ts'
import type { World } from './world.ts'

interface Move {
  movement: Movement
  amount: number
  source?: 'hold' | 'capture' | 'settlement'
  fee?: number
  refund_key?: string
  reason?: string
}

/**
 * The only function that moves money: the transaction's purse, the payable balance and the ledger
 * change together or, if the movement would create or destroy money, not at all.
 */
export function moveMoney(world: World, transaction: Transaction, move: Move): void {
  const { movement, amount, source, fee = 0 } = move
  const { purse } = transaction
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error(`no ${movement} of ${amount}`)
  const before = { ...purse }
  applyMove(transaction, move)
  if (!isConserved(transaction)) {
    transaction.purse = before
    throw new Error(`a ${movement} of ${amount} is more than ${transaction.order_id} has`)
  }
  if (world.settings.balance !== null) world.settings.balance += balanceChange(transaction, move)
  world.ledger.money({
    movement,
    amount,
    ...(source && { source }),
    ...(fee > 0 && { fee }),
    order_id: transaction.order_id,
    transaction_id: transaction.transaction_id,
    ...(move.refund_key !== undefined && { refund_key: move.refund_key }),
    ...(move.reason !== undefined && { reason: move.reason }),
  })
  postToBalance(world, transaction, move)
}

function applyMove({ purse }: Transaction, { movement, amount, source, fee = 0 }: Move): void {
  switch (movement) {
    case 'authorize':
      purse.held += amount
      break
    case 'capture':
      purse.captured += amount
      purse.fee += fee
      if (source === 'hold') purse.held -= amount
      break
    case 'settle':
      purse.settled += amount
      break
    case 'refund':
      purse.refunded += amount
      break
    case 'chargeback':
      purse.charged_back += amount
      break
    case 'reverse':
      if (source === 'hold') purse.held -= amount
      else purse.reversed += amount
      break
  }
}

/** A purse cannot pay out more than it received. */
const isConserved = ({ purse }: Transaction): boolean =>
  purse.held >= 0 &&
  purse.settled + purse.fee <= purse.captured &&
  purse.refunded + purse.charged_back <= purse.settled &&
  purse.refunded + purse.charged_back + purse.reversed <= purse.captured

function balanceChange({ purse }: Transaction, { movement, amount, source }: Move): number {
  if (movement === 'settle') return amount
  if (movement === 'refund' || movement === 'chargeback') return -amount
  // The customer's fee goes back to the payer too, but it never was in the merchant's balance.
  return source === 'settlement' ? -(amount - purse.fee) : 0
}
