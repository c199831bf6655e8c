// Three-way matching: exceptions, what staff do about them, balance proofs and payouts (ADR 0035).
import {
  ACTION_STATES,
  CAUSE_NAMES,
  ITEM_KINDS,
  ITEM_STATES,
  MATCH_KEYS,
  RECONCILIATION_ACTIONS,
} from '../../domain/reconciliation.ts'
import {
  ACTION_INPUT,
  actOnException,
  approveReconciliation,
  undoReconciliation,
} from '../../services/reconciliation/exceptions.ts'
import {
  EXCEPTION_QUERY,
  listExceptions,
  listPayouts,
  parseExceptionQuery,
  parsePayoutQuery,
  PAYOUT_QUERY,
  PROOF_QUERY,
  readPayout,
  readProofs,
  runReconciliation,
} from '../../services/reconciliation/read.ts'
import { readException } from '../../services/reconciliation/represent.ts'
import { REASON_INPUT } from '../../services/staff/staff_query.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { inProcess, route } from '../platform/route.ts'
import {
  count,
  day,
  listOf,
  money,
  moneyOrNull,
  named,
  oneOf,
  oneOfOrNull,
  orNull,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  yesOrNo,
} from '../platform/schema.ts'

const dayOrNull = (description: string) => orNull(day('A day.'), description)

const EXCEPTION_FIELDS = {
  id: uuid('The payment, refund or line that it is about.'),
  created_at: time('When it was found.'),
  updated_at: time('When it changed last.'),
  payment_id: uuidOrNull('The payment that it is about.'),
  owner_id: textOrNull('The owner of the payment.'),
  order_id: textOrNull('The order id.'),
  gateway_line_id: uuidOrNull("The gateway's line that was compared."),
  bank_line_id: uuidOrNull("The bank's line."),
  payout_id: uuidOrNull("Of a bank's line: the payout that it is."),
  day: day("The day in Jakarta on which it is on the gateway's balance."),
  due_on: dayOrNull('The business day by which staff should have decided.'),
  kind: oneOf(ITEM_KINDS, 'What it is about.'),
  state: oneOf(ITEM_STATES, '`missing_here`: only they have it; `missing_there`: only we have it.'),
  cause: oneOfOrNull(CAUSE_NAMES, 'What is wrong; null if nothing is.'),
  matched_by: oneOf(MATCH_KEYS, 'The key by which both sides were found to be the same.'),
  source: text('Which statement the line is of.'),
  reference: textOrNull('The reference of the line.'),
  ours: moneyOrNull('What we have.'),
  theirs: moneyOrNull('What the gateway states, before fees.'),
  received: moneyOrNull('What the bank received.'),
  fee: moneyOrNull('The fee and VAT that the gateway states.'),
  expected_fee: moneyOrNull('The fee and VAT that the rate card expects.'),
  effect: money("By how much the gateway's balance differs from the ledger because of it."),
  booked_fee: money('The fee that was posted.'),
  booked_vat: money('The VAT that was posted.'),
  booked_adjustment: money('The rounding difference that was posted.'),
  waits_for_second_person: yesOrNo('Whether an action about it waits for a second staff member.'),
  proposed_action: oneOfOrNull(RECONCILIATION_ACTIONS, 'What is usually done about it.'),
  actions: listOf(oneOf(RECONCILIATION_ACTIONS, 'An action.'), 'What can be done about it.'),
}

const ACTION = named('ReconciliationAction', {
  id: uuid('The id of the action.'),
  item_id: uuid('The exception.'),
  created_at: time('When it was requested.'),
  decided_at: timeOrNull('When a second staff member approved it.'),
  undone_at: timeOrNull('When it was undone.'),
  action: oneOf(RECONCILIATION_ACTIONS, 'What was done.'),
  state: oneOf(ACTION_STATES, '`held` waits for a second staff member.'),
  amount: money('The amount at stake.'),
  source: textOrNull('The account that it moved from; null if nothing was posted.'),
  destination: textOrNull('The account that it moved to.'),
  reason: text('Why it was done.'),
  requested_by: text('The staff member who did or requested it.'),
  decided_by: textOrNull('The second staff member.'),
  undone_by: textOrNull('The staff member who undid it.'),
  undo_reason: textOrNull('Why it was undone.'),
})

