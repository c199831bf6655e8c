// What a kind of discrepancy is written with, and the finding that is right about it.
import { feeOf, idOf, lineId, METHODS, transactionOf } from './world.ts'
import type { Source, Line, Method, Paid, Refund } from './world.ts'

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
  lines: Map<Source, Line[]>
  findings: Finding[]
}

const [, , VA] = METHODS
export const DAY = '2026-09-15'
const AT = `${DAY}T10:00:00`

/** What a kind is written with. */
export class Scene {
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

  line(source: Source, line: Line): string {
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
