// A person ends an operation that looking alone could not. The gateway's word still goes before
// hers: it is asked first, and what it shows is recorded. Hers counts where it is silent.
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import { closeAlarmAbout } from '../../store/alarms.ts'
import { isUnavailable } from '../../store/availability.ts'
import { claimOperation } from '../../store/operation_claims.ts'
import { findOperation } from '../../store/operations.ts'
import { findPaymentById } from '../../store/payments.ts'
import { readClock } from '../../store/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../../store/transaction.ts'
import { noteDeed } from '../audit/note_deed.ts'
import type { Context } from '../context.ts'
import { endInvoiceByHand } from '../invoices/end_invoice_by_hand.ts'
import { INVOICE_ACCESS } from '../invoices/invoice_access.ts'
import type { InvoiceRepresentation } from '../invoices/invoice_representation.ts'
import { representInvoiceWithin } from '../invoices/read_invoice.ts'
import { representWithin } from '../payments/read_payment.ts'
import type { PaymentRepresentation } from '../payments/representation.ts'
import { RequestProblem } from '../problem.ts'
import { requireStaff } from '../staff/staff_caller.ts'
import { parseHandOrder } from '../staff/staff_query.ts'
import { endSubscriptionByHand } from '../subscriptions/end_subscription_by_hand.ts'
import {
  representSubscription,
  type SubscriptionRepresentation,
} from '../subscriptions/representation.ts'
import { SUBSCRIPTION_ACCESS } from '../subscriptions/subscription_access.ts'
import { endPaymentByHand } from './end_payment_by_hand.ts'
import { dueOf, type DueOperation, type HandOrder } from './due.ts'
import { handBack } from './fenced.ts'
import { BELIEVED_AFTER_MS } from './look_again.ts'
import { resolveOne } from './resolve_operations.ts'

/** As long as the resolver's: nobody else takes it while the gateway is asked. */
const HAND_LEASE_MS = 90_000

/** The operation as it is then, and the object it is about. */
export interface Resolved {
  operation: GatewayOperation
  payment?: PaymentRepresentation
  invoice?: InvoiceRepresentation
  subscription?: SubscriptionRepresentation
}

type End = (ctx: Context, due: DueOperation, order: HandOrder) => Promise<void>

const ENDS: Record<ObjectKind, End> = {
  payment: endPaymentByHand,
  invoice: endInvoiceByHand,
  subscription: endSubscriptionByHand,
}

/**
 * `look` has the resolver look now. `done` and `refused` end it: with what the gateway shows, or
 * where it shows nothing, with the caller's word, her name and her reason. Nothing if there is no
 * such operation; an operation that has ended is refused.
 */
export async function resolveByHand(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<Resolved | undefined> {
  requireStaff(caller, 'staff:act')
  const order = parseHandOrder(input)
  const due = await take(ctx, caller, id, order)
  if (due === undefined) return undefined
  const by = { resolved_by: caller.owner_id, reason: order.reason }
  try {
    if (order.outcome === 'look') await resolveOne(ctx, due.operation)
    else await end(ctx, due, { ...order, outcome: order.outcome, by })
  } catch (error) {
    // Hers no longer: the resolver, or she herself, need not wait for the lease to run out.
    await handBack(ctx, due.operation)
    throw error
  }
  return await withTransaction(ctx.db, async (tx) => await outcomeOf(tx, due.operation, by))
}

async function end(ctx: Context, due: DueOperation, order: HandOrder): Promise<void> {
  const left_s = Math.ceil((BELIEVED_AFTER_MS - due.quiet_ms) / 1000)
  if (left_s > 0) {
    throw refusal('outcome', `it was sent a moment ago; wait another ${left_s} s, or look`)
  }
  await ENDS[due.operation.subject_kind](ctx, due, order)
}

const refusal = (field: string, message: string) =>
  gatewayError('invalid_request', { errors: [{ field, message }] })

/** Begins an attempt of her own, which fences off whoever had it; never one that is under way. */
async function take(
  ctx: Context,
  caller: Caller,
  id: string,
  { outcome, reason }: { outcome: string; reason: string },
): Promise<DueOperation | undefined> {
  const { found, now } = await withReadTransaction(ctx.db, async (tx) => ({
    found: await findOperation(tx, id),
    now: await readClock(tx),
  }))
  if (found === undefined) return undefined
  if (found.due_at === null) throw refusal('id', `it has ended: ${found.state}`)
  if (found.state === 'started' && found.due_at > now) {
    throw new RequestProblem('operation_in_progress')
  }
  let taken: GatewayOperation | undefined
  const claimed = await withTransaction(ctx.db, async (tx) => {
    taken = await claimOperation(tx, found, HAND_LEASE_MS)
    if (taken === undefined) return undefined
    // Written with the claim, before anything is done: what came of it is on the operation.
    await noteDeed(tx, ctx, caller, {
      action: 'operation.resolve',
      subject_kind: 'operation',
      subject_id: id,
      owner_id: found.owner_id,
      reason,
      detail: { outcome, kind: found.kind, about: `${found.subject_kind} ${found.subject_id}` },
    })
    return taken
  }).catch(async (error: unknown) => {
    // If it was taken all the same, nobody knows: without her name on record nothing is done.
    if (taken !== undefined && isUnavailable(error)) await handBack(ctx, taken)
    throw error
  })
  if (claimed === undefined) throw new RequestProblem('operation_in_progress')
  return dueOf(claimed)
}

const SETTLED_ALARMS = ['outcome_unknown', 'refund_overdue'] as const

/** How it stands now. What somebody was called for is over once the operation has ended. */
async function outcomeOf(
  tx: Tx,
  { id, subject_id }: GatewayOperation,
  { resolved_by: closed_by, reason: note }: { resolved_by: string; reason: string },
): Promise<Resolved> {
  const operation = await findOperation(tx, id)
  if (operation === undefined) throw new Error(`operation ${id} is gone`)
  if (operation.due_at === null) {
    for (const kind of SETTLED_ALARMS) {
      await closeAlarmAbout(tx, { kind, subject_id }, { closed_by, note })
    }
  }
  return { operation, ...(await represented(tx, operation)) }
}

type Represented = Omit<Resolved, 'operation'>

async function represented(
  tx: Tx,
  { subject_kind, subject_id }: GatewayOperation,
): Promise<Represented> {
  if (subject_kind === 'payment') {
    const payment = await findPaymentById(tx, subject_id)
    return payment === undefined ? {} : { payment: await representWithin(tx, payment) }
  }
  if (subject_kind === 'invoice') {
    const invoice = await INVOICE_ACCESS.findById(tx, subject_id)
    return invoice === undefined ? {} : { invoice: await representInvoiceWithin(tx, invoice) }
  }
  const subscription = await SUBSCRIPTION_ACCESS.findById(tx, subject_id)
  return subscription === undefined ? {} : { subscription: representSubscription(subscription) }
}
