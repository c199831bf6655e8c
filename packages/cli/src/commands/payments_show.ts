import type { Gapura, PaymentHistory, PaymentRepresentation } from 'gapura'
import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { table } from '../output.ts'
import { paymentText } from '../payment_text.ts'
import { findPayment } from '../find_payment.ts'
import { LOOKING, withGapura } from '../session.ts'

interface HistoryEntry {
  at: Date
  what: string
  detail: string
}

/** Transitions, operations, notifications and events in order of time. */
const historyEntries = ({
  transitions,
  operations,
  notifications,
  events,
}: PaymentHistory): HistoryEntry[] =>
  [
    ...transitions.map(({ occurred_at: at, from_status, to_status, source, reason }) => ({
      at,
      what: `became ${to_status}`,
      detail: [`${from_status ?? 'nothing'} before`, `by ${source}`, reason ?? '']
        .filter(Boolean)
        .join(', '),
    })),
    ...operations.map(({ created_at: at, kind, state, sends }) => ({
      at,
      what: `sent ${kind}`,
      detail: `${state}${sends > 1 ? `, sent ${sends} times` : ''}`,
    })),
    ...notifications.map(({ created_at: at, transaction_status, effect, reason }) => ({
      at,
      what: `notification ${transaction_status ?? '?'}`,
      detail: reason === null ? effect : `${effect} (${reason})`,
    })),
    ...events.map(({ occurred_at: at, type, waiting }) => ({
      at,
      what: `event ${type}`,
      detail:
        waiting.length === 0 ? 'delivered to all subscribers' : `waits for ${waiting.join(', ')}`,
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())

const shown = (payment: PaymentRepresentation, history: PaymentHistory): string =>
  `${paymentText(payment)}\n\n${table(historyEntries(history), [
    { title: 'TIME', of: ({ at }) => timeOf(at) },
    { title: 'WHAT', of: ({ what }) => what },
    { title: 'DETAIL', of: ({ detail }) => detail },
  ])}`

async function look({ api, staff }: Gapura, name: string) {
  const payment = await findPayment(api, LOOKING, name)
  return { payment, history: await staff.paymentHistory(LOOKING, payment.id) }
}

export const paymentsShow: Command = {
  name: 'payments show',
  summary: 'Show a payment and its history.',
  arguments: [{ name: 'payment', summary: 'its id, or its order id' }],
  flags: {},
  examples: ['gapura payments show order-1'],
  run: async (call) => {
    const found = await withGapura(
      call,
      async (gapura) => await look(gapura, call.argument('payment')),
    )
    call.output.result({ ...found.payment, history: found.history }, () =>
      shown(found.payment, found.history),
    )
  },
}
