// What people other than the merchant do: the payer, the bank, the fraud system, and the merchant's
// own staff on the dashboard.
import { verdictOf } from '../charge/card.ts'
import { makeRefund, remainingOf } from '../operations/refund.ts'
import { integerAt, textAt, type Fields } from '../wire/fields.ts'
import { SECOND_MS } from '../wire/times.ts'
import {
  authorize,
  capture,
  challenge,
  end,
  giveBack,
  notePayment,
  settle,
} from '../world/moves.ts'
import type { Transaction } from '../world/transaction.ts'
import { debitWallet } from '../world/wallet.ts'
import type { World } from '../world/world.ts'

type Deed = (world: World, transaction: Transaction, body: Fields) => string | undefined

const LATE_ACCEPT_MS = 60 * SECOND_MS

/** Each deed answers why it cannot be done, or nothing once it is done. */
export const DEEDS: Record<string, Deed> = {
  pay: (world, transaction, body) => {
    if (transaction.status !== 'pending') return `it is ${transaction.status}, not pending`
    if (transaction.payment_type === 'credit_card') return finishThreeDs(world, transaction, true)
    return payWaiting(world, transaction, body)
  },
  finish_3ds: (world, transaction, body) => {
    const waits = transaction.status === 'pending' && transaction.payment_type === 'credit_card'
    if (!waits) return 'no 3DS is going on'
    return finishThreeDs(world, transaction, textAt(body, 'result') !== 'fail')
  },
  deny: (world, transaction) => {
    if (transaction.status !== 'pending' && transaction.status !== 'authorize')
      return `it is ${transaction.status}`
    end(world, transaction, { status: 'deny', cause: 'provider denied' })
    return undefined
  },
  fail: (world, transaction) => {
    if (transaction.status !== 'pending') return `it is ${transaction.status}, not pending`
    end(world, transaction, { status: 'failure', cause: 'processing error' })
    return undefined
  },
  expire: (world, transaction) => {
    if (transaction.status !== 'pending') return `it is ${transaction.status}, not pending`
    end(world, transaction, { status: 'expire', cause: 'time is over' })
    return undefined
  },
  challenge: (world, transaction) => {
    if (transaction.payment_type !== 'credit_card' || transaction.status !== 'pending')
      return 'only a card that waits for 3DS can be challenged; or charge card 4511 1111 1111 1117'
    challenge(world, transaction, 'fraud system')
    return undefined
  },
  settle: (world, transaction) => {
    if (transaction.status !== 'capture' || transaction.fraud_status === 'challenge')
      return 'only a captured card settles'
    settle(world, transaction, 'settled early')
    return undefined
  },
  reverse: (world, transaction) => {
    if (transaction.status !== 'settlement') return `it is ${transaction.status}, not settlement`
    if (!isReversible(transaction)) return 'only Permata, Mandiri bill and Indomaret are reversed'
    end(world, transaction, { status: 'deny', cause: 'reversal' })
    return undefined
  },
  chargeback: (world, transaction, body) => chargeBack(world, transaction, body),
  refund: (world, transaction, body) => refundOnDashboard(world, transaction, body),
  refuse_next: (_world, transaction, body) => {
    const what = textAt(body, 'operation')
    if (what !== 'capture' && what !== 'direct_refund')
      return 'operation must be capture or direct_refund'
    transaction.refuse_next.add(what)
    return undefined
  },
}

/** Wire 4.1: three providers take a payment back minutes after they reported it. */
const isReversible = ({ payment_type, channel }: Transaction): boolean =>
  payment_type === 'echannel' || channel === 'permata' || channel === 'indomaret'

function payWaiting(world: World, transaction: Transaction, body: Fields): undefined {
  const { details } = transaction
  transaction.details = { ...details, ...paymentDetails(world, transaction, body) }
  if (transaction.channel === 'bni') notePayment(world, transaction)
  debitWallet(world, transaction)
  if (transaction.authorize_only === true) authorize(world, transaction, 'confirmed')
  else settle(world, transaction, 'paid')
  return undefined
}

