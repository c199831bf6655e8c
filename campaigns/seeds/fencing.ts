// Leases: only the process that holds an operation, or leads a subscriber, may change it. Triggers
// of the run's database record each change; it is judged with the process that committed it.
import type { Client } from 'pg'
import type { Owner } from './virtual.ts'

export interface OperationState {
  id: string
  kind: string
  subject_kind: string
  subject_id: string
  state: string
  sends: number
  attempt: number
  due_at: string | null
  reply: { error?: string } | null
}

interface SubscriberState {
  name: string
  lease_token: number
  lease_holder: string | null
  lease_until: string | null
  cursor_xid: string
  cursor_object_id: string
  cursor_sequence: number
}

interface CheckoutState {
  id: string
  status: string
}

export type Change =
  | { about: 'checkout'; before: CheckoutState | null; after: CheckoutState }
  | { about: 'operation'; before: OperationState | null; after: OperationState }
  | { about: 'subscriber'; before: SubscriberState | null; after: SubscriberState }

/**
 * Changes since the last look, and what else is wrong. Rows are deleted as they are read, so that
 * none is missed that commits later than another.
 */
export const lookFor = (broken = 'select null where false'): string => `
  with read as (delete from seeds.change returning place, about, before, after)
  select broken, change
  from (
    select null::bigint as place, broken::text, null::jsonb as change
    from (${broken}) as rows (broken)
    union all
    select place, null, to_jsonb(read) from read
  ) as seen
  order by place`

export interface Seen {
  broken: string | null
  change: Change | null
}

export async function recordChanges(db: Pick<Client, 'query'>): Promise<void> {
  await db.query(`
    create table seeds.change (
      place bigint generated always as identity,
      about text not null,
      before jsonb,
      after jsonb not null
    )`)
  await db.query(`
    create function seeds.record_change() returns trigger language plpgsql as $$
    begin
      insert into seeds.change (about, before, after)
      values (tg_argv[0], case when tg_op = 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
      return null;
    end $$`)
  for (const [about, table] of [
    ['operation', 'gateway_operation'],
    ['subscriber', 'event_subscriber'],
    ['checkout', 'gateway_checkout'],
  ])
    await db.query(`
      create trigger seeds_record_change after insert or update on gapura.${table}
      for each row execute function seeds.record_change('${about}')`)
}

const isAfter = (time: string | null, now: number): boolean =>
  time !== null && Date.parse(time) > now

const isOpen = (state: string): boolean => state === 'started' || state === 'unknown'

export class Fencing {
  readonly #holders = new Map<string, Owner>()

  /** What the process did to something that another holds; undefined if it may. */
  judge(change: Change, owner: Owner, now: number): string | undefined {
    const { about, before, after } = change
    if (about === 'operation') return this.#judgeOperation(before, after, { owner, now })
    if (about === 'subscriber') return this.#judgeSubscriber(before, after, { owner, now })
    return undefined
  }

  #judgeOperation(
    before: OperationState | null,
    after: OperationState,
    { owner, now }: { owner: Owner; now: number },
  ): string | undefined {
    const holder = this.#holders.get(after.id)
    const is_foreign = holder !== undefined && holder !== owner
    if (before === null || before.attempt !== after.attempt) {
      this.#holders.set(after.id, owner)
      const is_held = before?.state === 'started' && isAfter(before.due_at, now)
      return is_foreign && is_held ? 'an operation was taken from its process' : undefined
    }
    if (!is_foreign || !isOpen(before.state)) return undefined
    if (after.state === 'refused') return 'an operation was refused by a former holder'
    // What the gateway has made may end the creation of other objects, in whichever process sees it.
    if (after.state === 'succeeded')
      return after.subject_kind === 'payment'
        ? 'an operation was ended by a former holder'
        : undefined
    if (before.state === 'started' && before.due_at !== after.due_at)
      return 'the lease of an operation was changed by another process'
    return undefined
  }

  #judgeSubscriber(
    before: SubscriberState | null,
    after: SubscriberState,
    { owner, now }: { owner: Owner; now: number },
  ): string | undefined {
    const leader = this.#holders.get(after.name)
    const is_foreign = leader !== undefined && leader !== owner
    if (before === null) return undefined
    if (before.lease_token !== after.lease_token) {
      this.#holders.set(after.name, owner)
      return is_foreign && isAfter(before.lease_until, now)
        ? 'the lead of a subscriber was taken from its process'
        : undefined
    }
    const moved =
      before.cursor_xid !== after.cursor_xid ||
      before.cursor_object_id !== after.cursor_object_id ||
      before.cursor_sequence !== after.cursor_sequence
    return is_foreign && moved ? 'the cursor was moved by a former leader' : undefined
  }
}
