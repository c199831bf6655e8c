import { GatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { hintedCheckAt, nextInvoiceCheckAt } from '../../domain/invoice_dates.ts'
import {
  claimDueInvoices,
  claimOverdueInvoices,
  setNextInvoiceCheck,
} from '../../store/invoices/checks.ts'
import { findInvoiceHint } from '../../store/invoices/lookups.ts'
import { readClock } from '../../store/connection/settings.ts'
import { lockInvoice } from '../../store/invoices/rows.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { refreshInvoice } from '../invoices/invoice_status.ts'
import { mirrorPayment } from '../linked_payments/mirror_payments.ts'
import { alarmAboutObject } from '../object_step.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { sweepPages, type SweepOptions } from './sweep_pages.ts'

const INVOICE_LOCK = { subject_kind: 'invoice', lock: lockInvoice } as const

/** How many invoices a sweep queried, by outcome. */
type InvoicesSwept = Record<'moved' | 'unchanged' | 'not_found' | 'unreachable', number>

const LEASE_MS = 120_000
const UNREACHABLE_MS = 5 * 60_000
/** Less than an hour: check_overdue_invoices treats a later check as forgotten. */
const NOT_FOUND_MS = 55 * 60_000

type Claim = typeof claimDueInvoices

/** Queries every invoice that is due: a payment was made through it, or the plan says so. */
export const checkDueInvoices = async (
  ctx: Context,
  options: SweepOptions,
): Promise<InvoicesSwept> => await sweep(ctx, claimDueInvoices, options)

/**
 * Queries every pending invoice whose due day is over: the gateway decides whether it is overdue.
 */
export const checkOverdueInvoices = async (
  ctx: Context,
  options: SweepOptions,
): Promise<InvoicesSwept> => await sweep(ctx, claimOverdueInvoices, options)

const sweep = async (ctx: Context, claim: Claim, options: SweepOptions): Promise<InvoicesSwept> =>
  await sweepPages<GatewayInvoice, keyof InvoicesSwept>(
    ctx,
    options,
    {
      claim,
      lease_ms: LEASE_MS,
      check: async (invoice) => await check(ctx, invoice, options),
      name: ({ id }) => ({ invoice_id: id }),
    },
    { moved: 0, unchanged: 0, not_found: 0, unreachable: 0 },
  )

type Answer = 'answered' | 'not_found' | 'unreachable'

async function check(
  ctx: Context,
  invoice: GatewayInvoice,
  { budget }: SweepOptions,
): Promise<keyof InvoicesSwept> {
  if (invoice.gateway_invoice_id !== null) await budget.take()
  const answer = await askOnce(ctx, invoice, async () => await budget.take())
  return await withTransaction(ctx.db, async (tx) => {
    const held = await lockExisting(tx, INVOICE_LOCK, invoice.id)
    // A transition plans its own next check, unless something is left to query.
    if (held.version !== invoice.version && answer !== 'unreachable') return 'moved'
    await planNext(tx, held, answer)
    return answer === 'answered' ? 'unchanged' : answer
  })
}

async function askOnce(
  ctx: Context,
  invoice: GatewayInvoice,
  take: () => Promise<void>,
): Promise<Answer> {
  try {
    const after = await refreshInvoice(ctx, invoice, 'sweep')
    if (after.status !== 'paid' || (await mirrorPayment(ctx, after, take))) return 'answered'
    return 'unreachable'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? 'not_found' : 'unreachable'
  }
}

async function planNext(tx: Tx, held: GatewayInvoice, answer: Answer): Promise<void> {
  const now = await readClock(tx)
  // A payment was made through it after the claim: the answer may be older than that.
  if (held.next_check_at !== null && held.next_check_at <= now) return
  await setNextInvoiceCheck(tx, held.id, await nextOf(tx, held, { answer, now }))
  if (answer !== 'not_found') return
  const about = { subject_kind: 'invoice', id: held.id, owner_id: held.owner_id } as const
  const words = `the gateway does not know a ${held.status} invoice`
  await alarmAboutObject(tx, about, 'outcome_unknown', words)
}

async function nextOf(
  tx: Tx,
  held: GatewayInvoice,
  { answer, now }: { answer: Answer; now: Date },
): Promise<Date | null> {
  if (answer === 'unreachable') return new Date(now.getTime() + UNREACHABLE_MS)
  if (answer === 'not_found') return new Date(now.getTime() + NOT_FOUND_MS)
  const planned = nextInvoiceCheckAt(held, now)
  if (planned === null) return null
  const hint = await findInvoiceHint(tx, held.id)
  if (hint === undefined || hint.paid_at === null) return planned
  const hinted = hintedCheckAt(hint.paid_at, now)
  return hinted < planned ? hinted : planned
}
