// Looks at a run from outside, between two steps, on a connection of its own: the invariants, which
// hold at every moment, and that each send was committed before it reached the gateway.
import type { QueryConfig } from 'pg'
import { checkInvariantsWithin as checkAll } from '../../packages/service/src/services/verify/check_invariants.ts'
import {
  openDatabase,
  type Database,
} from '../../packages/service/src/store/connection/database.ts'
import {
  withReadTransaction,
  type Tx,
} from '../../packages/service/src/store/connection/transaction.ts'
import type { HttpRequest } from '../../packages/service/src/gateway/transport.ts'
import { Fencing, lookFor, type Change, type OperationState, type Seen } from './fencing.ts'
import { wireKeyOf, type SentCall } from './gateway_traffic.ts'
import { seeded, type Random } from '../bench/random.ts'
import type { Owner } from './virtual.ts'

/** After this share of commits all invariants are checked, which takes as long as thirty steps. */
const CHECKED_SHARE = 0.02
const STATEMENT_TIMEOUT_MS = 60_000
/** Longer than a statement takes; what holds a lock goes on only after this look. */
const LOCK_TIMEOUT_MS = 100
/** They hold once the sweeps have had their turn, and not right after the clock jumped by a day. */
const AFTER_A_SWEEP = new Set(['I-16a', 'I-39', 'I-39b'])
/** Sent as POST without a key: hosted pages have none. */
const PAGES = '/snap/'
/** A process that was paused after it wrote a send down must not make it. */
const SENT_WITHIN_MS = 5_000
/** Less than any lease: so long no other process may make a call that is under way. */
const ALONE_MS = 11_000
/** How long the gateway recognises the key of a call; afterwards a repeat is a second effect. */
const KEY_LIFE_MS: Record<string, number> = {
  charge: 300_000,
  refund: 7 * 86_400_000,
  direct: 7 * 86_400_000,
}

/** A lock or a statement was waited for too long. */
const LOCKED = new Set(['55P03', '57014'])
const sqlCodeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return cause?.code ?? code ?? ''
}

/** The gateway's statuses in the order in which a payment has them; none is left for one before it. */
const IN_ORDER = `array['initiated', 'pending', 'authorize', 'capture', 'settlement',
    'partial_refund', 'refund']`

/**
 * What is wrong as soon as it is committed. More reserved than captured: the gateway refuses what is
 * too much, so that the end does not show it. A payment that went back, or that is no longer
 * cancelled, goes on with the next status check; a refund that was carried out and is not recorded
 * with it, with the next notification. An event behind the cursor that was not delivered never will
 * be.
 */
const BROKEN_ROWS = `
  select 'a payment went back from ' || from_status || ' to ' || to_status as broken
  from gapura.gateway_transition
  where object_kind = 'payment'
    and (
      array_position(${IN_ORDER}, from_status) > array_position(${IN_ORDER}, to_status)
      or (from_status = 'cancel' and to_status in ('pending', 'authorize', 'capture'))
    )
  union all
  select 'a refund that was carried out is not recorded'
  from gapura.gateway_operation as operation
  join gapura.gateway_refund as refund on refund.id = operation.refund_id
  where operation.state = 'succeeded'
    and refund.status = 'pending'
  union all
  select 'more than was captured is reserved for refunds of ' || order_id
  from gapura.gateway_payment
  where refund_reserved_amount > 0
    and refunded_amount + refund_reserved_amount > captured_amount
  union all
  select event.type || ' was passed by the cursor and not delivered'
  from gapura.gateway_event as event
  join gapura.event_subscriber as reader
    on (event.xid, event.object_id, event.sequence)
      <= (reader.cursor_xid, reader.cursor_object_id, reader.cursor_sequence)
  where reader.name = 'effects'
    and event.object_kind <> 'operator'
    and not exists (select from gapura.campaign_effect where event_id = event.id)
    and not exists (select from gapura.dead_event where object_id = event.object_id)`

const LOOK = { name: 'look', text: lookFor(BROKEN_ROWS) }
const LOOK_AT_CHANGES = { name: 'look_at_changes', text: lookFor() }

const isNowExpired = ({ before, after }: Extract<Change, { about: 'checkout' }>): boolean =>
  after.status === 'expired' && before?.status !== 'expired'

export class Observer {
  readonly broken: string[] = []
  /** Also for the verdict: what it plans is planned already. */
  readonly db: Database
  readonly #random: Random
  readonly #sends = new Map<string, { times: number; first_at: number }>()
  readonly #unreached = new Set<string>()
  readonly #fencing = new Fencing()
  checks = 0

  constructor(database_url: string, seed: number) {
    // Looks are single statements, without a transaction that could set it.
    const url = `${database_url}&options=-c%20lock_timeout%3D${LOCK_TIMEOUT_MS}`
    this.db = openDatabase(url, {
      statement_timeout_ms: STATEMENT_TIMEOUT_MS,
      lock_timeout_ms: LOCK_TIMEOUT_MS,
      connections_max: 2,
    })
    this.#random = seeded(seed * 23 + 7)
  }

  report(what: string): void {
    if (!this.broken.includes(what)) this.broken.push(what)
  }

