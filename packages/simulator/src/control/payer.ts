// Actions that a tester performs for the other parties: the payer, the bank, the fraud system and
// the merchant's staff on the gateway's dashboard.
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
} from '../world/transitions.ts'
import type { Transaction } from '../world/transaction.ts'
import { debitWallet } from '../world/wallet.ts'
import type { World } from '../world/world.ts'

/** One action on a transaction: whether it is possible now, and how it is performed. */
interface TesterAction {
  /** Why the action is not possible now. The pages offer only actions without a refusal. */
  refusal: (transaction: Transaction) => string | undefined
  /** Returns what is wrong with the request, or undefined once the action is done. */
  perform: (world: World, transaction: Transaction, body: Fields) => string | undefined
}

const LATE_ACCEPT_MS = 60 * SECOND_MS

const unless = (possible: boolean, why: string): string | undefined => (possible ? undefined : why)

const waiting = ({ status }: Transaction): string | undefined =>
  unless(status === 'pending', `it is ${status}, not pending`)

const isCardWaiting = ({ payment_type, status }: Transaction): boolean =>
  payment_type === 'credit_card' && status === 'pending'

const ending =
  (status: 'deny' | 'failure' | 'expire' | 'cancel', cause: string): TesterAction['perform'] =>
  (world, transaction) => {
    end(world, transaction, { status, cause })
    return undefined
  }

const TESTER_ACTIONS = {
  pay: {
    refusal: waiting,
    perform: (world, transaction, body) =>
      transaction.payment_type === 'credit_card'
        ? finishThreeDs(world, transaction, true)
        : payWaiting(world, transaction, body),
  },
  finish_3ds: {
    refusal: (transaction) => unless(isCardWaiting(transaction), '3DS is not in progress'),
    perform: (world, transaction, body) =>
      finishThreeDs(world, transaction, textAt(body, 'result') !== 'fail'),
  },
  deny: {
    refusal: ({ status }) =>
      unless(status === 'pending' || status === 'authorize', `it is ${status}`),
    perform: ending('deny', 'provider denied'),
  },
  fail: { refusal: waiting, perform: ending('failure', 'processing error') },
  expire: { refusal: waiting, perform: ending('expire', 'time is over') },
  cancel: {
    refusal: ({ status }) =>
      unless(['pending', 'authorize', 'capture'].includes(status), `it is ${status}`),
    perform: ending('cancel', 'cancelled on the dashboard'),
  },
  challenge: {
    refusal: (transaction) =>
      unless(
        isCardWaiting(transaction),
        'only a card that waits for 3DS can be challenged; or charge card 4511 1111 1111 1117',
      ),
    perform: (world, transaction) => {
      challenge(world, transaction, 'fraud system')
      return undefined
    },
  },
  settle: {
    refusal: ({ status, fraud_status }) =>
      unless(status === 'capture' && fraud_status !== 'challenge', 'only a captured card settles'),
    perform: (world, transaction) => {
      settle(world, transaction, 'settled early')
      return undefined
    },
  },
  reverse: {
    refusal: (transaction) =>
      transaction.status === 'settlement'
        ? unless(isReversible(transaction), 'only Permata, Mandiri bill and Indomaret are reversed')
        : `it is ${transaction.status}, not settlement`,
    perform: ending('deny', 'reversal'),
  },
  chargeback: {
    refusal: ({ payment_type, status }) =>
      unless(
        payment_type === 'credit_card' &&
          ['settlement', 'partial_refund', 'partial_chargeback'].includes(status),
        'only a settled card is charged back',
      ),
    perform: chargeBack,
  },
  refund: {
    refusal: ({ status }) =>
      unless(['settlement', 'partial_refund'].includes(status), `it is ${status}`),
    perform: refundOnDashboard,
  },
  refuse_next: {
    refusal: () => undefined,
    perform: (_world, transaction, body) => {
      const what = textAt(body, 'operation')
      if (what !== 'capture' && what !== 'direct_refund')
        return 'operation must be capture or direct_refund'
      transaction.refuse_next.add(what)
      return undefined
    },
  },
} satisfies Record<string, TesterAction>

/** Every action on a transaction that does not come from the merchant's program. */
export type TesterActionName = keyof typeof TESTER_ACTIONS

export const TESTER_ACTION_NAMES = Object.keys(TESTER_ACTIONS)

export const isTesterAction = (name: string): name is TesterActionName =>
  Object.hasOwn(TESTER_ACTIONS, name)

/** Whether an action is possible in the transaction's current status. */
export const mayDo = (name: TesterActionName, transaction: Transaction): boolean =>
  TESTER_ACTIONS[name].refusal(transaction) === undefined

/** Performs the action, or returns the reason why it is not possible. */
export function performAction(
  world: World,
  transaction: Transaction,
  name: TesterActionName,
  body: Fields = {},
): string | undefined {
  const action: TesterAction = TESTER_ACTIONS[name]
  return action.refusal(transaction) ?? action.perform(world, transaction, body)
}

/**
 * Three providers may reverse a payment minutes after they reported it
 * (gateway-protocol.md#transaction-statuses).
 */
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

/** Fields that exist only after the payment (gateway-protocol.md#payment-notifications). */
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

/** The cardholder finished 3DS on the bank's page; the sandbox card decides the outcome. */
function finishThreeDs(world: World, transaction: Transaction, passed: boolean): undefined {
  // The verdict was fixed when the token was read; the page only reveals it.
  const { card = 'accept', details } = transaction
  if (!passed) {
    transaction.details = { ...details, eci: '07' }
    end(world, transaction, { status: 'deny', cause: 'not authenticated' })
    return
  }
  if (card === 'late_accept') {
    // Still pending when the payer returns to the shop; the result follows a minute later.
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
  const saved = verdict.approved ? transaction.afterApproval?.() : undefined
  transaction.details = { ...transaction.details, ...verdict.details, approval_code, ...saved }
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
  const remaining = remainingOf(transaction)
  const amount = integerAt(body, 'amount') ?? remaining
  if (amount < 1 || amount > remaining) return `amount must be between 1 and ${remaining}`
  giveBack(world, transaction, { kind: 'chargeback', amount })
  return undefined
}

function refundOnDashboard(world: World, transaction: Transaction, body: Fields) {
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
