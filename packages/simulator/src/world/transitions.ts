// Every change of a transaction's status goes through here, so that its history, the money and the
// notification always agree.
import { rupiah } from '../wire/amounts.ts'
import { fieldsAt } from '../wire/fields.ts'
import { notificationFields } from '../wire/representation.ts'
import { DAY_MS, nextDayAt, wibTime } from '../wire/times.ts'
import { moveMoney } from './money.ts'
import { creditWallet } from './wallet.ts'
import type { FraudStatus, Transaction, TransactionStatus } from './transaction.ts'
import type { World } from './world.ts'

/** The hour of the daily settlement run of cards. */
export const SETTLEMENT_HOUR_WIB = 16
// The text says seven days, the field table eight; the text is the stricter
// (gateway-protocol.md#payment-types).
/** How long a card's hold waits for its capture. */
export const HOLD_LIFE_MS = 7 * DAY_MS
// At most three, where the pages disagree between two and three
// (gateway-protocol.md#request-headers).
const URLS_MAX = 3

/** Notifies the merchant of the transaction's current status. */
export function notifyPayment(world: World, transaction: Transaction): void {
  const { override_urls, append_urls, order_id, transaction_id, status } = transaction
  const dashboard = world.settings.notification_url
  const urls = override_urls ?? [...(dashboard === '' ? [] : [dashboard]), ...append_urls]
  world.courier.notify({
    kind: 'payment',
    urls: urls.slice(0, URLS_MAX),
    payload: notificationFields(world, transaction),
    order_id,
    transaction_id,
    transaction_status: status,
  })
}

interface Change {
  status: TransactionStatus
  cause: string
  fraud_status?: FraudStatus
}

function change(world: World, transaction: Transaction, { status, cause, fraud_status }: Change) {
  transaction.status = status
  if (fraud_status) transaction.fraud_status = fraud_status
  const { fraud_status: fraud } = transaction
  transaction.history.push({
    at: world.clock.now(),
    after_sequence: world.ledger.size,
    status,
    ...(fraud && { fraud_status: fraud }),
    cause,
  })
  notifyPayment(world, transaction)
}

/** Records and notifies the first status of a new transaction. */
export function begin(world: World, transaction: Transaction, cause: string): void {
  const { status, gross_amount, fraud_status } = transaction
  world.ledger.charge(transaction.order_id)
  if (status === 'authorize' || (status === 'capture' && fraud_status === 'challenge')) {
    moveMoney(world, transaction, { movement: 'authorize', amount: gross_amount })
  } else if (status === 'capture') {
    moveMoney(world, transaction, { movement: 'capture', amount: gross_amount })
  } else if (status === 'settlement') {
    captureAndSettle(world, transaction)
  }
  if (status === 'capture') settleNextDay(world, transaction)
  if (status === 'pending' || status === 'authorize') watchExpiry(world, transaction)
  change(world, transaction, { status, cause })
}

/** Ends a transaction that is still pending at its expiry time. */
function watchExpiry(world: World, transaction: Transaction): void {
  const { expires_at } = transaction
  if (expires_at === undefined) return
  world.clock.schedule(expires_at, () => {
    // A later authorization has set a later expiry time: this timer is out of date.
    if (transaction.expires_at !== expires_at) return
    if (transaction.status === 'pending') {
      end(world, transaction, { status: 'expire', cause: 'time is over' })
    } else if (transaction.status === 'authorize') {
      // An authorization without capture is cancelled, not expired
      // (gateway-protocol.md#transaction-statuses).
      end(world, transaction, { status: 'cancel', cause: 'hold has lapsed' })
    }
  })
}

/**
 * Cards settle the next day; a challenge without approval is cancelled at that time
 * (gateway-protocol.md#transaction-statuses).
 */
function settleNextDay(world: World, transaction: Transaction): void {
  world.clock.schedule(nextDayAt(world.clock.now(), SETTLEMENT_HOUR_WIB), () => {
    if (transaction.status !== 'capture') return
    if (transaction.fraud_status === 'challenge') {
      end(world, transaction, { status: 'cancel', cause: 'challenge was not approved' })
    } else {
      settle(world, transaction, 'settlement run')
    }
  })
}

/** The payer paid, a wallet's hold was captured, or a captured card reached its settlement run. */
export function settle(world: World, transaction: Transaction, cause: string): void {
  const { held, captured, fee } = transaction.purse
  if (held > 0) {
    moveMoney(world, transaction, { movement: 'capture', source: 'hold', amount: held })
    moveMoney(world, transaction, { movement: 'settle', amount: held })
  } else if (transaction.status === 'capture') {
    moveMoney(world, transaction, { movement: 'settle', amount: captured - fee })
  } else {
    captureAndSettle(world, transaction)
  }
  transaction.settled_at = world.clock.now()
  change(world, transaction, { status: 'settlement', cause })
}

