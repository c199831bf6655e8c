import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import {
  eraseInvoices,
  erasePayments,
  eraseSubscriptions,
  listPersonalObjects,
  type Person,
} from '../../store/personal_data.ts'
import { withReadTransaction, withTransaction, type Tx } from '../../store/transaction.ts'
import { noteDeed } from '../audit/note_deed.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../staff/staff_caller.ts'
import { keptTextParser } from '../secret_faults.ts'
import { refuseFaults } from '../validation.ts'

const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const parseErasure = keptTextParser(
  Type.Object(
    {
      email: maybe(text(255)),
      owner_id: maybe(text(255)),
      reason: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' }),
      dry_run: maybe(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
)

/** How many objects lost what they held about people. */
export interface Erasure {
  dry_run: boolean
  payments: number
  invoices: number
  subscriptions: number
  /** Left as they are, because something about them is still under way: come back later. */
  waiting: number
}

const ERASE: Readonly<Record<ObjectKind, (tx: Tx, ids: readonly string[]) => Promise<void>>> = {
  payment: erasePayments,
  invoice: eraseInvoices,
  subscription: eraseSubscriptions,
}
const KINDS: readonly ObjectKind[] = ['payment', 'invoice', 'subscription']
const PAGE = 50
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Takes everything out that is kept about a person, or about all customers of an owner (I-37), and
 * leaves what is money: amounts, states, times, ids. A page at a time, each in a transaction of its
 * own. May repeat: what is already out is not found again.
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
  const found = { payment: 0, invoice: 0, subscription: 0 }
  let waiting = 0
  for (const kind of KINDS) {
    const done = await eraseKind(ctx, caller, person, { kind, dry_run, reason })
    found[kind] = done.erased
    waiting += done.waiting
  }
  const { payment: payments, invoice: invoices, subscription: subscriptions } = found
  // Who is forgotten does not stand in a log.
  const told = { by: caller.owner_id, reason, payments, invoices, subscriptions, waiting }
  if (!dry_run) ctx.log.warn(told, 'personal data erased')
  return { dry_run, payments, invoices, subscriptions, waiting }
}

interface Erasing {
  kind: ObjectKind
  dry_run: boolean
  reason: string
}

async function eraseKind(
  ctx: Context,
  caller: Caller,
  person: Person,
  { kind, dry_run, reason }: Erasing,
) {
  let erased = 0
  let waiting = 0
  for (let after = FIRST; ;) {
    const page = { kind, after, limit: PAGE }
    const found = await withReadTransaction(
      ctx.db,
      async (tx) => await listPersonalObjects(tx, person, page),
    )
    const ids = found.filter(({ busy }) => !busy).map(({ id }) => id)
    erased += ids.length
    waiting += found.length - ids.length
    if (ids.length > 0 && !dry_run) {
      await withTransaction(ctx.db, async (tx) => {
        await ERASE[kind](tx, ids)
        // By their ids alone: the audit cannot be erased.
        const about = { subject_kind: kind, subject_id: '-', reason, detail: { ids } }
        await noteDeed(tx, ctx, caller, { action: 'privacy.erase', ...about })
      })
    }
    const last = found.at(-1)
    if (last === undefined || found.length < PAGE) return { erased, waiting }
    after = last.id
  }
}
