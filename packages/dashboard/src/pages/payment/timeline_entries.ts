// The history of a payment from all records, in one order.
import type { StaffPayment } from '@gapura/sdk'
import { rupiah } from '../../format.ts'
import type { Speech } from '../../language.ts'
import { meaningOf } from '../notifications/meaning.ts'

export interface TimelineEntry {
  id: string
  at: string
  kind:
    | 'transition'
    | 'operation'
    | 'notification'
    | 'event'
    | 'refund'
    | 'alarm'
    | 'note'
    | 'staff'
  title: string
  /** Its result, or its author. */
  detail: string
  /** The request and reply that prove it. */
  evidence?: unknown
  /** A notification whose payload can be shown. */
  notification_id?: string
}

/** Newest first; entries of the same time keep the order of the sources. */
export function timelineOf(speech: Speech, detail: StaffPayment): TimelineEntry[] {
  const entries = [
    ...transitionEntries(speech, detail),
    ...operationEntries(speech, detail),
    ...notificationEntries(speech, detail),
    ...eventEntries(speech, detail),
    ...refunds(speech, detail),
    ...requests(speech, detail),
    ...alarms(speech, detail),
    ...notes(speech, detail),
    ...staffActs(speech, detail),
  ]
  return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

type Source = (speech: Speech, detail: StaffPayment) => TimelineEntry[]

const joined = (...parts: (string | null | false | undefined)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' · ')

const transitionEntries: Source = ({ say, word, named }, { transitions }) =>
  transitions.map(({ version, occurred_at, from_status, to_status, source, reason }) => {
    const to = word('status', to_status)
    const from = from_status === null ? '' : word('status', from_status)
    return {
      id: `step-${version}`,
      at: occurred_at,
      kind: 'transition',
      title: from === '' ? say('step_first', { to }) : say('step_to', { from, to }),
      detail: joined(
        say('step_by', { source: word('source', source) }),
        reason && (named(`cause_${reason}`) ?? reason),
      ),
    }
  })

const operationEntries: Source = ({ say, word }, { operations }) =>
  operations.map(({ id, created_at, kind, state, sends, request, reply }) => ({
    id,
    at: created_at,
    kind: 'operation',
    title: say('asked', { what: word('operation', kind) }),
    detail: joined(word('state', state), sends > 1 && say('asked_times', { count: sends })),
    evidence: { request, reply },
  }))

const notificationEntries: Source = (speech, { notifications }) =>
  notifications.map(({ id, created_at, transaction_status, effect, reason }) => ({
    id,
    at: created_at,
    kind: 'notification',
    title: speech.say('heard', {
      status: transaction_status === null ? '–' : speech.word('status', transaction_status),
    }),
    detail: meaningOf(speech, { transaction_status, effect, reason }),
    notification_id: id,
  }))

const eventEntries: Source = ({ say }, { events }) =>
  events.map(({ id, occurred_at, type, waiting }) => ({
    id,
    at: occurred_at,
    kind: 'event',
    title: say('event', { type }),
    detail:
      waiting.length > 0
        ? say('event_waiting', { names: waiting.join(', ') })
        : say('event_delivered'),
  }))

const refunds: Source = ({ say, word }, { payment }) =>
  payment.refunds.map(({ id, created_at, amount, status, reason, status_message }) => ({
    id,
    at: created_at ?? '',
    kind: 'refund',
    title: say('refund_line', { amount: rupiah(amount), status: word('refund', status) }),
    detail: joined(reason, status_message),
  }))

/** Refunds that needed approval: the request and the decision. */
const requests: Source = ({ say, word }, { refund_requests }) =>
  refund_requests.flatMap(({ id, created_at, amount, reason, state, ...request }) => {
    const { requested_by: name, decided_at, decided_by, decision_reason } = request
    const values = { amount: rupiah(amount), name }
    const asked = {
      id,
      at: created_at,
      kind: 'refund' as const,
      title: say('request_line', values),
      detail: joined(state === 'held' && word('request', state), reason),
    }
    const ended = {
      id: `${id}-decided`,
      at: decided_at ?? request.expires_at,
      kind: 'refund' as const,
      title: say('request_decided', { ...values, outcome: word('request', state) }),
      detail: joined(decided_by, decision_reason),
    }
    return state === 'held' ? [asked] : [ended, asked]
  })

const alarms: Source = ({ say, word }, detail) =>
  detail.alarms.map(({ id, created_at, kind, detail: about, closed_by, note }) => ({
    id,
    at: created_at,
    kind: 'alarm',
    title: say('alarm_line', { kind: word('alarm', kind) }),
    detail: joined(about, closed_by && say('alarm_closed_line', { name: closed_by }), note),
  }))

const notes: Source = ({ say }, detail) =>
  detail.notes.map(({ id, created_at, author, text }) => ({
    id,
    at: created_at,
    kind: 'note',
    title: say('note_line', { name: author }),
    detail: text,
  }))

/** Reads are many and change nothing, so they have a list of their own. */
export const isRead = (action: string): boolean => /\.(?:read|history|list|search)$/.test(action)

/** Reads have their own list and notes their own entry. */
const isShownElsewhere = (action: string): boolean => isRead(action) || action.endsWith('.note')

const staffActs: Source = ({ say, word }, { acts }) =>
  acts
    .filter(({ action, actor_kind }) => actor_kind === 'staff' && !isShownElsewhere(action))
    .map(({ id, occurred_at, actor, action, reason, request_id }) => ({
      id,
      at: occurred_at,
      kind: 'staff',
      title: say('act_line', {
        name: actor,
        action: word('operation', action.split('.')[1] ?? ''),
      }),
      detail: joined(reason, request_id && `${say('request_id')} ${request_id}`),
    }))