const EXCEPTION = named('ReconciliationException', {
  ...EXCEPTION_FIELDS,
  history: listOf(ACTION, 'What was done about it, oldest first.'),
})

const EXCEPTION_PAGE = pageOf(
  'ReconciliationExceptionPage',
  named('ReconciliationExceptionRow', EXCEPTION_FIELDS),
)

const PROOFS = named('BalanceProofs', {
  from: day('The first day.'),
  to: day('The last day.'),
  days: listOf(
    named('BalanceProof', {
      day: day('The day in Jakarta.'),
      computed_at: time('When it was computed.'),
      due_on: day('The business day after which everything must be explained.'),
      opening: money("The gateway's balance at the beginning of the day."),
      closing: money("The gateway's balance at the end of the day."),
      movements: listOf(
        named('BalanceMovement', {
          kind: text('What was posted, as received or fee_charged.'),
          amount: money("By how much it changed the gateway's account in the ledger."),
        }),
        'What the ledger moved on that day.',
      ),
      causes: listOf(
        named('BalanceCause', {
          cause: text('Why the balance differs, as missing_here or captured_not_settled.'),
          count: count('How many.'),
          amount: money('By how much together.'),
        }),
        'What explains the difference between balance and ledger.',
      ),
      unexplained: money('What nothing explains.'),
      state: oneOf(['proved', 'waiting', 'unexplained'], '`waiting`: statements may still come.'),
    }),
    'The days, newest first; those of which the balance was read.',
  ),
  exceptions: listOf(
    named('ExceptionCount', {
      cause: oneOf(CAUSE_NAMES, 'What is wrong.'),
      count: count('How many are open.'),
      overdue: count('How many of them should have been decided.'),
      amount: money('What is at stake together.'),
    }),
    'The open exceptions of all days.',
  ),
})

const PAYOUT_FIELDS = {
  id: uuid('The id of the payout here.'),
  created_at: time('When it was first seen.'),
  day: day('The day in Jakarta on which it was requested.'),
  due_on: dayOrNull('The business day by which staff should have decided.'),
  state: oneOf(ITEM_STATES, '`expected`: not at the bank yet.'),
  cause: oneOfOrNull(CAUSE_NAMES, 'What is wrong; null if nothing is.'),
  reference: textOrNull('What the bank shows of it.'),
  owner_id: textOrNull('Always null: a payout has payments of all owners.'),
  matched_by: oneOf(MATCH_KEYS, "The key by which the bank's line was found."),
  stated: moneyOrNull('What the gateway says it paid.'),
  received: moneyOrNull('What the bank received; null if nothing was seen yet.'),
}

