// Every operation on a subscription, as rows of one table.
import { ANSWERS_LATE_MS } from '../../domain/answer.ts'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { nextSubscriptionCheck, type GatewaySubscription } from '../../domain/subscription.ts'
import {
  SUBSCRIPTION_ACTION,
  type SubscriptionAction,
} from '../../domain/subscription_transitions.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import { subscriptionFacts, type SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import type { SubscriptionRequest } from '../../gateway/wire/subscriptions.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { checkSubscriptionSoon, planSubscriptionCheck } from '../../store/subscriptions/checks.ts'
import { isAmountNewer } from '../../store/subscriptions/cycles.ts'
import {
  findSubscription,
  findSubscriptionById,
  lockSubscription,
} from '../../store/subscriptions/rows.ts'
import { requireInTime } from '../operations/lease.ts'
import { shownUnder } from '../operations/manual.ts'
import {
  reasonOf,
  seenBy,
  type Attempt,
  type ObjectAccess,
  type OperationType,
  type Refusal,
} from '../operations/operation_type.ts'
import { unclearOutcome } from '../operations/record.ts'
import {
  alarmGivenUp,
  REPEATABLE_CHANGE,
  sendAgain,
  unseenCreation,
} from '../operations/repeatable.ts'
import { applySubscriptionFacts } from './apply_subscription_facts.ts'
import {
  representSubscription,
  type SubscriptionRepresentation,
} from '../../domain/subscription_representation.ts'
import { parseSubscriptionChanges } from './subscription_order.ts'
import { updateRequest } from './subscription_request.ts'
import { stepSubscription } from './subscription_step.ts'

/** How operations reach a subscription. */
const SUBSCRIPTION_ACCESS: ObjectAccess<GatewaySubscription> = {
  subject_kind: 'subscription',
  find: findSubscription,
  findById: findSubscriptionById,
  lock: lockSubscription,
  represent: (_tx, subscription) => Promise.resolve(representSubscription(subscription)),
}

/**
 * The gateway keeps a key for three minutes; after two a repeat could create a second subscription.
 */
const RESEND_WITHIN_MS = 120_000
const CREATION = unseenCreation(RESEND_WITHIN_MS)

/**
 * The gateway cannot look up a subscription by our name, and only the caller has the token: an
 * unclear creation is repeated by the caller, or found by a notice or a cycle that names it (ADR
 * 0008).
 */
const CREATE_SUBSCRIPTION: OperationType<
  GatewaySubscription,
  SubscriptionFacts,
  SubscriptionRequest,
  SubscriptionRepresentation
> = {
  ...CREATION,
  kind: 'create_subscription',
  access: SUBSCRIPTION_ACCESS,
  send: async ({ gateway }, { subject, operation, input }) => {
    if (input === undefined) throw unclearOutcome(operation)
    const reply = await gateway.createSubscription(input, { idempotency_key: operation.id })
    const facts = subscriptionFacts(reply)
    if (facts.name === subject.gateway_name) return facts
    throw unclearOutcome(operation)
  },
  inspect: () => Promise.resolve({ kind: 'unknown' }),
  next: ({ age_ms, input }) => {
    if (age_ms >= RESEND_WITHIN_MS) return 'wait'
    return input === undefined ? { wait_ms: RESEND_WITHIN_MS - age_ms } : 'send'
  },
  keep: ({ gateway_id, status }) => ({ gateway_id, status }),
  apply: async (tx, locked, facts, { attempt, given_up }) => {
    const { operation, source, by } = attempt
    const after = await applySubscriptionFacts(tx, locked, facts, {
      source,
      evidence_id: operation.id,
      claimed_at: locked.next_check_at,
      ...reasonOf(by),
    })
    // Afterwards: the alarm about the unknown id, if one is open, is closed by then.
    if (given_up) await alarmGivenUp(tx, locked, operation)
    // If staff found it, it may have charged for days: the sync creates the payments of its cycles.
    if (by !== undefined) await checkSubscriptionSoon(tx, locked.id)
    return { after }
  },
  refuse: async (tx, locked, refusal) => await refuseCreation(tx, locked, refusal),
  isMade: ({ gateway_subscription_id }) => gateway_subscription_id !== null,
  manual: {
    ...CREATION.manual,
    inspect: async ({ gateway }, subscription, order) =>
      await shownUnder(
        order,
        async (id) => subscriptionFacts(await gateway.getSubscription(id)),
        (facts) => differs(subscription, facts),
      ),
  },
}

async function refuseCreation(
  tx: Tx,
  locked: GatewaySubscription,
  {
    error,
    attempt: { operation, source, by },
  }: Refusal<GatewaySubscription, SubscriptionFacts, SubscriptionRequest>,
): Promise<void> {
  // A cycle may have shown meanwhile that it was created.
  if (locked.status !== 'initiated') return
  const record = { signal: null, source, evidence_id: operation.id, notification_id: null }
  const reason = reasonOf(by).reason ?? error.code
  await stepSubscription(tx, locked, { status: 'failure' }, { ...record, reason })
}

/** The name was generated for it alone, and the amount is the one we sent. */
function differs(subscription: GatewaySubscription, facts: SubscriptionFacts): string | undefined {
  const { gateway_name, amount } = subscription
  if (facts.name !== gateway_name) return `there it is called ${facts.name}, not ${gateway_name}`
  if (facts.amount === amount) return undefined
  const charged = facts.amount === null ? 'no amount' : formatMoney(facts.amount)
  return `there it charges ${charged}, not ${formatMoney(amount)}`
}

