import type { CallEntry, LedgerEntry } from '../world/ledger.ts'
import type { Transaction } from '../world/transaction.ts'
import { rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { textOr, type View } from './view.ts'
import { pill } from './words.ts'

interface Event {
  /** Where it stands in the ledger; a change of state stands between two entries. */
  place: number
  at: number
  what: Html
  kind: 'state' | 'money' | 'call'
}

/** The history of a transaction, newest first: calls, money and statuses. */
export function timeline(view: View, transaction: Transaction): Html {
  const events = [...states(view, transaction), ...entries(view, transaction)].sort(
    (a, b) => b.place - a.place,
  )
  return html`<ol class="timeline">
    ${events.map(
      ({ at, what, kind }) =>
        html`<li class="${kind}"><span class="what">${what}</span> ${view.time(at)}</li>`,
    )}
  </ol>`
}

function states(view: View, { history }: Transaction): Event[] {
  return history.map(({ at, after_sequence, status, fraud_status, cause }, index) => ({
    // Two states after one entry keep the order they came in.
    place: after_sequence + 0.5 + index / 1000,
    at,
    kind: 'state',
    what: html`${pill(view, status)} ${fraud_status === 'challenge' && pill(view, 'challenge')}
    ${textOr(view, `cause_${cause.replaceAll(' ', '_').toLowerCase()}`, cause)}`,
  }))
}

function entries(view: View, { transaction_id, order_id }: Transaction): Event[] {
  const events: Event[] = []
  let last: { entry: CallEntry; event: Event; count: number } | undefined
  for (const entry of view.world.ledger.after(0)) {
    if (!concerns(entry, transaction_id, order_id)) continue
    if (entry.kind === 'call' && last && isRepeat(last.entry, entry)) {
      // Repeated status requests would push everything else off the page.
      last.count += 1
      last.event.place = entry.sequence
      last.event.at = Date.parse(entry.at)
      last.event.what = callText(view, entry, last.count)
      continue
    }
    const event = eventOf(view, entry)
    events.push(event)
    last = entry.kind === 'call' ? { entry, event, count: 1 } : undefined
  }
  return events
}

/** Calls that name only the order belong to each of its transactions. */
const concerns = (entry: LedgerEntry, transaction_id: string, order_id: string): boolean =>
  entry.transaction_id === undefined
    ? entry.order_id === order_id
    : entry.transaction_id === transaction_id

const isRepeat = (a: CallEntry, b: CallEntry): boolean =>
  a.operation === b.operation &&
  a.status_code === b.status_code &&
  a.http_status === b.http_status &&
  a.fault === b.fault

function eventOf(view: View, entry: LedgerEntry): Event {
  const at = Date.parse(entry.at)
  const place = entry.sequence
  if (entry.kind === 'call') return { place, at, kind: 'call', what: callText(view, entry, 1) }
  if (entry.kind === 'checkout') {
    const what = html`${textOr(view, `checkout_${entry.event}`, entry.event)}`
    return { place, at, kind: 'call', what }
  }
  const movement = textOr(view, `movement_${entry.movement}`, entry.movement)
  const what = html`${movement} <strong>${rupiahText(entry.amount)}</strong>`
  return { place, at, kind: 'money', what }
}

function callText({ t }: View, entry: CallEntry, count: number): Html {
  const { method, path, http_status, status_code, fault, replayed } = entry
  return html`<code>${method} ${path}</code>
    ${http_status === null ? t('never_answered') : t('answered', { code: status_code ?? http_status })}
    ${count > 1 && html`<span class="quiet">× ${count}</span>`}
    ${replayed && html`<span class="quiet">${t('replayed')}</span>`}
    ${fault !== undefined && html`<span class="pill warn">${fault}</span>`}`
}