const PAYOUT = named('Payout', {
  ...PAYOUT_FIELDS,
  expected: moneyOrNull('What the payments inside add up to after fees; null without a report.'),
  lines: count('How many lines of reports name this payout.'),
  inside: listOf(
    named('InsidePayout', {
      line_id: uuid("The gateway's line."),
      kind: oneOf(['payment', 'refund', 'chargeback'], 'What it is.'),
      order_id: textOrNull('The order id.'),
      payment_id: uuidOrNull('The payment here.'),
      amount: money('The amount before the fee.'),
      fee: moneyOrNull('The fee with VAT.'),
      state: oneOfOrNull(ITEM_STATES, 'How the payment compares; null if it was not compared.'),
      cause: oneOfOrNull(CAUSE_NAMES, 'What is wrong with it; null if nothing is.'),
    }),
    'The first 500 of them.',
  ),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const
const acting = { method: 'POST', access: 'staff', scope: 'staff:act' } as const

export const reconciliation = {
  listExceptions: listRoute(
    {
      path: '/staff/reconciliation/exceptions/',
      operation: 'list_staff_reconciliation_exceptions',
      summary: 'List what differs between our payments, the gateway and the bank',
      access: 'staff',
      scope: 'staff:read',
      query: EXCEPTION_QUERY,
      reply: EXCEPTION_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseExceptionQuery, find: listExceptions },
  ),

  getException: route({
    ...reading,
    path: '/staff/reconciliation/exceptions/{pk}/',
    operation: 'get_staff_reconciliation_exception',
    summary: 'Read an exception with everything that was done about it',
    reply: EXCEPTION,
    run: async (ctx, { request, id }) => await readException(ctx, request.caller, id),
  }),

  actOnException: route({
    ...acting,
    path: '/staff/reconciliation/exceptions/{pk}/act/',
    operation: 'act_on_staff_reconciliation_exception',
    summary: 'Act on an exception; above the limit it waits for a second staff member',
    input: titled('ReconciliationActInput', ACTION_INPUT),
    reply: EXCEPTION,
    errors: ['invalid_request', 'duplicate_order', 'gateway_not_found', 'gateway_failed'],
    repeat: 'an exception that was decided is refused, and nothing is posted twice.',
    run: async (ctx, { request, id, input }) =>
      await actOnException(ctx, request.caller, id, input),
  }),

  approveReconciliation: route({
    ...acting,
    path: '/staff/reconciliation/actions/{pk}/approve/',
    operation: 'approve_staff_reconciliation_action',
    summary: 'Approve an action that waits for a second staff member',
    input: titled('ReasonInput', REASON_INPUT),
    reply: ACTION,
    errors: ['invalid_request', 'second_person_needed'],
    repeat: 'an action that is done stays done and is posted once.',
    run: async (ctx, { request, id, input }) =>
      await approveReconciliation(ctx, request.caller, id, input),
  }),

  undoReconciliation: route({
    ...acting,
    path: '/staff/reconciliation/actions/{pk}/undo/',
    operation: 'undo_staff_reconciliation_action',
    summary: 'Undo an action, or withdraw one that waits; the exception is open again',
    input: titled('ReasonInput', REASON_INPUT),
    reply: ACTION,
    errors: ['invalid_request'],
    repeat: 'an action that is undone stays undone and is posted once.',
    run: async (ctx, { request, id, input }) =>
      await undoReconciliation(ctx, request.caller, id, input),
  }),

  getBalanceProofs: route({
    ...reading,
    path: '/staff/reconciliation/proofs/',
    operation: 'get_staff_balance_proofs',
    summary: 'Read the proof of each day: opening balance, movements, closing balance',
    query: PROOF_QUERY,
    reply: PROOFS,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await readProofs(ctx, request.caller, query),
  }),

  listPayouts: listRoute(
    {
      path: '/staff/reconciliation/payouts/',
      operation: 'list_staff_payouts',
      summary: "List the gateway's payouts with what the bank received",
      access: 'staff',
      scope: 'staff:read',
      query: PAYOUT_QUERY,
      reply: pageOf('PayoutPage', named('PayoutRow', PAYOUT_FIELDS)),
    },
    { cursors: NEWEST_FIRST, parse: parsePayoutQuery, find: listPayouts },
  ),

  getPayout: route({
    ...reading,
    path: '/staff/reconciliation/payouts/{pk}/',
    operation: 'get_staff_payout',
    summary: 'Read a payout with the payments inside: expected, stated and received',
    reply: PAYOUT,
    run: async (ctx, { request, id }) => await readPayout(ctx, request.caller, id),
  }),

  /** Compares everything that is new, now instead of in the background. */
  runReconciliation: inProcess({
    ...acting,
    path: '/staff/reconciliation/run/',
    repeat: 'what was compared is left as it is.',
    run: async (ctx, { request }) => await runReconciliation(ctx, request.caller),
  }),
}
