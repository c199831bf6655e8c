// Every operation on a checkout, as rows of one table.
import type { GatewayCheckout } from '../../domain/checkout.ts'
import type { CheckoutRepresentation } from '../../domain/checkout_representation.ts'
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import { GatewayError } from '../../domain/errors.ts'
import {
  parseCheckoutRequest,
  type CheckoutPageReply,
  type CheckoutRequest,
} from '../../gateway/wire/checkouts.ts'
import { findCheckout, findCheckoutById, lockCheckout } from '../../store/checkouts/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import {
  reasonOf,
  type ObjectAccess,
  type OperationType,
  type Refusal,
} from '../operations/operation_type.ts'
import { unclearOutcome } from '../operations/record.ts'
import { REPEATABLE_CHANGE, sendAgain, unseenCreation } from '../operations/repeatable.ts'
import { representCheckoutWithin, stepCheckout } from './step_checkout.ts'

/** How operations reach a checkout. */
const CHECKOUT_ACCESS: ObjectAccess<GatewayCheckout> = {
  subject_kind: 'checkout',
  find: findCheckout,
  findById: findCheckoutById,
  lock: lockCheckout,
  represent: representCheckoutWithin,
}

/** As for an invoice: the same body again for four minutes, then never. */
const RESEND_WITHIN_MS = 240_000
const CREATION = unseenCreation(RESEND_WITHIN_MS)
const MINUTE_MS = 60_000

/** After an unclear send these end the creation: the gateway will not give the page any more. */
const ENDS_RESEND: ReadonlySet<ErrorCode> = new Set([
  'gateway_duplicate',
  'gateway_rejected',
  'gateway_refused',
])

/**
 * The gateway cannot look up a page. An unclear creation is sent again for four minutes, with three
 * possible answers: the same page, another page, or that the order id is used. Whichever comes, at
 * most one page is stored, and a page whose answer was lost has an address that no one has; so after
 * four minutes the creation ends as failed, without staff (ADR 0030).
 */
const CREATE_CHECKOUT: OperationType<
  GatewayCheckout,
  CheckoutPageReply,
  CheckoutRequest,
  CheckoutRepresentation
> = {
  ...CREATION,
  kind: 'create_checkout',
  access: CHECKOUT_ACCESS,
  send: async (ctx, { operation, input }) => {
    const payload = input ?? parseCheckoutRequest(operation.request)
    if (payload === undefined) throw unclearOutcome(operation)
    return await ctx.gateway.createCheckout(payload)
  },
  inspect: async () => await Promise.resolve({ kind: 'unknown' }),
  isRefusal: ({ sends }, { definite, code }) =>
    sends === 1 ? definite || code === 'gateway_duplicate' : ENDS_RESEND.has(code),
  next: ({ age_ms }) => (age_ms < RESEND_WITHIN_MS ? 'send' : 'refuse'),
  needsStaff: () => null,
  // Neither token nor address: they are on the checkout alone.
  keep: () => ({ page: true }),
  apply: async (tx, locked, { token, redirect_url }, { attempt, now }) => {
    // A checkout that was given up stays so: another page may have its order id.
    const expires_at = new Date(now.getTime() + locked.page_expiry_minutes * MINUTE_MS)
    const after = await stepCheckout(tx, locked, {
      to: 'open',
      change: { token, redirect_url, expires_at },
      because: { source: attempt.source, evidence_id: attempt.operation.id },
    })
    return { after }
  },
  refuse: async (tx, locked, refusal) => await refuseCreation(tx, locked, refusal),
  isMade: ({ status }) => status !== 'initiated' && status !== 'failure',
  manual: {
    ...CREATION.manual,
    mayDecideUnseen: () => true,
    doneFault: () => ({
      field: 'outcome',
      message: 'the address of a page cannot be found out; end it as refused',
    }),
  },
}

async function refuseCreation(
  tx: Tx,
  locked: GatewayCheckout,
  { error, attempt }: Refusal<GatewayCheckout, CheckoutPageReply, CheckoutRequest>,
): Promise<void> {
  const { operation, source, by } = attempt
  const because = { source, evidence_id: operation.id, reason: error.code, ...reasonOf(by) }
  await stepCheckout(tx, locked, { to: 'failure', because })
  // After an unclear send it is our own page that has the order id.
  if (error.code !== 'gateway_duplicate' || operation.sends > 1) return
  const about = { subject_kind: 'checkout', id: locked.id, owner_id: locked.owner_id } as const
  await alarmAboutObject(tx, about, 'duplicate_at_gateway', `checkout of ${locked.order_id}`)
}

interface Closed {
  page_closed: boolean
}

/**
 * Ends a page. Not every account may do that at the gateway: whatever it answers, the checkout is
 * cancelled here, and `page_closed` says whether money may still arrive.
 */
const CANCEL_CHECKOUT: OperationType<GatewayCheckout, Closed, undefined, CheckoutRepresentation> = {
  ...REPEATABLE_CHANGE,
  kind: 'cancel_checkout',
  access: CHECKOUT_ACCESS,
  sends_unseen: true,
  send: async (ctx, { subject }) => await closePage(ctx, subject),
  inspect: async () => await Promise.resolve({ kind: 'unknown' }),
  isDone: () => true,
  next: sendAgain,
  keep: ({ page_closed }) => ({ page_closed }),
  apply: async (tx, locked, { page_closed }, { attempt }) => ({
    after: await stepCheckout(tx, locked, {
      to: 'cancelled',
      change: { page_closed },
      because: {
        source: attempt.source,
        evidence_id: attempt.operation.id,
        ...reasonOf(attempt.by),
      },
    }),
  }),
  refuse: async () => await Promise.resolve(),
  manual: { ...REPEATABLE_CHANGE.manual, mayDecideUnseen: () => true },
}

async function closePage(ctx: Context, { token }: GatewayCheckout): Promise<Closed> {
  // The page is over, or the checkout has ended meanwhile.
  if (token === null) return { page_closed: true }
  try {
    await ctx.gateway.cancelCheckout(token)
    return { page_closed: true }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    // The effect of our own earlier send.
    const closed = /already cancell?ed/i.test(error.gateway?.status_message ?? '')
    return { page_closed: closed }
  }
}

export const CHECKOUT_OPERATIONS = {
  create_checkout: CREATE_CHECKOUT,
  cancel_checkout: CANCEL_CHECKOUT,
}