  readonly committed = async (owner: Owner): Promise<void> => {
    await this.#checkChanges(owner)
    if (this.broken.length > 0 || !this.#random.chance(CHECKED_SHARE)) return
    const checked = await this.#read(checkAll)
    if (checked !== undefined) this.checks += 1
    for (const { id, promise, violations, examples } of checked ?? []) {
      const [example] = examples
      if (violations > 0 && !AFTER_A_SWEEP.has(id))
        this.report(`during the run ${id}: ${promise} (${example?.subject}: ${example?.detail})`)
    }
  }

  /** Undefined while maintenance holds a table: it goes on only after this. */
  async #read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await withReadTransaction(this.db, work)
    } catch (error) {
      if (LOCKED.has(sqlCodeOf(error))) return undefined
      throw error
    }
  }

  async #checkChanges(owner: Owner): Promise<void> {
    const seen = await this.#look()
    for (const { broken } of seen) if (broken !== null) this.report(broken)
    for (const { change } of seen) {
      if (change === null) continue
      const broken = this.#fencing.judge(change, owner, owner.clock.now)
      if (broken !== undefined) this.report(broken)
      if (change.about === 'operation') {
        this.#checkUnreached(change.after)
        await this.#checkConflict(change.after)
      }
      if (change.about === 'checkout' && isNowExpired(change))
        await this.#checkExpired(change.after.id)
    }
  }

  /** The changes alone while maintenance or a migration holds a table. */
  async #look(): Promise<Seen[]> {
    return (await this.#ask<Seen>(LOOK)) ?? (await this.#ask<Seen>(LOOK_AT_CHANGES)) ?? []
  }

  /** Undefined while a table is held. */
  async #ask<Row extends object>(query: QueryConfig): Promise<Row[] | undefined> {
    try {
      return (await this.db.pool.query<Row>(query)).rows
    } catch (error) {
      if (LOCKED.has(sqlCodeOf(error))) return undefined
      throw error
    }
  }

  /** What the gateway refuses because of a payment's state is asked about at once. */
  async #checkConflict({ kind, state, subject_id, reply }: OperationState): Promise<void> {
    if (state !== 'refused' || reply?.error !== 'gateway_state_conflict') return
    const rows = await this.#ask<{ order_id: string }>({
      text: `select order_id from gapura.gateway_payment
       where id = $1 and (next_check_at <= gapura.now()) is not true`,
      values: [subject_id],
    })
    for (const { order_id } of rows ?? [])
      this.report(`${order_id} is not asked about after the gateway refused its ${kind}`)
  }

  /** A page that has expired has no account that its payer can still pay. */
  async #checkExpired(id: string): Promise<void> {
    const rows = await this.#ask<{ order_id: string }>({
      text: `select order_id from gapura.gateway_payment
       where checkout_id = $1 and transaction_status = 'pending'`,
      values: [id],
    })
    for (const { order_id } of rows ?? [])
      this.report(`the page expired while ${order_id} can still be paid`)
  }

  /** Only the process that made the send knows that it did not arrive: a later attempt does not. */
  #checkUnreached({ id, kind, state, sends, attempt }: OperationState): void {
    if (state === 'unknown' && sends === 1 && attempt === 1 && this.#unreached.has(id))
      this.report(`a ${kind} that never reached the gateway has an unknown outcome`)
  }

  /** The only send of an operation did not reach the gateway: it is refused, not unknown. */
  readonly unreached = (request: HttpRequest): void => {
    const key = wireKeyOf(request)
    if (key !== undefined && !this.#sends.has(key)) this.#unreached.add(key)
  }

  /** A send is on disk, with its number, before the gateway hears of it (ADR 0006). */
  readonly sent = async ({ request, begun, now, in_flight_since }: SentCall): Promise<void> => {
    const key = wireKeyOf(request)
    const what = request.path.split('/').at(-1) ?? ''
    if (key === undefined) {
      if (request.method === 'POST' && !request.path.startsWith(PAGES))
        this.report(`${what} sent without a key`)
      return
    }
    const { times = 0, first_at = now } = this.#sends.get(key) ?? {}
    const sends = times + 1
    this.#sends.set(key, { times: sends, first_at })
    const { rows } = await this.db.pool.query<{ sends: number; sent_at: Date }>(
      'select sends, sent_at from gapura.gateway_operation where id::text = $1',
      [key],
    )
    const written = rows[0]?.sends ?? 0
    if (written < sends) this.report(`send ${sends} to ${what} when ${written} were written down`)
    const late_ms = begun - (rows[0]?.sent_at.getTime() ?? begun)
    if (late_ms > SENT_WITHIN_MS) this.report(`${what} sent ${late_ms} ms after it was written`)
    if (what === 'capture' && sends > 1) this.report('a capture was sent again')
    if (now - first_at > (KEY_LIFE_MS[what] ?? Number.POSITIVE_INFINITY))
      this.report(`${what} sent again after the gateway has forgotten its key`)
    if (in_flight_since !== undefined && begun - in_flight_since < ALONE_MS)
      this.report(`${what} sent by two processes at once`)
  }

  async close(): Promise<void> {
    await this.db.close()
  }
}
