import type { AlarmKind, GatewayAlarm } from '../../domain/alarm.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'
import { publishOperatorEvent } from '../events/outbox.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'

const ALARM_COLUMNS = `
  id, kind, subject_kind, subject_id, owner_id, detail, opened_at, closed_at, closed_by, note,
  taken_at, taken_by`

export const ALARMS_PAGE_MAX = 200
/** Nothing is added to a longer one. */
const DETAIL_LENGTH_MAX = 1_000

export type NewAlarm = Pick<
  GatewayAlarm,
  'id' | 'kind' | 'subject_kind' | 'subject_id' | 'owner_id' | 'detail'
>

/**
 * A second thing to look at must not be lost behind the first, nor be closed with it. In the same
 * statement, because the alarm may be closed at this moment.
 */
const ADD_DETAIL = `
  do update set detail = gateway_alarm.detail || '; ' || excluded.detail
  where position(excluded.detail in gateway_alarm.detail) = 0
    and length(gateway_alarm.detail) < ${DETAIL_LENGTH_MAX}`

/**
 * Opens an alarm and publishes it to staff. False if an alarm of this kind is already open for this
 * subject; one about an unknown outcome then says this as well. May be repeated.
 */
export async function openAlarm(tx: Tx, alarm: NewAlarm): Promise<boolean> {
  const [row] = await tx.query<{ is_new: boolean }>(
    `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (kind, subject_id) where closed_at is null
     ${alarm.kind === 'outcome_unknown' ? ADD_DETAIL : 'do nothing'}
     returning id = $1 as is_new`,
    [alarm.id, alarm.kind, alarm.subject_kind, alarm.subject_id, alarm.owner_id, alarm.detail],
  )
  if (row?.is_new !== true) return false
  doneOnCommit({ kind: 'alarm', alarm: alarm.kind })
  const { id, kind, subject_kind, subject_id } = alarm
  const object = { id, kind, subject_kind, subject_id }
  await publishOperatorEvent(tx, { type: 'alarm_opened', object })
  return true
}

/**
 * Locks the open alarm of this kind about this subject and returns its id, or undefined. A process
 * that closes it and a process that would open it again both lock it first; otherwise each would
 * decide by what the other has not committed yet.
 */
export async function lockAlarmAbout(
  tx: Tx,
  { kind, subject_id }: Pick<GatewayAlarm, 'kind' | 'subject_id'>,
): Promise<string | undefined> {
  const [alarm] = await tx.query<{ id: string }>(
    `select id
     from gapura.gateway_alarm
     where kind = $1
       and subject_id = $2
       and closed_at is null
     for update`,
    [kind, subject_id],
  )
  return alarm?.id
}

/** Assigns an open alarm. Undefined if it is not open. */
export async function takeAlarm(
  tx: Tx,
  id: string,
  taken_by: string,
): Promise<GatewayAlarm | undefined> {
  const [taken] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set taken_at = gapura.now(),
         taken_by = $2
     where id = $1
       and closed_at is null
     returning ${ALARM_COLUMNS}`,
    [id, taken_by],
  )
  return taken
}

/**
 * Adds a line to the notes of an open alarm, unless it is the last line already: that is a repeated
 * request. Undefined if the alarm is not open.
 */
export async function noteAlarm(
  tx: Tx,
  id: string,
  line: string,
): Promise<{ alarm: GatewayAlarm; added: boolean } | undefined> {
  const [open] = await tx.query<GatewayAlarm>(
    `select ${ALARM_COLUMNS}
     from gapura.gateway_alarm
     where id = $1
       and closed_at is null
     for no key update`,
    [id],
  )
  if (open === undefined) return undefined
  if (`\n${open.note ?? ''}`.endsWith(`\n${line}`)) return { alarm: open, added: false }
  const [noted = open] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set note = concat_ws(E'\n', note, $2::text)
     where id = $1
     returning ${ALARM_COLUMNS}`,
    [id, line],
  )
  return { alarm: noted, added: true }
}

/** Closes an open alarm, and adds who closed it and why. Undefined if it is not open. */
export async function closeAlarm(
  tx: Tx,
  id: string,
  { closed_by, note }: { closed_by: string; note: string | null },
): Promise<GatewayAlarm | undefined> {
  const [closed] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set closed_at = gapura.now(),
         closed_by = $2,
         note = nullif(concat_ws(E'\n', note, $3::text), '')
     where id = $1
       and closed_at is null
     returning ${ALARM_COLUMNS}`,
    [id, closed_by, note],
  )
  return closed
}

/**
 * The same, found by its subject, if it was opened before this time and says nothing else than this.
 * Undefined if no such alarm is open.
 */
export async function closeAlarmAbout(
  tx: Tx,
  {
    kind,
    subject_id,
    says = null,
    opened_before = null,
  }: Pick<GatewayAlarm, 'kind' | 'subject_id'> & {
    /** A regular expression. */
    says?: string | null
    opened_before?: Date | null
  },
  { closed_by, note }: { closed_by: string; note: string | null },
): Promise<GatewayAlarm | undefined> {
  const [closed] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set closed_at = gapura.now(),
         closed_by = $3,
         note = nullif(concat_ws(E'\n', note, $4::text), '')
     where kind = $1
       and subject_id = $2
       and closed_at is null
       and detail ~ coalesce($5, '')
       and opened_at < coalesce($6, 'infinity'::timestamptz)
     returning ${ALARM_COLUMNS}`,
    [kind, subject_id, closed_by, note, says, opened_before],
  )
  return closed
}

/** The open alarms, longest open first. */
export const listOpenAlarms = async (tx: Tx, limit: number): Promise<GatewayAlarm[]> =>
  await tx.query<GatewayAlarm>(
    `select ${ALARM_COLUMNS}
     from gapura.gateway_alarm
     where closed_at is null
     order by opened_at, id
     limit $1`,
    [Math.min(limit, ALARMS_PAGE_MAX)],
  )

export type AlarmSummary = Omit<GatewayAlarm, 'opened_at'> & {
  /** When it was opened. */
  created_at: Date
}

export interface AlarmFilters {
  kind?: AlarmKind
  subject_id?: string
}

const FILTERS = [
  ['kind', 'kind = ?'],
  ['subject_id', 'subject_id = ?'],
] as const

const tableOf = (closed: boolean): string => `(
  select
    id, kind, subject_kind, subject_id, owner_id, detail, opened_at as created_at, closed_at,
    closed_by, note, taken_at, taken_by
  from gapura.gateway_alarm
  ${closed ? '' : 'where closed_at is null'}
) as alarm`

/** A page of alarms, newest first: the open ones, or all. */
export async function listAlarms(
  tx: Tx,
  { closed, ...filters }: AlarmFilters & { closed: boolean },
  request: PageRequest,
): Promise<Page<AlarmSummary>> {
  const conditions = conditionsOf(FILTERS, filters)
  const source = { table: tableOf(closed), columns: '*', conditions }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<AlarmSummary>(text, values, { prepare: false }), request)
}
