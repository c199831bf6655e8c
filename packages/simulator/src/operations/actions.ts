import type { Call } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { integerAt, textAt } from '../wire/fields.ts'
import { actionReply } from '../wire/representation.ts'
import { capture as captureMoney, end, settle } from '../world/transitions.ts'
import type { Transaction, TransactionStatus } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { transactionOf } from './found.ts'

const CANCELLABLE = new Set<TransactionStatus>(['pending', 'authorize', 'capture'])

const refuse = (world: World, status_code: string): Reply =>
  coreError(status_code, world.random.uuid())

const answer = (
  world: World,
  transaction: Transaction,
  [status_code, status_message]: [string, string],
): Reply => coreReply(actionReply(world, transaction, { status_code, status_message }))

/**
 * POST /v2/{id}/cancel: while pending, held or captured but not settled
 * (gateway-protocol.md#when-an-action-is-allowed).
 */
export function cancel(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return refuse(world, '404')
  if (!CANCELLABLE.has(transaction.status)) return refuse(world, '412')
  end(world, transaction, { status: 'cancel', cause: 'cancel' })
  return answer(world, transaction, ['200', 'Success, transaction is canceled'])
}

/** POST /v2/{id}/expire: its success is body code 407. */
export function expire(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return refuse(world, '404')
  if (transaction.status !== 'pending') return refuse(world, '412')
  end(world, transaction, { status: 'expire', cause: 'expire' })
  return answer(world, transaction, ['407', 'Success, transaction has expired'])
}

/** POST /v2/{id}/approve: approves a challenged card. */
export function approve(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return refuse(world, '404')
  if (!isChallenged(transaction)) return refuse(world, '412')
  captureMoney(world, transaction, { amount: transaction.gross_amount, cause: 'approve' })
  return answer(world, transaction, ['200', 'Success, transaction is approved'])
}

/** POST /v2/{id}/deny: denies a challenged card. */
export function deny(world: World, call: Call): Reply {
  const transaction = transactionOf(world, call)
  if (!transaction) return refuse(world, '404')
  if (!isChallenged(transaction)) return refuse(world, '412')
  end(world, transaction, { status: 'deny', cause: 'deny', fraud_status: 'deny' })
  return answer(world, transaction, ['200', 'Success, transaction is denied'])
}

const isChallenged = ({ status, fraud_status }: Transaction): boolean =>
  status === 'capture' && fraud_status === 'challenge'

/** POST /v2/capture: captures all or part of a held amount (gateway-protocol.md#capture). */
export function capture(world: World, call: Call): Reply {
  if (!call.body) return refuse(world, '413')
  const id = textAt(call.body, 'transaction_id')
  if (id === undefined) return invalid(world, 'transaction_id is required')
  const transaction = world.transactions.find(id)
  if (!transaction) return refuse(world, '404')
  if (transaction.status !== 'authorize') return refuse(world, '412')
  const wallet = transaction.payment_type === 'gopay'
  const { held } = transaction.purse
  const amount = 'gross_amount' in call.body ? integerAt(call.body, 'gross_amount') : held
  if (amount === undefined || amount < 1)
    return invalid(world, 'gross_amount must be a whole number without decimals')
  if (amount > held) return invalid(world, 'gross_amount must not exceed the authorized amount')
  if (wallet && amount !== held) return invalid(world, 'GoPay cannot be captured in part')
  // Checked last, so that an invalid call does not use up the refusal.
  if (transaction.refuse_next.delete('capture')) return bankRefuses(world, transaction)
  if (wallet) settle(world, transaction, 'capture')
  else captureMoney(world, transaction, { amount, cause: 'capture' })
  return answer(world, transaction, [
    '200',
    wallet
      ? 'Success, GoPay transaction is successful'
      : 'Success, Credit Card capture transaction is successful',
  ])
}

const invalid = (world: World, message: string): Reply =>
  coreError('400', world.random.uuid(), { validation_messages: [message] })

/** The bank refused: the reply reads like a denial, but the hold can be captured later. */
const bankRefuses = (world: World, transaction: Transaction): Reply =>
  coreReply({
    ...actionReply(world, transaction, {
      status_code: '202',
      status_message: 'Deny by Bank [BNI] with code [01] and message [Refer to card issuer]',
    }),
    channel_response_code: '01',
    channel_response_message: 'Refer to card issuer',
    transaction_status: 'deny',
  })
