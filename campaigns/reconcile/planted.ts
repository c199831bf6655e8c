// Every kind of discrepancy, planted several times among honest books, each with the finding that is
// right about it. A kind whose finding is `matched` must not be reported, and nothing else may match.
import { feeOf, idOf, lineId, METHODS, transactionOf } from './world.ts'
import type { Book, Line, Method, Paid, Refund } from './world.ts'

export interface Finding {
  kind: string
  id: string
  state: string
  cause: string
  /** What else must hold of the item. */
  having?: Readonly<Record<string, string>>
}

export interface Planted {
  payments: Paid[]
  refunds: Refund[]
  lines: Map<Book, Line[]>
  findings: Finding[]
}

const [QRIS, GOPAY, VA, , , , , DANA] = METHODS
const DAY = '2026-09-15'
const AT = `${DAY}T10:00:00`

/** What a kind is written with. */
class Scene {
  readonly #planted: Planted
  readonly kind: string
  readonly name: string
  readonly serial: number

  constructor(planted: Planted, kind: string, serial: number) {
    this.#planted = planted
    this.kind = kind
    this.serial = serial
    this.name = `${kind}-${serial}`
  }

  get wlst(): string {
    return `WLST${idOf(this.name).replaceAll('-', '').slice(0, 14)}`
  }

  pay(given: Partial<Paid> = {}): { name: string; amount: number; method: Method } {
    const one = {
      name: this.name,
      method: VA,
      amount: 100_000 + this.serial,
      paid_at: AT,
      ...given,
    }
    this.#planted.payments.push(one)
    return one
  }

  refund(key: string, amount: number, given: Partial<Refund> = {}): void {
    this.#planted.refunds.push({ payment: this.name, key, amount, made_at: AT, ...given })
  }

  line(source: Book, line: Line): string {
    const lines = this.#planted.lines.get(source) ?? []
    lines.push(line)
    this.#planted.lines.set(source, lines)
    return lineId(source, line)
  }

  /** The gateway's line about a payment, as its report has it. */
  portal(name: string, method: Method, amount: number, given: Partial<Line> = {}): string {
    return this.line('portal_csv', {
      key: `${name} ${JSON.stringify(given)}`,
      day: DAY,
      status: 'settlement',
      order_id: name,
      transaction_id: transactionOf(name),
      amount,
      fee: feeOf(method, amount),
      ...given,
    })
  }

  /** The same as the history has it: after the fee. */
  history(name: string, method: Method, amount: number, given: Partial<Line> = {}): string {
    const fee = feeOf(method, amount)
    return this.line('history_api', {
      key: `PAYMENT:${given.transaction_id ?? transactionOf(name)}`,
      day: DAY,
      status: 'SETTLEMENT',
      order_id: name,
      transaction_id: transactionOf(name),
      amount: amount - fee,
      fee,
      ...given,
    })
  }

  payout(amount: number, given: Partial<Line> = {}): string {
    return this.line('history_api', {
      key: `WITHDRAWAL:${given.reference ?? this.wlst}`,
      kind: 'withdrawal',
      day: DAY,
      status: 'SUCCESS',
      reference: this.wlst,
      amount,
      fee: 0,
      ...given,
    })
  }

  bank(amount: number, text: string, given: Partial<Line> = {}): string {
    return this.line('mt940', {
      key: `${this.name} ${amount} ${text} ${JSON.stringify(given)}`,
      day: '2026-09-16',
      description: text,
      amount,
      ...given,
    })
  }

  finds(id: string, state: string, cause = '', having?: Finding['having']): void {
    const { kind } = this
    this.#planted.findings.push({ kind, id, state, cause, ...(having && { having }) })
  }

  /** About the payment itself. */
  payment(state: string, cause = '', having?: Finding['having']): void {
    this.finds(idOf(`payment ${this.name}`), state, cause, having)
  }
}

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

