// Events of the virtual clock. Past ones are read from the records of a time span, so a report
// never names an event without effect; future ones from the statuses that have a due time.
import { nextDayAt } from '../wire/times.ts'
import { SETTLEMENT_HOUR_WIB } from '../world/transitions.ts'
import type { World } from '../world/world.ts'

/** One past or future event. */
export interface ClockEvent {
  at: number
  kind:
    | 'status'
    | 'sent'
    | 'overdue'
    | 'expiry'
    | 'hold_lapse'
    | 'settlement_run'
    | 'challenge_lapse'
    | 'send'
    | 'cycle'
    | 'retry'
    | 'invoice_due'
    | 'invoice_expiry'
  subject: string
  /** The transaction, subscription or invoice to look at. */
  id: string | undefined
  /** A status or an HTTP answer. */
  result?: string
}

const inOrder = (a: ClockEvent, b: ClockEvent): number => a.at - b.at

/** Every event after one time and up to another. */
export function happenedBetween(world: World, from: number, to: number): ClockEvent[] {
  const within = (at: number): boolean => at > from && at <= to
  const found: ClockEvent[] = []
  for (const {
    history,
    order_id: subject,
    transaction_id: id,
  } of world.transactions.newestFirst()) {
    for (const { at, status } of history) {
      if (within(at)) found.push({ at, kind: 'status', subject, id, result: status })
    }
  }
  for (const { attempts, order_id = '', transaction_id: id } of world.courier.list()) {
    for (const { at, http_status, error } of attempts) {
      const result = http_status === null ? (error ?? '') : String(http_status)
      if (within(at)) found.push({ at, kind: 'sent', subject: order_id, id, result })
    }
  }
  for (const { status, due_at, order_id: subject, id } of world.invoices.values()) {
    if (status === 'overdue' && within(due_at))
      found.push({ at: due_at, kind: 'overdue', subject, id })
  }
  return found.sort(inOrder)
}

/** Scheduled events, the earliest first. */
export function upcoming(world: World, limit: number): ClockEvent[] {
  const found = [...transactionsToCome(world), ...newsToCome(world), ...ordersToCome(world)]
  const now = world.clock.now()
  return found
    .filter(({ at }) => at >= now)
    .sort(inOrder)
    .slice(0, limit)
}

function* transactionsToCome(world: World): Generator<ClockEvent> {
  for (const one of world.transactions.newestFirst()) {
    const { status, expires_at, order_id: subject, transaction_id: id } = one
    if (status === 'pending' && expires_at !== undefined)
      yield { at: expires_at, kind: 'expiry', subject, id }
    if (status === 'authorize' && expires_at !== undefined)
      yield { at: expires_at, kind: 'hold_lapse', subject, id }
    const captured_at = status === 'capture' ? one.history.at(-1)?.at : undefined
    if (captured_at === undefined) continue
    const kind = one.fraud_status === 'challenge' ? 'challenge_lapse' : 'settlement_run'
    yield { at: nextDayAt(captured_at, SETTLEMENT_HOUR_WIB), kind, subject, id }
  }
}

function* newsToCome(world: World): Generator<ClockEvent> {
  for (const { next_attempt_at: at, order_id = '', transaction_id: id } of world.courier.list()) {
    if (at !== null) yield { at, kind: 'send', subject: order_id, id }
  }
}

function* ordersToCome(world: World): Generator<ClockEvent> {
  for (const one of world.subscriptions.values()) {
    const { id, name: subject, retry_at, status, next_execution_at } = one
    if (one.cancelled) continue
    if (retry_at !== undefined) yield { at: retry_at, kind: 'retry', subject, id }
    else if (status === 'active') yield { at: next_execution_at, kind: 'cycle', subject, id }
  }
  for (const { id, order_id: subject, status, due_at, expires_at } of world.invoices.values()) {
    if (status === 'pending') yield { at: due_at, kind: 'invoice_due', subject, id }
    if ((status === 'pending' || status === 'overdue') && expires_at !== undefined)
      yield { at: expires_at, kind: 'invoice_expiry', subject, id }
  }
}
