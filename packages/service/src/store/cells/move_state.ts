// Where a move is, the fence around the writes of its owner, and what must end before it is moved
// (ADR 0040).
import type { Fence, MoveStep, OwnerMove } from '../../domain/owner_move.ts'
import type { CellSide } from './cell_side.ts'
import type { Cells } from './copy_rows.ts'
import { MOVED } from './moved_tables.ts'

export async function readMove(
  side: CellSide,
  owner_id: string,
): Promise<(OwnerMove & { pause_ms: number | null }) | undefined> {
  const [move] = await side.query<OwnerMove & { pause_ms: number | null }>(
    `select owner_id, direction, peer, step, fence,
       (extract(epoch from switched_at - frozen_at) * 1000)::integer as pause_ms
     from gapura.owner_move
     where owner_id = $1`,
    [owner_id],
  )
  return move
}

/** Begins a move in one of the two cells; the row of an earlier move of this owner is replaced. */
export async function beginMove(
  side: CellSide,
  { owner_id, direction, peer, step }: Pick<OwnerMove, 'owner_id' | 'direction' | 'peer' | 'step'>,
): Promise<void> {
  await side.query(
    `insert into gapura.owner_move (owner_id, direction, peer, step)
     values ($1, $2, $3, $4)
     on conflict (owner_id) do update
     set direction = excluded.direction,
         peer = excluded.peer,
         step = excluded.step,
         fence = 'open',
         started_at = gapura.now(),
         updated_at = gapura.now(),
         frozen_at = null,
         switched_at = null`,
    [owner_id, direction, peer, step],
  )
}

export async function setStep(side: CellSide, owner_id: string, step: MoveStep): Promise<void> {
  await side.query(
    `update gapura.owner_move
     set step = $2,
         updated_at = gapura.now()
     where owner_id = $1`,
    [owner_id, step],
  )
}

/** The end of the pause. */
export async function noteSwitched(side: CellSide, owner_id: string): Promise<void> {
  await side.query(
    `update gapura.owner_move
     set switched_at = coalesce(switched_at, gapura.now())
     where owner_id = $1`,
    [owner_id],
  )
}

/** The SHA-256 of each API key of the owner: how the maps of the proxy name it. */
export const listKeyHashes = async (side: CellSide, owner_id: string): Promise<string[]> =>
  (
    await side.query<{ key_hash: string }>(
      'select key_hash from gapura.api_key where owner_id = $1',
      [owner_id],
    )
  ).map(({ key_hash }) => key_hash)

export async function forgetChanges(side: CellSide, owner_id: string): Promise<void> {
  await side.query('delete from gapura.owner_move_change where owner_id = $1', [owner_id])
}

/**
 * Changes the fence once every transaction that wrote rows of the owner has ended; those that begin
 * meanwhile wait, and then find the new fence.
 */
export async function setFence(side: CellSide, owner_id: string, fence: Fence): Promise<void> {
  await side.transaction(async () => {
    await side.query(
      `select pg_advisory_xact_lock(hashtextextended('gapura.owner_move:' || $1, 0))::text`,
      [owner_id],
    )
    await side.query(
      `update gapura.owner_move
       set fence = $2,
           frozen_at = case when $2 = 'open' then null else coalesce(frozen_at, gapura.now()) end,
           updated_at = gapura.now()
       where owner_id = $1`,
      [owner_id, fence],
    )
  })
}

const TRIGGER = 'owner_moving'

/** Cursors and leases of the cell's own processes go on. */
const FENCED = MOVED.filter(({ name }) => name !== 'event_subscriber')
/** Of tables that are copied after the switch: nothing may be added in between. */
const ALSO_FENCED = [
  { name: 'ledger_posting', key: ['object_id'], through: ['gateway_payment', 'payment_id'] },
] as const

