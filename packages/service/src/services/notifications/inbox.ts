// The writer of the inbox: stores and applies a batch of notifications, and returns the result of
// each. open_inbox.ts forms the batches.
import { isDeepStrictEqual } from 'node:util'
import { isFurtherAttempt, type GatewayPayment } from '../../domain/payment.ts'
import { parseMoney } from '../../domain/money.ts'
import { factsOf } from '../../gateway/facts.ts'
import { otherReadings } from '../../gateway/signature.ts'
import {
  findDuplicates,
  findRepeated,
  insertNotifications,
  type NewNotification,
} from '../../store/notifications/rows.ts'
import { lockPaymentsByOrderIds } from '../../store/payments/locks.ts'
import { lockMarked, markIn } from '../payments/marked_payment.ts'
import { findOrderAmounts, listItemsOfOrders } from '../../store/payments/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { enterFacts } from '../payments/apply_facts.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import type { NotificationResult, InboxItem } from '../inbox_item.ts'
import { isOfAnotherAttempt, linkPayment } from '../linked_payments/link_payment.ts'

/** What the writer needs of the context, of which the inbox itself is a part. */
export type InboxContext = Omit<Context, 'inbox'>

/**
 * Stores and applies the items in one transaction: locks their payments in the order of their ids,
 * decides the transitions, and writes rows, history and events. All of it is on disk when this
 * returns.
 */
export const writeInbox = async (
  ctx: InboxContext,
  items: readonly InboxItem[],
): Promise<NotificationResult[]> =>
  await withTransaction(ctx.db, async (tx) => {
    ctx.reached('webhook.begun')
    const order_ids = items.flatMap(({ payload }) => payload.order_id ?? [])
    // In this order, and sent together: clock and earlier rows are read after the locks are taken.
    const [locked, had_at, repeated, item_rows] = await Promise.all([
      lockPaymentsByOrderIds(tx, order_ids),
      readClock(tx),
      findRepeated(tx, items.map(reportOf)),
      // Events show the items, which never change.
      listItemsOfOrders(tx, order_ids),
    ])
    ctx.reached('webhook.locked')
    const payments = new Map(locked.map((payment) => [payment.order_id, payment]))
    const { attempts, found } = await linkReports(tx, items, payments)
    // A payment that was created or waited for here is newer than that clock value.
    const now = found ? await readClock(tx) : had_at
    const batch = new PaymentWriteBatch(tx, ctx, now)
    // A payment without items is known as well.
    batch.knowItems(new Map(locked.map(({ id }) => [id, item_rows.get(id) ?? []])))
    const again = found ? await findRepeated(tx, items.map(reportOf)) : repeated
    const heard = await findDuplicates(tx, again)
    const duplicates = withDuplicatesAmong(items, heard.duplicates)
    const doubtful = await findOtherReadings(tx, items, payments)
    const marked = await lockMarked(
      tx,
      items.map(({ payload }) => payload),
      payments,
    )
    const rows: NewNotification[] = []
    const results: NotificationResult[] = []
    for (const item of items) {
      const mark = markIn(item.payload) ?? ''
      const payment =
        marked.get(mark) ??
        attempts.get(item.payload.transaction_id ?? '') ??
        payments.get(orderOf(item))
      const duplicate_of = duplicates.get(item.id)
      const wandered = doubtful.has(item.id)
      const { row, after } = await judge(ctx, batch, { item, payment, duplicate_of, wandered })
      if (after !== undefined) keepAfter(after, { marked, attempts, payments })
      const { id, effect, reason } = row
      // A notification that changed a payment is always stored: it is the evidence.
      const full = heard.full.has(id) && effect !== 'applied'
      if (!full) rows.push(row)
      results.push({ id, effect, reason, kept_as: full ? (heard.duplicates.get(id) ?? null) : id })
    }
    await batch.closeLast(async () => await insertNotifications(tx, rows, now))
    ctx.reached('webhook.applied')
    ctx.reached('webhook.inserted')
    return results
  })

/** The next item of the same order sees the payment as this one left it. */
function keepAfter(
  after: GatewayPayment,
  { marked, attempts, payments }: Record<string, Map<string, GatewayPayment>>,
): void {
  if (marked?.has(after.id) === true) marked.set(after.id, after)
  else if (isFurtherAttempt(after)) attempts?.set(attemptOf(after), after)
  else payments?.set(after.order_id, after)
}

/** Also the duplicates within the batch, whose first one is not stored yet. */
function withDuplicatesAmong(items: readonly InboxItem[], stored: ReadonlyMap<string, string>) {
  const duplicates = new Map(stored)
  const firsts = new Map<string, InboxItem[]>()
  for (const item of items) {
    if (duplicates.has(item.id)) continue
    const alike = firsts.get(orderOf(item)) ?? []
    const first = alike.find(({ raw_payload }) => isDeepStrictEqual(raw_payload, item.raw_payload))
    if (first === undefined) firsts.set(orderOf(item), [...alike, item])
    else duplicates.set(item.id, first.id)
  }
  return duplicates
}

