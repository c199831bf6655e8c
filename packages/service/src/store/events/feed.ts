// The outbox as readers outside of this process follow it: by a cursor that they keep themselves.
import type { Tx } from '../connection/transaction.ts'
import { EVENT_COLUMNS, type EventPlace, type EventType, type GatewayEvent } from './outbox.ts'

/** Of how many events one page of the feed looks at the owner and the type. */
export const FEED_SCAN_MAX = 10_000

export interface FeedFilter {
  /** Null: of every owner. */
  owner_id: string | null
  types: readonly EventType[]
}

/** What decides which cursors are still valid. */
export interface FeedState {
  /** The PostgreSQL cluster that numbers the transactions; a restored copy is another. */
  cluster: string
  /** No event above this number exists. */
  newest: string
  /** The beginning of the oldest month that is stored. */
  retained_since: Date
  now: Date
}

export async function readFeedState(tx: Tx): Promise<FeedState> {
  const [state] = await tx.query<FeedState>(
    `select
       (select system_identifier::text from pg_control_system()) as cluster,
       pg_snapshot_xmax(pg_current_snapshot())::text as newest,
       coalesce(
         (
           select min(month)::timestamp at time zone 'UTC'
           from gapura.month_partitions('gateway_event')
         ),
         gapura.now()
       ) as retained_since,
       gapura.now() as now`,
  )
  if (state === undefined) throw new RangeError('the state of the outbox cannot be read')
  return state
}

export interface FeedRequest {
  after: EventPlace
  limit: number
  /** Below this number instead of below the oldest running transaction; see readEventHorizon. */
  horizon?: string
}

/**
 * The next events of an owner after a position, in order. There is no index by owner: it would
 * cost every charge. So at most FEED_SCAN_MAX events are looked at, and findScanEdge says how far.
 */
export const readFeedEvents = async (
  tx: Tx,
  { owner_id, types }: FeedFilter,
  { after, limit, horizon }: FeedRequest,
): Promise<GatewayEvent[]> =>
  await tx.query<GatewayEvent>(
    `select ${EVENT_COLUMNS}
     from (
       select ${EVENT_COLUMNS}
       from gapura.gateway_event
       where (xid, object_id, sequence) > ($1::xid8, $2::uuid, $3::integer)
         and xid < coalesce($4::xid8, pg_snapshot_xmin(pg_current_snapshot()))
       order by xid, object_id, sequence
       limit $5
     ) as scanned
     where ($6::text is null or owner_id = $6)
       and type = any($7::text[])
     order by xid, object_id, sequence
     limit $8`,
    [
      after.xid,
      after.object_id,
      after.sequence,
      horizon ?? null,
      FEED_SCAN_MAX,
      owner_id,
      types,
      limit,
    ],
  )

export interface ScanEdge extends EventPlace {
  occurred_at: Date
  /** How many events were looked at. */
  scanned: number
}

/** The last event that readFeedEvents looked at; undefined if there was none. */
export async function findScanEdge(
  tx: Tx,
  { after, horizon }: Pick<FeedRequest, 'after' | 'horizon'>,
): Promise<ScanEdge | undefined> {
  const [edge] = await tx.query<ScanEdge>(
    `select xid, object_id, sequence, occurred_at, (count(*) over ())::integer as scanned
     from (
       select xid, object_id, sequence, occurred_at
       from gapura.gateway_event
       where (xid, object_id, sequence) > ($1::xid8, $2::uuid, $3::integer)
         and xid < coalesce($4::xid8, pg_snapshot_xmin(pg_current_snapshot()))
       order by xid, object_id, sequence
       limit $5
     ) as looked_at
     order by xid desc, object_id desc, sequence desc
     limit 1`,
    [after.xid, after.object_id, after.sequence, horizon ?? null, FEED_SCAN_MAX],
  )
  return edge
}
