// Charges that several callers make at the same time are stored together, and so are their answers:
// the cost of a transaction is in its statements and round trips, not in its rows (ADR 0006). A charge
// that arrives alone, and whatever is unusual, takes the ordinary way of one charge.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorName } from '../../domain/error_name.ts'
import {
  representPayment,
  type PaymentRepresentation,
} from '../../domain/payment_representation.ts'
import { isAway } from '../../store/connection/errors.ts'
import type { Database } from '../../store/connection/database.ts'
import { readClock } from '../../store/connection/settings.ts'
import { inOrder, withTransaction } from '../../store/connection/transaction.ts'
import { keepOperationReplies } from '../../store/operations/intents.ts'
import { finishOperations } from '../../store/operations/rows.ts'
import { insertCharges, type NewCharge } from '../../store/payments/charges.ts'
import { lockFreePayments } from '../../store/payments/locks.ts'
import type { AnsweredCharge, ChargeGroups, Context, Logger } from '../context.ts'
import { groupWriter, type GroupLimits, type Outcome } from '../group_writer.ts'
import { enterFacts } from './apply_facts.ts'
import { chargeProvenance } from './charge_operation.ts'
import { PaymentWriteBatch } from './payment_write_batch.ts'

/** Two groups at a time: while one waits for the disk the other is prepared. */
const LIMITS: GroupLimits = { flights: 2, group_max: 32, waiting_max: 2_048 }
/** The most that one charge keeps others waiting, for a lock or for the place of its group. */
const HELD_MS_MAX = 100

type GroupContext = Pick<Context, 'db' | 'log' | 'reached' | 'notifyLinked'>

interface Member<Item> {
  id: string
  item: Item
  /** Does alone what could be done together. It never fails: its request gets the failure. */
  beginAlone: () => Promise<void>
}

