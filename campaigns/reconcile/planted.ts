// Every kind of discrepancy, planted several times among honest records, each with the finding that is
// right about it. A kind whose finding is `matched` must not be reported, and nothing else may match.
import { PAYOUT_KINDS } from './planted_payouts.ts'
import { DAY, Scene, type Planted } from './scene.ts'
import { feeOf, idOf, lineId, METHODS, transactionOf } from './world.ts'
import type { Line, Paid, Refund } from './world.ts'

const [QRIS, GOPAY, VA, , , , , DANA] = METHODS

type Kind = (scene: Scene) => void

/** A payment and its line, with one thing about it changed. */
const changed =
  (
    line: Partial<Line>,
    [state, cause]: readonly [string, string],
    paid: Partial<Paid> = {},
  ): Kind =>
  (scene) => {
    const { name, amount, method } = scene.pay(paid)
    scene.portal(name, method, amount, line)
    scene.payment(state, cause)
  }

const refunded =
  (line: Partial<Line> & { amount: number }, cause: string, ours?: Partial<Refund>): Kind =>
  (scene) => {
    const key = `refund-${scene.name}`
    const { name, amount, method } = scene.pay({
      ...(ours !== undefined &&
        ours.status === undefined && {
          status: 'partial_refund',
          refunded: ours.amount ?? 20_000,
        }),
    })
    scene.portal(name, method, amount, { status: ours === undefined ? 'settlement' : 'refund' })
    if (ours !== undefined) scene.refund(key, 20_000, ours)
    const id = scene.line('portal_csv', {
      key: `refund ${scene.name}`,
      kind: 'refund',
      day: DAY,
      order_id: name,
      transaction_id: transactionOf(name),
      reference: key,
      ...line,
    })
    const found = ours === undefined ? id : idOf(`refund ${key}`)
    const state =
      cause === '' ? 'matched' : cause === 'refund_missing_here' ? 'missing_here' : 'mismatched'
    scene.finds(found, state, cause)
    scene.payment(
      ours?.status === undefined ? 'matched' : 'mismatched',
      ours?.status === undefined ? '' : 'refunded_there',
    )
  }

const chargedBack =
  (paid: Partial<Paid>, cause: string): Kind =>
  (scene) => {
    const { name, amount, method } = scene.pay(paid)
    scene.portal(name, method, amount, {
      status: paid.status === undefined ? 'settlement' : 'chargeback',
    })
    const id = scene.line('portal_csv', {
      key: `chargeback ${scene.name}`,
      kind: 'chargeback',
      day: DAY,
      order_id: name,
      transaction_id: transactionOf(name),
      amount: -30_000,
    })
    scene.finds(id, 'mismatched', cause)
    scene.payment('matched')
  }

const unknownOrder =
  (kind: 'refund' | 'chargeback'): Kind =>
  (scene) => {
    const id = scene.line('portal_csv', {
      key: scene.name,
      kind,
      day: DAY,
      order_id: `nowhere-${scene.serial}`,
      amount: -25_000,
    })
    scene.finds(id, 'missing_here', `${kind}_of_unknown_order`)
  }

