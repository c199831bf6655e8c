import type { Call } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { rupiah } from '../wire/amounts.ts'
import { has, integerAt, textAt, type Fields } from '../wire/fields.ts'
import { actionReply } from '../wire/representation.ts'
import { DAY_MS, MINUTE_MS } from '../wire/times.ts'
import { giveBack, notifyPayment } from '../world/transitions.ts'
import type { Refund, Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { transactionOf } from './found.ts'
import { isShopeepayNight, refundRuleOf } from './refund_rules.ts'

const KEY_LIFE_MS = 7 * DAY_MS
const REFUNDABLE = new Set(['settlement', 'partial_refund'])
// A direct refund is final at once, a standard one when the provider has confirmed it
// (gateway-protocol.md#refunds).
const CONFIRMED_AFTER_MS = { online: MINUTE_MS, offline: DAY_MS }

interface RefundRequest {
  refund_key: string
  amount: number
  reason: string
  refund_method: Refund['refund_method']
}

/** POST /v2/{id}/refund. */
export const refund = (world: World, call: Call): Reply => refundBy(world, call, 'offline')

/** POST /v2/{id}/refund/online/direct. */
export const directRefund = (world: World, call: Call): Reply => refundBy(world, call, 'online')

function refundBy(world: World, call: Call, refund_method: Refund['refund_method']): Reply {
  const body = call.body_text === '' ? {} : call.body
  if (!body) return coreError('413', world.random.uuid())
  const transaction = transactionOf(world, call)
  if (!transaction) return coreError('404', world.random.uuid())
  const messages = refundFaults(body)
  if (messages.length > 0)
    return coreError('400', world.random.uuid(), { validation_messages: messages })
  const remaining = remainingOf(transaction)
  const request: RefundRequest = {
    refund_key: textAt(body, 'refund_key') ?? world.random.uuid(),
    amount: integerAt(body, 'amount') ?? remaining,
    reason: textAt(body, 'reason') ?? '',
    refund_method,
  }
  const refusal = refusalOf(world, transaction, request)
  if (refusal) return refusal
  const entry = makeRefund(world, transaction, request)
  return refundReply(world, transaction, entry)
}

function refundFaults(body: Fields): string[] {
  const messages: string[] = []
  if (has(body, 'amount') && integerAt(body, 'amount') === undefined)
    messages.push('amount must be a whole number without decimals')
  if (has(body, 'refund_key') && !/^[\w-]+$/.test(textAt(body, 'refund_key') ?? ''))
    messages.push('refund_key must only contain letters, digits, - and _')
  if ((textAt(body, 'reason')?.length ?? 0) > 255) messages.push('reason size must be at most 255')
  return messages
}

/** What may still be refunded: never the customer's fee. */
export const remainingOf = ({ purse }: Transaction): number =>
  purse.settled - purse.refunded - purse.charged_back

function refusalOf(
  world: World,
  transaction: Transaction,
  { refund_key, amount, refund_method }: RefundRequest,
): Reply | undefined {
  const error = (code: string, status_message?: string): Reply =>
    coreError(code, world.random.uuid(), status_message === undefined ? {} : { status_message })
  const now = world.clock.now()
  const tried = transaction.refund_keys.get(refund_key)
  // Before the status check: a full refund repeated with its key is not a new attempt.
  if (tried?.succeeded) return error('406', 'Duplicate refund ID')
  if (!REFUNDABLE.has(transaction.status)) return error('412')
  const rule = refundRuleOf(transaction)
  const direct = refund_method === 'online'
  if (!rule || (direct && !rule.direct(transaction))) return error('412')
  if (now > (transaction.settled_at ?? 0) + rule.window_ms) return error('412')
  if (tried && now > tried.first_attempt_at + KEY_LIFE_MS) return error('412')
  // From here on the key has been tried, and its seven days run.
  if (!tried) transaction.refund_keys.set(refund_key, { first_attempt_at: now, succeeded: false })
  const remaining = remainingOf(transaction)
  if (amount < 1 || amount > remaining) return error('414')
  if (!rule.partial && amount < transaction.purse.settled) return error('414')
  const { balance } = world.settings
  if (balance !== null && amount > balance)
    return error('414', 'Refund request is rejected due to insufficient balance')
  const refused = direct && transaction.refuse_next.delete('direct_refund')
  if (refused || (direct && isShopeepayNight(transaction.payment_type, now)))
    return deniedByBank(world, transaction, refund_key)
  return undefined
}

/** Moves the money and notifies the merchant, now and when the provider has confirmed. */
export function makeRefund(
  world: World,
  transaction: Transaction,
  { refund_key, amount, reason, refund_method }: RefundRequest,
): Refund {
  const now = world.clock.now()
  const entry: Refund = {
    refund_chargeback_id: Number(world.random.digits(9)) + 1,
    refund_chargeback_uuid: world.random.uuid(),
    refund_key,
    amount,
    reason,
    refund_method,
    created_at: now,
  }
  transaction.refunds.push(entry)
  const tried = transaction.refund_keys.get(refund_key)
  transaction.refund_keys.set(refund_key, {
    first_attempt_at: tried?.first_attempt_at ?? now,
    succeeded: true,
  })
  giveBack(world, transaction, { kind: 'refund', amount, refund_key, reason })
  world.clock.schedule(now + CONFIRMED_AFTER_MS[refund_method], () => {
    entry.bank_confirmed_at = world.clock.now()
    notifyPayment(world, transaction)
  })
  return entry
}

/** Status and amount stay as they were; only the reply shows the attempt. */
const deniedByBank = (world: World, transaction: Transaction, refund_key: string): Reply =>
  coreReply({
    ...actionReply(world, transaction, {
      status_code: '202',
      status_message: 'Refund denied by the bank',
    }),
    refund_chargeback_id: Number(world.random.digits(9)) + 1,
    refund_amount: '0.00',
    refund_key,
  })

function refundReply(world: World, transaction: Transaction, entry: Refund): Reply {
  const direct = entry.refund_method === 'online'
  return coreReply({
    ...actionReply(world, transaction, {
      status_code: '200',
      status_message: direct
        ? 'Success, refund request is approved by the bank'
        : 'Success, refund request is approved',
    }),
    refund_chargeback_id: entry.refund_chargeback_id,
    refund_chargeback_uuid: entry.refund_chargeback_uuid,
    // The direct reply is cumulative, the standard one is about this refund
    // (gateway-protocol.md#refunds).
    refund_amount: rupiah(direct ? transaction.purse.refunded : entry.amount),
    refund_key: entry.refund_key,
  })
}