interface Joining<Item, Result> {
  /** The results of those that were written together, by id. The others are done alone. */
  writeTogether: (items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>
  /** Whether an error of the group is the error of each member; else each is tried alone. */
  isFinal: (error: unknown) => boolean
}

/** Does something together with others that is requested at the same time, or else alone. */
function joining<Item, Result>(log: Logger, { writeTogether, isFinal }: Joining<Item, Result>) {
  const write = async (members: readonly Member<Item>[]) => {
    const [only] = members
    if (members.length === 1 && only !== undefined) return await writeOne(only)
    const outcomes = new Map<string, Outcome<Result | undefined>>()
    try {
      const results = await writeTogether(members.map(({ item }) => item))
      for (const { id } of members) outcomes.set(id, { done: true, result: results.get(id) })
    } catch (error) {
      log.warn({ charges: members.length, error: errorName(error) }, 'charge_group_failed')
      const outcome = isFinal(error)
        ? { done: false as const, error }
        : { done: true as const, result: undefined }
      for (const { id } of members) outcomes.set(id, outcome)
    }
    return outcomes
  }
  const writer = groupWriter<Member<Item>, Result | undefined>(write, LIMITS)
  return async <Alone>(
    id: string,
    item: Item,
    alone: () => Promise<Alone>,
  ): Promise<Result | Alone> => {
    let own: Promise<Alone> | undefined
    // What it does alone belongs to its own request.
    const inside = AsyncLocalStorage.snapshot()
    const beginAlone = async (): Promise<void> => {
      own = inside(alone)
      await own.catch(() => undefined)
    }
    const result = await writer.hand({ id, item, beginAlone })
    return result ?? (await (own ?? alone()))
  }
}

/** Others form the next group meanwhile, but wait no longer than the limit. */
async function writeOne<Item>({ id, beginAlone }: Member<Item>) {
  const timer = new AbortController()
  const late = sleep(HELD_MS_MAX, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([beginAlone(), late])
  timer.abort()
  return new Map([[id, { done: true as const, result: undefined }]])
}

/** The groups of one process. Owners keep their turns: each charge has its gateway slot already. */
export function openChargeGroups(ctx: GroupContext): ChargeGroups {
  // A row that another transaction is writing must not keep the whole group.
  const db: Database = { ...ctx.db, lock_timeout_ms: HELD_MS_MAX }
  const insert = joining(ctx.log, {
    writeTogether: async (charges: readonly NewCharge[]) =>
      await insertTogether({ ...ctx, db }, charges),
    // Nothing may be written twice: what became of it is unknown, as for one charge.
    isFinal: isAway,
  })
  const record = joining(ctx.log, {
    writeTogether: async (answered: readonly AnsweredCharge[]) =>
      await recordTogether({ ...ctx, db }, answered),
    // Alone, each finds out by its attempt whether it was recorded.
    isFinal: () => false,
  })
  return {
    insert: async (charge, alone) => await insert(charge.payment.id, charge, alone),
    record: async (answered, alone) => await record(answered.payment.id, answered, alone),
  }
}

async function insertTogether(ctx: GroupContext, charges: readonly NewCharge[]) {
  const taken = new Set<string>()
  // The second of two with one order id or intent waits for the first, and then looks.
  const first = charges.filter(({ payment: { order_id }, intent }) => {
    const names = [order_id, ...(intent ? [`${intent.owner_id}\n${intent.key}`] : [])]
    const fresh = names.every((name) => !taken.has(name))
    for (const name of names) taken.add(name)
    return fresh
  })
  return await withTransaction(ctx.db, async (tx) => {
    const inserting = insertCharges(tx, first)
    tx.commitNow()
    const inserted = await inserting
    ctx.reached('charge.key_claimed')
    ctx.reached('charge.payment_inserted')
    ctx.reached('charge.operation_inserted')
    return inserted
  })
}

async function recordTogether(ctx: GroupContext, answered: readonly AnsweredCharge[]) {
  return await withTransaction(ctx.db, async (tx) => {
    // The clock is read under the locks.
    const [locked, now] = await Promise.all([
      lockFreePayments(
        tx,
        answered.map(({ payment }) => payment.id),
      ),
      readClock(tx),
    ])
    ctx.reached('charge.locked')
    const rows = new Map(locked.map((row) => [row.id, row]))
    const untouched = answered.filter(({ payment }) => {
      const row = rows.get(payment.id)
      return row?.version === 1 && row.updated_at.getTime() === payment.updated_at.getTime()
    })
    const replies = new Map<string, ChargeReply>()
    if (untouched.length === 0) return replies
    const batch = new PaymentWriteBatch(tx, ctx, now)
    for (const one of untouched) replies.set(one.payment.id, await apply(batch, one, now))
    ctx.reached('charge.applied')
    await batch.closeLast(async () => {
      // If another attempt has begun at one of them, each is recorded alone.
      const ended = finishOperations(tx, untouched.map(finishedOf), now)
      const kept = keepOperationReplies(tx, untouched.flatMap(storedReplyIn(replies)), now)
      await inOrder([ended, kept])
    })
    ctx.reached('charge.finished')
    return replies
  })
}

interface ChargeReply {
  code: number
  body: PaymentRepresentation
}

const finishedOf = ({ operation: { id, attempt }, kept: reply }: AnsweredCharge) => ({
  id,
  attempt,
  reply,
})

const storedReplyIn =
  (replies: ReadonlyMap<string, ChargeReply>) =>
  ({ payment, operation: { id: operation_id } }: AnsweredCharge) => {
    const reply = replies.get(payment.id)
    if (reply === undefined) return []
    return [{ operation_id, code: reply.code, body: JSON.stringify(reply.body) }]
  }

async function apply(
  batch: PaymentWriteBatch,
  { payment, items, operation, facts }: AnsweredCharge,
  now: Date,
): Promise<ChargeReply> {
  batch.knowItems(new Map([[payment.id, items]]))
  const provenance = { ...chargeProvenance(operation), evidence: 'gateway_answer' as const }
  const { payment: after } = await enterFacts(batch, payment, { facts, provenance })
  return { code: 201, body: representPayment({ payment: after, items, refunds: [] }, now) }
}
