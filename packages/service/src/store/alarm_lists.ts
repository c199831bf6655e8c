import type { AlarmKind, GatewayAlarm } from '../domain/alarm.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from './keyset.ts'
import type { Tx } from './transaction.ts'
import { conditionsOf } from './visible.ts'

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

/** A page of alarms, newest first: those still open, or the closed ones with them. */
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