export const KINDS: Readonly<Record<string, Kind>> = {
  fee_off_by_one: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.portal(name, method, amount, { fee: feeOf(method, amount) + 1 })
    scene.payment('matched', '', { booked_adjustment: '1.00' })
  },
  fee_one_too_low: (scene) => {
    const { name, amount, method } = scene.pay({ method: QRIS })
    scene.portal(name, method, amount, { fee: feeOf(method, amount) - 1 })
    scene.payment('matched', '', { booked_adjustment: '-1.00' })
  },
  fee_off_by_two: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.portal(name, method, amount, { fee: feeOf(method, amount) + 2 })
    scene.payment('mismatched', 'fee_differs')
  },
  fee_of_another_method: (scene) => {
    const { name, amount } = scene.pay({ method: GOPAY })
    scene.portal(name, VA, amount)
    scene.payment('mismatched', 'fee_differs')
  },
  fee_not_charged: changed({ fee: 0 }, ['mismatched', 'fee_missing']),
  fee_not_stated: changed({ fee: null }, ['matched', '']),
  method_without_rate: (scene) => {
    const { name, amount, method } = scene.pay({ method: DANA })
    scene.portal(name, method, amount)
    scene.payment('matched')
  },
  history_after_fees: (scene) => {
    const { name, amount, method } = scene.pay({ method: GOPAY })
    scene.history(name, method, amount)
    scene.payment('matched')
  },
  amount_one_more: changed({ amount: 200_001 }, ['mismatched', 'amount_differs'], {
    amount: 200_000,
  }),
  amount_less_the_fee: changed({ amount: 95_560, fee: 4_440 }, ['mismatched', 'amount_differs'], {
    amount: 100_000,
  }),
  amount_one_less_in_history: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.history(name, method, amount, { amount: amount - feeOf(method, amount) - 1 })
    scene.payment('mismatched', 'amount_differs')
  },
  other_currency: changed({ currency: 'USD' }, ['mismatched', 'currency_differs']),
  moved_day: changed({ day: '2026-09-21' }, ['mismatched', 'day_differs']),
  other_order_id: changed({ order_id: 'another' }, ['mismatched', 'order_differs']),
  no_transaction_id: changed({ transaction_id: null }, ['matched', '']),
  missing_at_gateway: (scene) => {
    scene.pay()
    scene.payment('missing_there', 'missing_there')
  },
  unknown_here: (scene) => {
    const id = scene.portal(scene.name, VA, 88_000)
    scene.finds(id, 'missing_here', 'missing_here')
  },
  same_amount_other_order: (scene) => {
    scene.pay({ amount: 123_456 })
    scene.payment('missing_there', 'missing_there')
    const id = scene.portal(`${scene.name}-theirs`, VA, 123_456)
    scene.finds(id, 'missing_here', 'missing_here')
  },
  duplicate_line: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.portal(name, method, amount, { key: `${name} :1` })
    const second = scene.portal(name, method, amount, { key: `${name} :2` })
    const first = lineId('portal_csv', {
      key: `${name} :1`,
      day: DAY,
      status: 'settlement',
      order_id: name,
      transaction_id: transactionOf(name),
      amount,
      fee: feeOf(method, amount),
    })
    scene.payment('matched')
    // Which of two equal lines is the second is decided by their ids.
    scene.finds(second > first ? second : first, 'duplicate', 'duplicate_line')
  },
  paid_twice: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.history(name, method, amount)
    const id = scene.history(name, method, amount, { transaction_id: idOf(`second ${name}`) })
    scene.payment('matched')
    scene.finds(id, 'duplicate', 'paid_twice')
  },
  another_transaction: (scene) => {
    const { name, amount, method } = scene.pay()
    const id = scene.history(name, method, amount, { transaction_id: idOf(`other ${name}`) })
    scene.finds(id, 'mismatched', 'transaction_differs')
    scene.payment('missing_there', 'missing_there')
  },
  two_sources_differ: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.history(name, method, amount)
    scene.payment('matched')
    const id = scene.portal(name, method, amount - 10_000)
    scene.finds(id, 'mismatched', 'sources_differ')
  },
  two_sources_agree: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.history(name, method, amount)
    scene.portal(name, method, amount)
    scene.payment('matched')
  },
  webhook_lost: changed({}, ['mismatched', 'paid_there'], { status: 'pending' }),
  expired_here: changed({}, ['mismatched', 'paid_there'], { status: 'expire' }),
  pending_at_gateway: changed({ status: 'pending' }, ['mismatched', 'unpaid_there']),
  reversed_after_settlement: changed({ status: 'REVERSAL' }, ['mismatched', 'reversed_there']),
  refunded_at_portal: changed({ status: 'refund' }, ['mismatched', 'refunded_there']),
  charged_back_at_gateway: changed({ status: 'CHARGEBACK' }, ['mismatched', 'charged_back_there']),
  charged_back_here_only: changed({}, ['mismatched', 'charged_back_here'], {
    status: 'chargeback',
    amount: 150_000,
    charged_back: 150_000,
  }),
  refunded_whole_fee_back: (scene) => {
    const { name, amount, method } = scene.pay({
      status: 'refund',
      refunded: 90_000,
      amount: 90_000,
    })
    scene.refund(`whole-${name}`, amount)
    scene.portal(name, method, amount, { status: 'refund', fee: 0 })
    scene.payment('matched')
  },
  refund_by_key: refunded({ amount: -20_000 }, '', {}),
  refund_by_amount: refunded({ amount: -20_000, reference: null }, '', {}),
  refund_unknown_here: refunded({ amount: -20_000 }, 'refund_missing_here'),
  refund_of_other_amount: refunded({ amount: -21_000 }, 'refund_amount_differs', {}),
  refund_pending_here: refunded({ amount: -20_000 }, 'refund_unfinished', { status: 'pending' }),
  refund_of_unknown_order: unknownOrder('refund'),
  refund_not_at_gateway: (scene) => {
    const { name, amount, method } = scene.pay({ status: 'partial_refund', refunded: 20_000 })
    scene.refund(`only-${name}`, 20_000)
    scene.portal(name, method, amount)
    scene.payment('matched')
    scene.finds(idOf(`refund only-${name}`), 'missing_there', 'refund_missing_there')
  },
  chargeback_unknown_here: chargedBack({}, 'charged_back_there'),
  chargeback_of_other_amount: chargedBack(
    { status: 'chargeback', amount: 150_000, charged_back: 150_000 },
    'chargeback_amount_differs',
  ),
  chargeback_in_part: chargedBack({ status: 'partial_chargeback' }, 'chargeback_amount_known'),
  chargeback_of_unknown_order: unknownOrder('chargeback'),
  payment_in_two_payouts: (scene) => {
    const { name, amount, method } = scene.pay()
    const one = scene.portal(name, method, amount, { reference: `${scene.wlst}A` })
    const other = scene.portal(name, method, amount, { reference: `${scene.wlst}B` })
    scene.payment('matched')
    scene.finds(one > other ? one : other, 'duplicate', 'paid_out_twice')
  },
  ...PAYOUT_KINDS,
  top_up: (scene) => {
    const id = scene.line('history_api', {
      key: `TOP_UP:${scene.name}`,
      kind: 'top_up',
      day: DAY,
      amount: 400_000,
    })
    scene.finds(id, 'missing_here', 'other_movement')
  },
  unreadable: (scene) => {
    const id = scene.line('history_api', { key: `x:${scene.name}`, kind: 'unreadable', amount: 0 })
    scene.finds(id, 'missing_here', 'unreadable_line')
  },
}

/** Each kind so many times. */
export function plant(times: number): Planted {
  const planted: Planted = { payments: [], refunds: [], lines: new Map(), findings: [] }
  for (const [kind, write] of Object.entries(KINDS)) {
    for (let serial = 1; serial <= times; serial++) write(new Scene(planted, kind, serial))
  }
  return planted
}

/** A bank's line that is no payout, so that the statement is known to go so far. */
export function coverBank({ lines }: Planted, day: string): void {
  const last = { key: 'last', day, description: 'BIAYA ADM', amount: -15_000 }
  lines.set('mt940', [...(lines.get('mt940') ?? []), last])
}

/** The day whose opening balance is not the closing balance of the day before. */
export function plantGap({ lines, findings }: Planted): void {
  const balances: Line[] = [
    { key: '2026-07-01', kind: 'balance', day: '2026-07-01', amount: 0, balance: 5_000 },
    { key: '2026-07-02', kind: 'balance', day: '2026-07-02', amount: 0, balance: 6_000 },
  ]
  lines.set('balance_api', balances)
  const [, second] = balances
  if (second === undefined) return
  const id = lineId('balance_api', second)
  findings.push({ kind: 'balance_gap', id, state: 'mismatched', cause: 'balance_gap' })
}
