import { bookedOf, bookingNow } from '../../domain/ledger.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import { hasEndedWithoutMoney } from '../../domain/payment_transitions.ts'
import type { PaymentSignal } from '../../domain/signals.ts'
import { readClock } from '../../store/connection/settings.ts'
import { inOrder, type Tx } from '../../store/connection/transaction.ts'
import { postBookings, type Booking } from '../../store/ledger/postings.ts'
import { deferPayments, settlePayments } from '../../store/payments/checks.ts'
import {
  fillPaymentDetails,
  stepPayments,
  type PaymentChange,
  type PaymentDetails,
  type PaymentStep,
  type PaymentStepEvent,
} from '../../store/payments/transitions.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import type { LinkedStep, NotifyLinked, StepRecord } from '../object_step.ts'
import { countReceived, refundIdOf } from './record_step.ts'
import { representTogether } from './representation.ts'

/**
 * Collects the changes of a transaction to payments that it holds locked, so that the changes of
 * fifty payments are one statement. A second change to the same payment flushes the first.
 */
export class PaymentWriteBatch {
  readonly tx: Tx
  readonly #steps = new Map<string, WaitingStep>()
  readonly #items = new Map<string, readonly GatewayPaymentItem[]>()
  readonly #refund_keys = new Map<string, string>()
  readonly #fills = new Map<string, PaymentDetails>()
  /** Whether a new report is deferred. */
  readonly #deferred = new Map<string, boolean>()
  readonly #settled = new Set<string>()
  readonly #bookings = new Map<string, Booking>()
  readonly #linked: LinkedStep[] = []
  readonly #notifyLinked: NotifyLinked
  #now: Date | undefined

  constructor(tx: Tx, { notifyLinked }: Pick<Context, 'notifyLinked'>, now?: Date) {
    this.tx = tx
    this.#notifyLinked = notifyLinked
    this.#now = now
  }

  /** The database's clock, read once, after the locks are taken. */
  async now(): Promise<Date> {
    this.#now ??= await readClock(this.tx)
    return this.#now
  }

  /** One transition with its history, event and postings. Returns the payment as it will be stored. */
  async step(
    before: GatewayPayment,
    change: PaymentChange,
    { signal, source, evidence_id, notification_id, reason }: StepRecord<PaymentSignal>,
  ): Promise<GatewayPayment> {
    await this.#flushBefore(before.id)
    const { id, version, transaction_status: from_status } = before
    const now = await this.now()
    const { payment: after, postings } = bookingNow(
      { ...before, ...change, version: version + 1, updated_at: now },
      now,
      hasEndedWithoutMoney(from_status),
    )
    const event = signal === null ? null : { id: newId(), type: signal, notification_id }
    const had_money = before.captured_amount > 0n
    const history = { from_status, source, evidence_id, reason }
    this.#steps.set(id, { after, ...history, event, had_money, postings })
    countReceived(before, after)
    return after
  }

  /**
   * Posts what a transition of this batch does not: refunds that were found without one. `late` as of
   * the status before. Returns the payment as it will be stored.
   */
  async post(changed: GatewayPayment, late = false): Promise<GatewayPayment> {
    await this.#flushBefore(changed.id)
    const { payment, postings } = bookingNow(changed, await this.now(), late)
    const { id, version } = payment
    const caused = { payment_id: id, object_kind: 'payment', object_id: id, version } as const
    if (postings.length > 0) this.#bookings.set(id, { ...caused, ...bookedOf(payment), postings })
    return payment
  }

  /** The items of these payments, which never change: their events need no further statement. */
  knowItems(items: ReadonlyMap<string, readonly GatewayPaymentItem[]>): void {
    for (const [id, known] of items) this.#items.set(id, known)
  }

  /** The refund that a report brought: the payment's next event names it. */
  knowRefund(payment_id: string, refund_key: string): void {
    this.#refund_keys.set(payment_id, refund_key)
  }

  refundKeyOf = (payment_id: string): string | undefined => this.#refund_keys.get(payment_id)

  /** Fills empty details. Most reports bring nothing new and write nothing. */
  async fill(payment: GatewayPayment, details: PaymentDetails): Promise<GatewayPayment> {
    const missing = partOf(details, (column) => isEmpty(payment[column]))
    if (Object.keys(missing).length === 0) return payment
    await this.#flushBefore(payment.id)
    this.#fills.set(payment.id, missing)
    return { ...payment, ...missing, updated_at: await this.now() }
  }

  /**
   * Only a query can settle this: it is made soon. A new report is deferred since now, even if an
   * earlier one is: an answer from between the two does not settle it.
   */
  async defer(payment: GatewayPayment, reported: boolean): Promise<GatewayPayment> {
    await this.#flushBefore(payment.id)
    this.#deferred.set(payment.id, reported)
    const now = await this.now()
    const { deferred_since, next_check_at } = payment
    const sooner = next_check_at !== null && next_check_at < now ? next_check_at : now
    const since = reported ? now : (deferred_since ?? now)
    return { ...payment, deferred_since: since, next_check_at: sooner }
  }

