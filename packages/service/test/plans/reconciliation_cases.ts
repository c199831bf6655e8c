// What was compared: exceptions, payouts, actions about them, and what one side lacks.
import { newId } from '../../src/store/sql/values.ts'
import {
  approveAction,
  listActions,
  lockAction,
  resolveItem,
  undoAction,
  type StoredAction,
} from '../../src/store/reconciliation/actions.ts'
import { claimFound, releaseFound } from '../../src/store/reconciliation/found.ts'
import { listInside, referencesOf, sumInside } from '../../src/store/reconciliation/inside.ts'
import {
  findItem,
  listExceptions,
  listPayouts,
  lockItem,
  type ExceptionFilters,
} from '../../src/store/reconciliation/items.ts'
import {
  findMissingPayments,
  findMissingRefunds,
  nextPlace,
} from '../../src/store/reconciliation/progress.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import type { PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

const first = { page_size: 20, cursor: null }
const ITEM = 'reconciliation_item_pkey'
const ACTION = 'reconciliation_action_pkey'
const span = { from: '2026-01-30', to: '2026-01-31', batch: newId(), due_on: '2026-02-05' }

const list = (filters: ExceptionFilters) => async (tx: Tx) =>
  await listExceptions(tx, filters, first)

const action = (): StoredAction => ({
  id: newId(),
  item_id: newId(),
  created_at: new Date(),
  decided_at: null,
  undone_at: null,
  action: 'accept',
  state: 'done',
  amount: 100n,
  source: null,
  destination: null,
  reason: 'x',
  requested_by: 'x',
  decided_by: null,
  undone_by: null,
  undo_reason: null,
  former_state: 'mismatched',
  former_cause: 'fee_differs',
  former_effect: 0n,
})

export const reconciliationCases = (): PlanCase[] => [
  looks('open exceptions, newest first', 'reconciliation_item_open', list({ open: true })),
  looks('all exceptions, newest first', 'reconciliation_item_exception', list({ open: false })),
  looks(
    'exceptions of a payment',
    'reconciliation_item_payment',
    list({ open: false, payment_id: newId() }),
  ),
  looks('payouts, newest first', 'reconciliation_item_payout', (tx) => listPayouts(tx, first)),
  looks('an exception', ITEM, (tx) => findItem(tx, newId())),
  looks('lock an exception', ITEM, (tx) => lockItem(tx, newId())),
  writes('resolve an exception', ITEM, (tx) => resolveItem(tx, action())),
  {
    query: 'claim exceptions to ask about',
    indexes: ['reconciliation_item_cause', 'reconciliation_item_open'],
    writes: true,
    run: async (tx) => await claimFound(tx, { limit: 20, lease_ms: 1_000, due_by: new Date() }),
  },
  writes('release such an exception', ITEM, (tx) => releaseFound(tx, newId())),
  looks('actions about an exception', 'reconciliation_action_item', (tx) =>
    listActions(tx, newId()),
  ),
  looks('lock an action', ACTION, (tx) => lockAction(tx, newId())),
  writes('approve an action', ACTION, (tx) => approveAction(tx, newId(), 'x')),
  writes('undo an action', ACTION, (tx) =>
    undoAction(tx, newId(), { undone_by: 'x', reason: 'x', due_on: '2026-01-31' }),
  ),
  looks('what is inside a payout', 'statement_line_reference', (tx) =>
    listInside(tx, ['WLST1'], 20),
  ),
  looks('what a payout adds up to', 'statement_line_reference', (tx) => sumInside(tx, ['WLST1'])),
  looks('the references of a payout', 'statement_line_pkey', (tx) => referencesOf(tx, newId())),
  looks('the next lines', 'statement_line_list', (tx) =>
    nextPlace(tx, { at: new Date(0), id: newId() }, 100),
  ),
  writes('payments that the gateway lacks', 'gateway_payment_state_paid', (tx) =>
    findMissingPayments(tx, span, ['qris']),
  ),
  writes('refunds that the gateway lacks', 'gateway_refund_succeeded', (tx) =>
    findMissingRefunds(tx, span),
  ),
]