/** Fields that exist only once somebody has paid. Wire 5.2. */
function paymentDetails(
  world: World,
  { payment_type, channel, details }: Transaction,
  body: Fields,
): Fields {
  const shopee = {
    shopeepay_reference_number: world.random.digits(18),
    reference_id: `SP-${world.random.letters(22)}`,
  }
  switch (payment_type) {
    case 'gopay':
      return details['payment_option_type'] === undefined
        ? { payment_option_type: textAt(body, 'payment_option_type') ?? 'GOPAY_WALLET' }
        : {}
    case 'qris':
      return {
        issuer: textAt(body, 'issuer') ?? channel,
        transaction_type: textAt(body, 'transaction_type') ?? 'on-us',
        merchant_cross_reference_id: world.random.uuid(),
        ...(channel !== 'gopay' && shopee),
      }
    case 'shopeepay':
      return shopee
    case 'cstore':
    case 'echannel':
      return { approval_code: world.random.digits(20) }
    default:
      return {}
  }
}

/** The cardholder came back from the bank's page; the sandbox card decides the rest. */
function finishThreeDs(world: World, transaction: Transaction, passed: boolean): undefined {
  // The verdict was sealed when the token was read; the page only lets it out.
  const { card = 'accept', details } = transaction
  if (!passed) {
    transaction.details = { ...details, eci: '07' }
    end(world, transaction, { status: 'deny', cause: 'not authenticated' })
    return
  }
  if (card === 'late_accept') {
    // Still pending when the payer is back in the shop; the answer comes a minute later.
    world.clock.schedule(world.clock.now() + LATE_ACCEPT_MS, () => {
      if (transaction.status === 'pending') conclude(world, transaction, 'accept')
    })
    return
  }
  conclude(world, transaction, card)
}

function conclude(
  world: World,
  transaction: Transaction,
  card: Transaction['card'] & string,
): void {
  const verdict = verdictOf(card)
  const approval_code = String(world.clock.now())
  transaction.details = { ...transaction.details, ...verdict.details, approval_code }
  const cause = '3DS passed'
  if (!verdict.approved) {
    end(world, transaction, { status: 'deny', cause, fraud_status: verdict.fraud_status })
  } else if (verdict.fraud_status === 'challenge') {
    challenge(world, transaction, cause)
  } else if (transaction.authorize_only === true) {
    authorize(world, transaction, cause)
  } else {
    capture(world, transaction, { amount: transaction.gross_amount, cause })
  }
}

function chargeBack(world: World, transaction: Transaction, body: Fields): string | undefined {
  const open = ['settlement', 'partial_refund', 'partial_chargeback'].includes(transaction.status)
  if (transaction.payment_type !== 'credit_card' || !open)
    return 'only a settled card is charged back'
  const remaining = remainingOf(transaction)
  const amount = integerAt(body, 'amount') ?? remaining
  if (amount < 1 || amount > remaining) return `amount must be between 1 and ${remaining}`
  giveBack(world, transaction, { kind: 'chargeback', amount })
  return undefined
}

function refundOnDashboard(world: World, transaction: Transaction, body: Fields) {
  const open = ['settlement', 'partial_refund'].includes(transaction.status)
  if (!open) return `it is ${transaction.status}`
  const remaining = remainingOf(transaction)
  const amount = integerAt(body, 'amount') ?? remaining
  if (amount < 1 || amount > remaining) return `amount must be between 1 and ${remaining}`
  makeRefund(world, transaction, {
    refund_key: textAt(body, 'refund_key') ?? `dashboard-${world.random.uuid()}`,
    amount,
    reason: textAt(body, 'reason') ?? 'refunded on the dashboard',
    refund_method: 'offline',
  })
  return undefined
}
