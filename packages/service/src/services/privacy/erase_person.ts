import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { rewriteEntries } from '../../store/search/entries.ts'
import {
  eraseCheckouts,
  eraseInvoices,
  erasePayments,
  eraseSubscriptions,
  listPersonalObjects,
  type Person,
  type PersonalObject,
} from '../../store/staff/personal_data.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'

const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Whose data: exactly one of `email` and `owner_id`. */
export const ERASURE_INPUT = Type.Object(
  {
    email: maybe(text(255)),
    owner_id: maybe(text(255)),
    reason: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' }),
    dry_run: maybe(Type.Boolean()),
  },
  { additionalProperties: false },
)

const parseErasure = keptTextParser(ERASURE_INPUT)

/** How many objects lost what they held about people. */
export interface Erasure {
  dry_run: boolean
  payments: number
  invoices: number
  subscriptions: number
  checkouts: number
  /** Left as they are, because something about them is still under way: come back later. */
  waiting: number
}

const ERASE: Readonly<Record<ObjectKind, (tx: Tx, ids: readonly string[]) => Promise<void>>> = {
  payment: erasePayments,
  invoice: eraseInvoices,
  subscription: eraseSubscriptions,
  checkout: eraseCheckouts,
}
const KINDS: readonly ObjectKind[] = ['payment', 'invoice', 'subscription', 'checkout']
const PAGE = 50
/** Rounds of one kind: what was committed behind a round's back is found by the next. */
const ROUNDS_MAX = 5
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Takes everything out that is kept about a person, or about all customers of an owner (I-37), and
 * leaves what is money: amounts, states, times, ids. A page at a time, each found, locked and erased
 * in one transaction. May repeat: what is already out is not found again.
 */
export async function erasePerson(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<Erasure | undefined> {
  requireStaff(caller, 'staff:act')
  const { email, owner_id, reason, dry_run = false } = parseErasure(input)
  if ((email === undefined) === (owner_id === undefined)) {
    refuseFaults([{ field: 'email', message: 'or owner_id, one of them' }])
  }
  const person: Person = email === undefined ? { owner_id: owner_id ?? '' } : { email }
  const found = { payment: 0, invoice: 0, subscription: 0, checkout: 0 }
  let waiting = 0
  for (const kind of KINDS) {
    const done = await eraseKind(ctx, caller, person, { kind, dry_run, reason })
    found[kind] = done.erased
    waiting += done.waiting
  }
  const { payment: payments, invoice: invoices, subscription: subscriptions } = found
  const { checkout: checkouts } = found
  const counts = { payments, invoices, subscriptions, checkouts, waiting }
  // The log must not name the erased customer.
  const fields = { by: caller.owner_id, reason, ...counts }
  if (!dry_run) ctx.log.warn(fields, 'personal data erased')
  return { dry_run, ...counts }
}

interface Erasing {
  kind: ObjectKind
  dry_run: boolean
  reason: string
}

interface Counted {
  erased: number
  waiting: number
}

/** Until a round finds nothing more: ids are made before their rows are committed. */
async function eraseKind(
  ctx: Context,
  caller: Caller,
  person: Person,
  erasing: Erasing,
): Promise<Counted> {
  let erased = 0
  for (let round = 1; ; round++) {
    const done = await eraseRound(ctx, caller, person, erasing)
    erased += done.erased
    const last = done.erased === 0 || erasing.dry_run || round === ROUNDS_MAX
    if (last) return { erased, waiting: done.waiting }
  }
}

async function eraseRound(
  ctx: Context,
  caller: Caller,
  person: Person,
  erasing: Erasing,
): Promise<Counted> {
  let erased = 0
  let waiting = 0
  for (let after = FIRST; ;) {
    const found = await erasePage(ctx, caller, person, { ...erasing, after })
    const busy = found.filter((object) => object.busy).length
    erased += found.length - busy
    waiting += busy
    const last = found.at(-1)
    if (last === undefined || found.length < PAGE) return { erased, waiting }
    after = last.id
  }
}

/** What the page holds; unless it is a dry run, all of it that is not busy is erased with that. */
async function erasePage(
  ctx: Context,
  caller: Caller,
  person: Person,
  { kind, dry_run, reason, after }: Erasing & { after: string },
): Promise<PersonalObject[]> {
  const page = { kind, after, limit: PAGE, lock: !dry_run }
  if (dry_run) {
    return await withReadTransaction(ctx.db, (tx) => listPersonalObjects(tx, person, page))
  }
  return await withTransaction(ctx.db, async (tx) => {
    const found = await listPersonalObjects(tx, person, page)
    const ids = found.filter(({ busy }) => !busy).map(({ id }) => id)
    if (ids.length === 0) return found
    await ERASE[kind](tx, ids)
    await rewriteEntries(tx, kind, ids)
    // By their ids alone: the audit cannot be erased.
    const about = { subject_kind: kind, subject_id: '-', reason, detail: { ids } }
    await recordAudit(tx, ctx, caller, { action: 'privacy.erase', ...about })
    return found
  })
}