/** Payments of invoices and subscriptions that these reports mention first. */
export async function linkUnknown(
  tx: Tx,
  items: readonly InboxItem[],
  known: ReadonlyMap<string, GatewayPayment>,
): Promise<GatewayPayment[]> {
  const linked = new Map<string, GatewayPayment>()
  // In the order of their ids, so that two batches that create the same payments cannot deadlock.
  const sorted = items.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))
  for (const item of sorted) {
    const order_id = orderOf(item)
    if (known.has(order_id) || linked.has(order_id)) continue
    const { id: evidence_id, payload } = item
    const report = { payload, evidence: 'report', source: 'notification', evidence_id } as const
    const payment = await linkPayment(tx, report)
    if (payment !== undefined && payment !== 'ask') linked.set(order_id, payment)
  }
  return [...linked.values()]
}

/** Adds the payments that these reports mention first, and returns further ones of checkouts. */
async function linkReports(
  tx: Tx,
  items: readonly InboxItem[],
  payments: Map<string, GatewayPayment>,
): Promise<{ attempts: Map<string, GatewayPayment>; found: boolean }> {
  const linked = await linkUnknown(tx, items, payments)
  for (const payment of linked) payments.set(payment.order_id, payment)
  const attempts = await linkAttempts(tx, items, payments)
  return { attempts, found: linked.length + attempts.size > 0 }
}

const attemptOf = ({ transaction_id }: GatewayPayment): string => transaction_id ?? ''

/**
 * Further transactions of checkouts whose order another payment has, by their transaction ids. Locked
 * after that payment, in the order of their order ids.
 */
async function linkAttempts(
  tx: Tx,
  items: readonly InboxItem[],
  known: ReadonlyMap<string, GatewayPayment>,
): Promise<Map<string, GatewayPayment>> {
  const attempts = new Map<string, GatewayPayment>()
  const sorted = items.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))
  for (const { id: evidence_id, payload } of sorted) {
    const live = known.get(payload.order_id ?? '')
    if (live === undefined || !isOfAnotherAttempt(live, payload)) continue
    const report = { payload, evidence: 'report', source: 'notification', evidence_id } as const
    const payment = await linkPayment(tx, report, live)
    if (typeof payment === 'object' && payment.id !== live.id)
      attempts.set(attemptOf(payment), payment)
  }
  return attempts
}

/**
 * The items whose signature could have been made for another order of ours: the gateway signs order
 * id, code and amount without separators, so the same text can be split at other places.
 */
async function findOtherReadings(
  tx: Tx,
  items: readonly InboxItem[],
  known: ReadonlyMap<string, GatewayPayment>,
): Promise<ReadonlySet<string>> {
  const readings = items.flatMap(({ id, payload }) =>
    known.has(payload.order_id ?? '')
      ? otherReadings(signedFieldsOf(payload)).map((reading) => ({ id, ...reading }))
      : [],
  )
  if (readings.length === 0) return new Set()
  const orders = readings.map(({ order_id }) => order_id)
  const amounts = await findOrderAmounts(tx, orders)
  const fits = readings.filter(
    ({ order_id, gross_amount }) => amounts.get(order_id) === parseMoney(gross_amount),
  )
  return new Set(fits.map(({ id }) => id))
}

const signedFieldsOf = ({ order_id, status_code, gross_amount }: InboxItem['payload']) => ({
  order_id: order_id ?? '',
  status_code: String(status_code),
  gross_amount: textOf(gross_amount) ?? '',
})

const orderOf = ({ payload }: InboxItem): string => payload.order_id ?? ''

const reportOf = ({ id, payload, raw_payload }: InboxItem) => ({
  id,
  order_id: payload.order_id ?? null,
  transaction_id: payload.transaction_id ?? null,
  transaction_status: payload.transaction_status,
  raw_payload,
})

interface Case {
  item: InboxItem
  payment: GatewayPayment | undefined
  duplicate_of: string | undefined
  /** Whether its signature may have been made for another order of ours (ADR 0004). */
  wandered?: boolean
}

/** Decides about one item whose payment is locked: the row to write, and the payment after it. */
export async function judge(ctx: InboxContext, batch: PaymentWriteBatch, at: Case) {
  const { item, payment, duplicate_of, wandered = false } = at
  const row = rowOf(item, payment)
  if (payment === undefined) {
    return { row: { ...row, effect: 'unmatched' as const, reason: 'no_such_order' } }
  }
  if (duplicate_of !== undefined) {
    return { row: { ...row, effect: 'duplicate' as const, reason: `of ${duplicate_of}` } }
  }
  const facts = factsOf(item.payload)
  if (facts === undefined) {
    const after = await batch.defer(payment, true)
    return { row: { ...row, effect: 'deferred' as const, reason: 'unknown_status' }, after }
  }
  const provenance = {
    evidence: 'report' as const,
    source: 'notification' as const,
    evidence_id: item.id,
    notification_id: item.id,
    confirm_value: ctx.confirm_notifications,
    confirm_all: wandered,
  }
  const { effect, reason, payment: after } = await enterFacts(batch, payment, { facts, provenance })
  return { row: { ...row, effect, reason }, after }
}

function rowOf({ id, payload, raw_payload, verified_with }: InboxItem, payment?: GatewayPayment) {
  return {
    id,
    payment_id: payment?.id ?? null,
    owner_id: payment?.owner_id ?? null,
    order_id: payload.order_id ?? null,
    transaction_id: payload.transaction_id ?? null,
    transaction_status: payload.transaction_status,
    fraud_status: payload.fraud_status ?? null,
    payment_type: payload.payment_type ?? null,
    status_code: String(payload.status_code),
    gross_amount: textOf(payload.gross_amount),
    verified_with,
    raw_payload,
  }
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