/** A payout of 700,000 with these lines at the bank: amounts. */
const paidOut =
  (at_bank: readonly number[], found: readonly [string, string], line: Partial<Line> = {}): Kind =>
  (scene) => {
    const amount = 700_000 + scene.serial
    const id = scene.payout(amount, line)
    for (const [index, part] of at_bank.entries()) {
      const given = { day: `2026-09-${16 + index}` }
      const sum = part > 10_000 ? part + scene.serial : part < -10_000 ? part - scene.serial : part
      const bank = scene.bank(sum, `DOMPET ANAK BANGSA ${scene.wlst}`, given)
      scene.finds(bank, 'matched')
    }
    scene.finds(id, ...found)
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

/** A day of October for each copy: payouts of one day are told apart by nothing but their day. */
const ownDay = (serial: number): string =>
  new Date(Date.UTC(2026, 9, 1) + serial * 86_400_000).toISOString().slice(0, 10)

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
  payout_at_bank: paidOut([700_000], ['matched', '']),
  payout_not_at_bank: paidOut([], ['missing_there', 'payout_missing_at_bank']),
  payout_less_transfer_fee: paidOut([697_500], ['mismatched', 'payout_amount_differs']),
  payout_twice_at_bank: paidOut([700_000, 700_000], ['duplicate', 'payout_twice_at_bank']),
  payout_sent_back: paidOut([700_000, -700_000], ['mismatched', 'payout_returned']),
  payout_in_two_parts: paidOut([400_000, 300_000 - 0], ['mismatched', 'payout_amount_differs']),
  payout_failed: paidOut([], ['matched', ''], { status: 'FAILED' }),
  payout_failed_and_received: paidOut([700_000], ['mismatched', 'payout_failed_but_received'], {
    status: 'FAILED',
  }),
  payout_never_completed: paidOut([], ['late', 'payout_not_completed'], { status: 'PROCESSING' }),
  payout_without_statement: paidOut([], ['late', 'bank_statement_missing'], { day: '2026-11-05' }),
  payout_unknown_at_gateway: (scene) => {
    const id = scene.bank(555_000, `DARI DOMPET ANAK BANGSA ${scene.wlst}`)
    scene.finds(id, 'missing_here', 'payout_unknown_at_gateway')
  },
  payout_by_sender_and_amount: (scene) => {
    const amount = 811_000 + scene.serial
    scene.finds(scene.payout(amount, { day: ownDay(scene.serial) }), 'matched', '', {
      matched_by: 'sender_amount',
    })
    const id = scene.bank(amount, 'DARI DOMPET ANAK BANGSA', { day: ownDay(scene.serial) })
    scene.finds(id, 'matched')
  },
  payouts_that_look_alike: (scene) => {
    const day = ownDay(scene.serial)
    for (const part of ['A', 'B']) {
      const reference = `${scene.wlst}${part}`
      const id = scene.payout(912_000 + scene.serial, { day, reference })
      scene.finds(id, 'missing_there', 'payout_missing_at_bank')
    }
    const id = scene.bank(912_000 + scene.serial, 'DARI DOMPET ANAK BANGSA', { day })
    scene.finds(id, 'missing_here', 'payout_unknown_at_gateway')
  },
  bank_batch: (scene) => {
    // A weekend day, on which no other payout of these books is.
    const day = new Date(Date.UTC(2026, 5, 6) + scene.serial * 7 * 86_400_000)
    const text = day.toISOString().slice(0, 10)
    for (const [index, part] of ['A', 'B', 'C'].entries()) {
      const reference = `${scene.wlst}${part}`
      const id = scene.payout(100_000 * (index + 1), { day: text, reference })
      scene.finds(id, 'matched', '', { matched_by: 'batch' })
    }
    const id = scene.bank(600_000, 'MIDTRANS', { day: text })
    scene.finds(id, 'matched', '', { matched_by: 'batch' })
  },
  payout_of_other_sum: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.portal(name, method, amount, { reference: scene.wlst })
    scene.payment('matched')
    const id = scene.payout(amount, {})
    scene.finds(scene.bank(amount, scene.wlst), 'matched')
    scene.finds(id, 'mismatched', 'payout_sum_differs')
  },
  payment_in_two_payouts: (scene) => {
    const { name, amount, method } = scene.pay()
    const one = scene.portal(name, method, amount, { reference: `${scene.wlst}A` })
    const other = scene.portal(name, method, amount, { reference: `${scene.wlst}B` })
    scene.payment('matched')
    scene.finds(one > other ? one : other, 'duplicate', 'paid_out_twice')
  },
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