const literal = (text: string): string => `'${text.replaceAll(`'`, `''`)}'`
const jobsOf = ({ schema }: CellSide): string => `${schema}_worker._private_jobs`

/**
 * Notes every change of the owner's rows from here on. Each trigger waits for the transactions that
 * write its table, so that none of them is missing in a copy that begins afterwards.
 */
export async function addTriggers(side: CellSide, owner_id: string): Promise<void> {
  for (const { name, key, through } of [...FENCED, ...ALSO_FENCED]) {
    const [table = '', column = ''] = through ?? []
    const given = [owner_id, name, key.join(','), table, column].map(literal)
    await side.query(
      `create or replace trigger ${TRIGGER}
       after insert or update or delete on gapura.${name}
       for each row execute function gapura.note_owner_change(${given.join(', ')})`,
    )
  }
  if (!(await hasJobs(side))) return
  await side.query(
    `create or replace trigger ${TRIGGER}
     after insert or update on ${jobsOf(side)}
     for each row execute function gapura.refuse_moving_job(${literal(owner_id)})`,
  )
}

export async function dropTriggers(side: CellSide): Promise<void> {
  for (const { name } of [...FENCED, ...ALSO_FENCED]) {
    await side.query(`drop trigger if exists ${TRIGGER} on gapura.${name}`)
  }
  if (await hasJobs(side)) await side.query(`drop trigger if exists ${TRIGGER} on ${jobsOf(side)}`)
}

async function hasJobs(side: CellSide): Promise<boolean> {
  const [found] = await side.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [jobsOf(side)],
  )
  return found?.there ?? false
}

/** Another move that has not ended. There is one at a time: it has the triggers. */
export async function findOtherMove(side: CellSide, owner_id: string): Promise<string | undefined> {
  const [other] = await side.query<{ owner_id: string }>(
    `select owner_id
     from gapura.owner_move
     where owner_id <> $1
       and direction = 'out'
       and step <> 'moved'`,
    [owner_id],
  )
  return other?.owner_id
}

/** What of this owner a process is at work on: each as one line. */
export async function findAtWork({ source, owner_id }: Cells): Promise<string[]> {
  const operations = await source.query<{ open: string }>(
    `select kind || ' ' || id as open
     from gapura.gateway_operation
     where state = 'started'
       and due_at > gapura.now()
       and owner_id = $1`,
    [owner_id],
  )
  const jobs = (await hasJobs(source))
    ? await source.query<{ open: string }>(
        `select 'job ' || id as open from ${jobsOf(source)} where payload ->> 'owner_id' = $1`,
        [owner_id],
      )
    : []
  return [...operations, ...jobs].map(({ open }) => open)
}

/**
 * What subscribers of the old cell have still to receive of this owner, and since when, each as one
 * line. Endpoints of the owner go with it, and get the rest in the new cell.
 */
export async function findUndelivered(
  { source, owner_id }: Cells,
  waiting_ms = 0,
): Promise<string[]> {
  const found = await source.query<{ open: string }>(
    `select 'events for ' || subscriber.name as open
     from gapura.event_subscriber as subscriber
     where subscriber.retired_at is null
       and subscriber.owner_id is null
       and exists (
         select
         from gapura.gateway_event as event
         where (event.xid, event.object_id, event.sequence) > (
             subscriber.cursor_xid, subscriber.cursor_object_id, subscriber.cursor_sequence
           )
           and event.owner_id = $1
           and (subscriber.signals is null or event.type = any(subscriber.signals))
           and event.occurred_at <= gapura.now() - make_interval(secs => $2::double precision / 1000)
       )
     union all
     select 'a failed event for ' || dead.subscriber
     from gapura.dead_event as dead
     join gapura.event_subscriber as subscriber on subscriber.name = dead.subscriber
     where dead.owner_id = $1
       and subscriber.retired_at is null
       and subscriber.owner_id is distinct from $1`,
    [owner_id, waiting_ms],
  )
  return found.map(({ open }) => open)
}

/** Why this owner cannot be moved at all; undefined if it can. */
export async function findRefusal({
  source,
  target,
  owner_id,
}: Cells): Promise<string | undefined> {
  const [same] = await identitiesOf(source, target)
  if (same === true) return 'both databases are the same'
  const [matched] = await source.query(
    `select 1 as found
     from gapura.reconciliation_item as item
     join gapura.gateway_payment as payment on payment.id = item.payment_id
     where payment.owner_id = $1
     limit 1`,
    [owner_id],
  )
  if (matched !== undefined)
    return 'its payments are matched with statements, which are of the cell'
  const versions = await Promise.all(
    [source, target].map(
      async (side) =>
        await side.query<{ version: number }>(
          'select max(version) as version from gapura.migration',
        ),
    ),
  )
  if (versions[0]?.[0]?.version !== versions[1]?.[0]?.version) {
    return 'the two cells have different releases'
  }
  return undefined
}

async function identitiesOf(...sides: readonly CellSide[]): Promise<boolean[]> {
  const names = await Promise.all(
    sides.map(async (side) => {
      const [row] = await side.query<{ name: string }>(
        `select (select system_identifier::text from pg_control_system())
           || current_database() || $1 as name`,
        [side.schema],
      )
      return row?.name
    }),
  )
  return [names[0] === names[1]]
}