  /** The gateway's own answer settled an earlier deferral. */
  async settle(payment: GatewayPayment): Promise<GatewayPayment> {
    await this.#flushBefore(payment.id)
    this.#settled.add(payment.id)
    return { ...payment, deferred_since: null }
  }

  /** What the payment belongs to is updated when the batch is closed. */
  notifyLinked(step: LinkedStep): void {
    this.#linked.push(step)
  }

  /** Writes the collected changes: needed before anything else reads or changes these rows. */
  async write(): Promise<void> {
    const steps = [...this.#steps.values()]
    const fills = [...this.#fills].map(([id, details]) => ({ id, details }))
    const deferred = [...this.#deferred]
    const settled = [...this.#settled]
    this.#steps.clear()
    this.#fills.clear()
    this.#deferred.clear()
    this.#settled.clear()
    const bookings = [...this.#bookings.values()]
    this.#bookings.clear()
    if (steps.length > 0) {
      const now = await this.now()
      await stepPayments(this.tx, await this.#withObjects(steps, now), now)
    }
    if (fills.length > 0) await fillPaymentDetails(this.tx, fills)
    for (const again of [true, false]) {
      const ids = deferred.flatMap(([id, reported]) => (reported === again ? [id] : []))
      if (ids.length > 0) await deferPayments(this.tx, ids, { now: await this.now(), again })
    }
    if (settled.length > 0) await settlePayments(this.tx, settled)
    if (bookings.length > 0) await postBookings(this.tx, bookings, await this.now())
  }

  /**
   * Closes the batch with the last statements of its transaction: if it holds nothing but steps, they,
   * what `also` requests at once, and the commit are sent together.
   */
  async closeLast(also: () => Promise<unknown>): Promise<void> {
    const plain =
      [this.#fills, this.#deferred, this.#settled, this.#bookings].every(
        ({ size }) => size === 0,
      ) && this.#linked.every(({ after }) => !belongsToObject(after))
    if (!plain) {
      await inOrder([also(), this.close()])
      return
    }
    const now = await this.now()
    const steps = await this.#withObjects([...this.#steps.values()], now)
    const sent = steps.length > 0 ? [stepPayments(this.tx, steps, now), also()] : [also()]
    this.tx.commitNow()
    await inOrder(sent)
  }

  /** Flushes, then locks and updates what the payments belong to, in the order of its ids. */
  async close(): Promise<void> {
    await this.write()
    const keyOf = ({ after }: LinkedStep): string =>
      `${after.invoice_id ?? ''} ${after.subscription_id ?? ''} ${after.checkout_id ?? ''}`
    const linked = this.#linked.splice(0)
    for (const step of linked.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
      await this.#notifyLinked(this.tx, step)
    }
  }

  /** Each event shows its payment as HTTP does. Only captured money can have been refunded. */
  async #withObjects(steps: readonly WaitingStep[], now: Date): Promise<PaymentStep[]> {
    const emitting = steps.filter(({ event }) => event !== null)
    const known = emitting.map(({ after: payment, had_money }) => ({
      payment,
      ...(this.#items.has(payment.id) && { items: this.#items.get(payment.id) ?? [] }),
      ...(!had_money && { refunds: [] }),
    }))
    const shown = await representTogether(this.tx, known, now)
    return steps.map((step) => {
      const object = shown.get(step.after.id)
      if (step.event === null || object === undefined) return { ...step, event: null }
      const refund_id = refundIdOf(object, step.event.type, this.refundKeyOf(object.id))
      return { ...step, event: { ...step.event, object, refund_id } }
    })
  }

  async #flushBefore(id: string): Promise<void> {
    const waiting = [this.#steps, this.#fills, this.#deferred, this.#settled, this.#bookings]
    if (waiting.some((kept) => kept.has(id))) await this.write()
  }
}

/** A step before its event's object is built. */
interface WaitingStep extends Omit<PaymentStep, 'event'> {
  event: (Pick<PaymentStepEvent, 'id' | 'notification_id'> & { type: PaymentSignal }) | null
  had_money: boolean
}

const belongsToObject = ({ invoice_id, subscription_id, checkout_id }: GatewayPayment): boolean =>
  invoice_id !== null || subscription_id !== null || checkout_id !== null

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0)

function partOf<T extends object>(whole: T, wanted: (key: keyof T) => boolean): Partial<T> {
  const part: Partial<T> = {}
  for (const key in whole) if (wanted(key)) part[key] = whole[key]
  return part
}