function captureAndSettle(world: World, transaction: Transaction): void {
  const original = transaction.gross_amount
  const fee = world.settings.customer_fee
  if (fee > 0) imposeFee(transaction, fee)
  const amount = original + fee
  moveMoney(world, transaction, { movement: 'capture', amount, ...(fee > 0 && { fee }) })
  moveMoney(world, transaction, { movement: 'settle', amount: original })
  transaction.settled_at = world.clock.now()
}

/**
 * The reported amount exceeds the charged amount; metadata contains the difference
 * (gateway-protocol.md#payment-notifications).
 */
function imposeFee(transaction: Transaction, fee: number): void {
  const original = transaction.gross_amount
  transaction.gross_amount = original + fee
  // The merchant's own metadata is kept.
  const metadata = fieldsAt(transaction.custom, 'metadata')
  const gross_amount_info = {
    original_amount: String(original),
    gross_amount: String(original + fee),
    customer_imposed_payment_fee: String(fee),
  }
  const extra_info = { ...fieldsAt(metadata, 'extra_info'), gross_amount_info }
  transaction.custom = { ...transaction.custom, metadata: { ...metadata, extra_info } }
}

/** A card is captured: at once, after 3DS, out of a hold, or by approving a challenge. */
export function capture(
  world: World,
  transaction: Transaction,
  { amount, cause }: { amount: number; cause: string },
): void {
  const { held } = transaction.purse
  // The amount that is not captured is released at once, so nothing stays held.
  if (held > amount) {
    moveMoney(world, transaction, { movement: 'reverse', source: 'hold', amount: held - amount })
  }
  moveMoney(world, transaction, {
    movement: 'capture',
    amount,
    ...(held > 0 && { source: 'hold' as const }),
  })
  // From now on every reply and signature contains the captured amount
  // (gateway-protocol.md#capture).
  transaction.gross_amount = amount
  settleNextDay(world, transaction)
  change(world, transaction, { status: 'capture', fraud_status: 'accept', cause })
}

/** The fraud system asks for a review: the money is only held until the merchant approves. */
export function challenge(world: World, transaction: Transaction, cause: string): void {
  if (transaction.purse.held === 0) {
    moveMoney(world, transaction, { movement: 'authorize', amount: transaction.gross_amount })
  }
  settleNextDay(world, transaction)
  change(world, transaction, { status: 'capture', fraud_status: 'challenge', cause })
}

/** Holds the money for a capture; the time to capture starts now, not at the charge. */
export function authorize(world: World, transaction: Transaction, cause: string): void {
  const wallet = transaction.account_id !== undefined
  if (!wallet) transaction.expires_at = world.clock.now() + HOLD_LIFE_MS
  watchExpiry(world, transaction)
  moveMoney(world, transaction, { movement: 'authorize', amount: transaction.gross_amount })
  change(world, transaction, { status: 'authorize', fraud_status: 'accept', cause })
}

interface Ending extends Change {
  status: 'cancel' | 'expire' | 'deny' | 'failure'
}

/** Ends a transaction and reverses everything that was held or captured. */
export function end(world: World, transaction: Transaction, ending: Ending): void {
  const { held, captured, reversed } = transaction.purse
  if (held > 0) moveMoney(world, transaction, { movement: 'reverse', source: 'hold', amount: held })
  if (captured > reversed) {
    const source = transaction.status === 'settlement' ? 'settlement' : 'capture'
    moveMoney(world, transaction, { movement: 'reverse', source, amount: captured - reversed })
  }
  creditWallet(world, transaction, held + captured - reversed)
  change(world, transaction, ending)
}

/** Adds a payment to the list some banks report (gateway-protocol.md#payment-notifications). */
export function notePayment(world: World, transaction: Transaction): void {
  if (!('payment_amounts' in transaction.details)) return
  const paid = { paid_at: wibTime(world.clock.now()), amount: rupiah(transaction.gross_amount) }
  transaction.details = { ...transaction.details, payment_amounts: [paid] }
}

/** Records a refund or chargeback; the status shows whether it was in full or in part. */
export function giveBack(
  world: World,
  transaction: Transaction,
  {
    kind,
    amount,
    refund_key,
    reason,
  }: { kind: 'refund' | 'chargeback'; amount: number; refund_key?: string; reason?: string },
): void {
  moveMoney(world, transaction, {
    movement: kind,
    amount,
    ...(refund_key !== undefined && { refund_key }),
    ...(reason !== undefined && { reason }),
  })
  if (kind === 'refund') creditWallet(world, transaction, amount)
  const { settled, refunded, charged_back } = transaction.purse
  const status = refunded + charged_back >= settled ? kind : (`partial_${kind}` as const)
  change(world, transaction, { status, cause: kind })
}