/** The gateway's reply to a change does not show the subscription; a query does. */
type Shown = SubscriptionFacts | 'sent'
type Change = OperationType<GatewaySubscription, Shown, undefined, SubscriptionRepresentation>

export const gatewayIdOf = ({ gateway_subscription_id }: GatewaySubscription): string => {
  if (gateway_subscription_id === null) throw gatewayError('subscription_action_refused')
  return gateway_subscription_id
}

const CHANGE = {
  ...REPEATABLE_CHANGE,
  access: SUBSCRIPTION_ACCESS,
  inspect: async ({ gateway }, subscription) =>
    await seenBy(async () =>
      subscriptionFacts(await gateway.getSubscription(gatewayIdOf(subscription))),
    ),
  next: (deciding) => sendAgain(deciding),
  // It is not in the expected state.
  refuse: async (tx, { id }) => await checkSubscriptionSoon(tx, id),
} satisfies Partial<Change>

interface ActionRow {
  call: (gateway: GatewayClient, id: string, idempotency_key: string) => Promise<unknown>
  /** The gateway's status once it was carried out. */
  shown: SubscriptionFacts['status'] | 'nothing'
}

const ACTION_ROWS: Record<SubscriptionAction, ActionRow> = {
  disable: {
    call: async (gateway, id, idempotency_key) =>
      await gateway.disableSubscription(id, { idempotency_key }),
    shown: 'inactive',
  },
  enable: {
    call: async (gateway, id, idempotency_key) =>
      await gateway.enableSubscription(id, { idempotency_key }),
    shown: 'active',
  },
  cancel: {
    call: async (gateway, id, idempotency_key) =>
      await gateway.cancelSubscription(id, { idempotency_key }),
    // `inactive` does not show a cancel: a disable reads the same and leaves its retries running.
    shown: 'nothing',
  },
}

const actionOf = (action: SubscriptionAction): Change => ({
  ...CHANGE,
  kind: `${action}_subscription`,
  send: async ({ gateway }, { subject, operation }) => {
    await ACTION_ROWS[action].call(gateway, gatewayIdOf(subject), operation.id)
    return 'sent'
  },
  isDone: (_operation, seen) => seen === 'sent' || seen.status === ACTION_ROWS[action].shown,
  apply: async (tx, locked, _seen, { attempt, given_up }) => {
    if (given_up) await alarmGivenUp(tx, locked, attempt.operation)
    return { after: await applyAction(tx, locked, action, attempt) }
  },
})

async function applyAction(
  tx: Tx,
  locked: GatewaySubscription,
  action: SubscriptionAction,
  { operation, source, by }: Attempt<GatewaySubscription>,
): Promise<GatewaySubscription> {
  const { to: status, signal } = SUBSCRIPTION_ACTION[action]
  const record = { signal, source, evidence_id: operation.id, notification_id: null, reason: null }
  const stepped = await stepSubscription(tx, locked, { status }, { ...record, ...reasonOf(by) })
  const next_check_at = nextSubscriptionCheck(stepped, await readClock(tx))
  const plan = { claimed_at: locked.next_check_at, next_check_at }
  return (await planSubscriptionCheck(tx, locked.id, plan)) ?? stepped
}

/** A query cannot show an interval that takes effect later, so only the call itself proves it. */
const UPDATE_SUBSCRIPTION: Change = {
  ...CHANGE,
  kind: 'update_subscription',
  send: async ({ gateway, db }, { subject, operation }) => {
    const id = gatewayIdOf(subject)
    const begun_at = performance.now()
    const reply = await gateway.getSubscription(id)
    // A replica may not show an amount that is so new.
    const is_newer = await withReadTransaction(
      db,
      async (tx) => await isAmountNewer(tx, subject.id, ANSWERS_LATE_MS),
    )
    requireInTime(operation, begun_at)
    const { token, gopay } = reply
    if (typeof token !== 'string')
      throw gatewayError('gateway_refused', { operation: 'update_subscription' })
    const changes = parseSubscriptionChanges(operation.request)
    // What stays unchanged is read from the gateway, where it may have been changed.
    const shown = is_newer ? null : subscriptionFacts(reply).amount
    const amount = shown ?? subject.amount
    const there = { token, amount, account_id: gopay?.account_id ?? null }
    await gateway.updateSubscription(id, updateRequest(subject, changes, there))
    return 'sent'
  },
  isDone: (_operation, seen) => seen === 'sent',
  apply: async (tx, locked, _seen, { attempt, given_up }) => {
    const { operation, source } = attempt
    if (given_up) await alarmGivenUp(tx, locked, operation)
    const record = { signal: null, source, evidence_id: operation.id, notification_id: null }
    const changes = parseSubscriptionChanges(operation.request)
    return { after: await stepSubscription(tx, locked, changes, { ...record, reason: 'updated' }) }
  },
}

export const SUBSCRIPTION_OPERATIONS = {
  create_subscription: CREATE_SUBSCRIPTION,
  update_subscription: UPDATE_SUBSCRIPTION,
  disable_subscription: actionOf('disable'),
  enable_subscription: actionOf('enable'),
  cancel_subscription: actionOf('cancel'),
}
