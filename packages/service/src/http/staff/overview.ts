// Figures of a period.
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { OVERVIEW_QUERY, readOverview } from '../../services/staff/read_overview.ts'
import { route } from '../platform/route.ts'
import { METHOD_COSTS } from './fees.ts'
import {
  count,
  listOf,
  money,
  named,
  oneOf,
  orNull,
  part,
  seconds,
  text,
  textOrNull,
} from '../platform/schema.ts'
import { WAITING } from './desk.ts'

const payment_type = oneOf(PAYMENT_TYPES, 'The payment method.')
const on_day = text('The day in Jakarta, as 2026-01-31.')

const figures = {
  created: count('How many payments were created.'),
  paid: count('How many of them were paid.'),
  open: count('How many are neither paid nor ended yet.'),
  median_s: orNull(
    seconds('In seconds.'),
    'Half of the payers took no longer than this, in seconds; null where none paid.',
  ),
  slow_s: orNull(
    seconds('In seconds.'),
    'Nine of ten payers took no longer than this, in seconds; null where none paid.',
  ),
}

export const OVERVIEW = named('Overview', {
  from: text('The first day of the period in Jakarta, as 2026-01-31.'),
  until: text('The last day of the period in Jakarta, as 2026-01-31.'),
  received: listOf(
    named('ReceivedOnDay', {
      day: on_day,
      payment_type,
      count: count('How many payments were paid.'),
      amount: money('Their sum, in rupiah with two decimals.'),
    }),
    'What was paid, by day and payment method.',
  ),
  previous: part(
    named('PreviousPeriod', {
      from: on_day,
      until: on_day,
      received: money('What was paid, in rupiah with two decimals.'),
      payments: count('How many payments were paid.'),
      refunded: money('What was refunded, in rupiah with two decimals.'),
      refunds: count('How many refunds were made.'),
    }),
    'As many days just before the period, to compare with.',
  ),
  methods: listOf(
    named('MethodFigures', { payment_type, ...figures }),
    'Success rate and time to pay, by payment method.',
  ),
  banks: listOf(
    named('BankFigures', {
      payment_type,
      bank: text('The bank of the virtual account, or the acquiring bank of the card.'),
      ...figures,
    }),
    'The same by payment method and bank, where there is a bank.',
  ),
  failures: listOf(
    named('FailureFigures', {
      payment_type,
      transaction_status: text('How they ended.'),
      status_code: textOrNull("The gateway's status code."),
      status_message: textOrNull("The gateway's message."),
      count: count('How many payments ended so.'),
    }),
    'Why payments ended without money, the most frequent first; at most 20.',
  ),
  refunds: listOf(
    named('RefundedOnDay', {
      day: on_day,
      count: count('How many refunds were made.'),
      amount: money('Their sum, in rupiah with two decimals.'),
    }),
    'What was refunded, by day.',
  ),
  costs: METHOD_COSTS,
  overdue: part(WAITING, 'Payments still pending past their expiry time.'),
})

export const overview = {
  getOverview: route({
    method: 'GET',
    access: 'staff',
    scope: 'staff:read',
    path: '/staff/overview/',
    operation: 'get_staff_overview',
    summary: 'Read received and refunded amounts and success rates for a period of days in Jakarta',
    query: OVERVIEW_QUERY,
    reply: OVERVIEW,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await readOverview(ctx, request.caller, query),
  }),
}
