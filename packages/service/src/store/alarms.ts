import type { GatewayAlarm } from '../domain/alarm.ts'
import type { Tx } from './transaction.ts'

const ALARM_COLUMNS = `
  id, kind, subject_kind, subject_id, owner_id, detail, opened_at, closed_at, closed_by, note`

export const ALARMS_PAGE_MAX = 200

export type NewAlarm = Pick<
  GatewayAlarm,
  'id' | 'kind' | 'subject_kind' | 'subject_id' | 'owner_id' | 'detail'
>

/**
 * Opens an alarm. False if the same kind is open for the same subject already: seen again is the
 * same trouble. May repeat.
 */
export async function openAlarm(tx: Tx, alarm: NewAlarm): Promise<boolean> {
  const opened = await tx.query(
    `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (kind, subject_id) where closed_at is null do nothing
     returning id`,
    [alarm.id, alarm.kind, alarm.subject_kind, alarm.subject_id, alarm.owner_id, alarm.detail],
  )
  return opened.length > 0
}

/** Closes an open alarm, with who did and why. Returns nothing if it is not open. */
export async function closeAlarm(
  tx: Tx,
  id: string,
  { closed_by, note }: { closed_by: string; note: string | null },
): Promise<GatewayAlarm | undefined> {
  const [closed] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set closed_at = gapura.now(),
         closed_by = $2,
         note = $3
     where id = $1
       and closed_at is null
     returning ${ALARM_COLUMNS}`,
    [id, closed_by, note],
  )
  return closed
}

/** The same, found by what it is about. Nothing if no such alarm is open. */
export async function closeAlarmAbout(
  tx: Tx,
  { kind, subject_id }: Pick<GatewayAlarm, 'kind' | 'subject_id'>,
  { closed_by, note }: { closed_by: string; note: string | null },
): Promise<GatewayAlarm | undefined> {
  const [closed] = await tx.query<GatewayAlarm>(
    `update gapura.gateway_alarm
     set closed_at = gapura.now(),
         closed_by = $3,
         note = $4
     where kind = $1
       and subject_id = $2
       and closed_at is null
     returning ${ALARM_COLUMNS}`,
    [kind, subject_id, closed_by, note],
  )
  return closed
}

/** What a person has to look at, longest open first. */
export const listOpenAlarms = async (tx: Tx, limit: number): Promise<GatewayAlarm[]> =>
  await tx.query<GatewayAlarm>(
    `select ${ALARM_COLUMNS}
     from gapura.gateway_alarm
     where closed_at is null
     order by opened_at, id
     limit $1`,
    [Math.min(limit, ALARMS_PAGE_MAX)],
  )
