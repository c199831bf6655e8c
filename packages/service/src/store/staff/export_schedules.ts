import type { ExportSchedule } from '../../domain/export_schedule.ts'
import type { Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

const COLUMNS = `
  id, name, every, format, day_of, language, recipients, filters, created_by, created_at,
  period_from, due_at, sent_at, attempts`

/** All of them, by name: staff make a few. */
export const listExportSchedules = async (tx: Tx): Promise<ExportSchedule[]> =>
  await tx.query<ExportSchedule>(`select ${COLUMNS} from gapura.export_schedule order by name, id`)

export type NewExportSchedule = Omit<ExportSchedule, 'created_at' | 'sent_at' | 'attempts'>

/** Undefined if there is one of this name. */
export async function insertExportSchedule(
  tx: Tx,
  schedule: NewExportSchedule,
): Promise<ExportSchedule | undefined> {
  const [made] = await tx.query<ExportSchedule>(
    `insert into gapura.export_schedule
       (id, name, every, format, day_of, language, recipients, filters, created_by, period_from,
        due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (name) do nothing
     returning ${COLUMNS}`,
    [
      schedule.id,
      schedule.name,
      schedule.every,
      schedule.format,
      schedule.day_of,
      schedule.language,
      toJson(schedule.recipients),
      toJson(schedule.filters),
      schedule.created_by,
      schedule.period_from,
      schedule.due_at,
    ],
  )
  return made
}

/** Undefined if there is none of this id. */
export async function deleteExportSchedule(
  tx: Tx,
  id: string,
): Promise<ExportSchedule | undefined> {
  const [deleted] = await tx.query<ExportSchedule>(
    `delete from gapura.export_schedule where id = $1 returning ${COLUMNS}`,
    [id],
  )
  return deleted
}

/**
 * Takes the schedule whose mail has been due for longest, for `lease_ms`. One that another worker has
 * is skipped until its lease is over, which is also the pause after a failure.
 */
export async function claimDueExport(
  tx: Tx,
  lease_ms: number,
): Promise<ExportSchedule | undefined> {
  const [claimed] = await tx.query<ExportSchedule>(
    `update gapura.export_schedule
     set leased_until = gapura.now() + $1 * interval '1 millisecond',
         attempts = attempts + 1
     where id = (
       select id
       from gapura.export_schedule
       where due_at <= gapura.now()
         and (leased_until is null or leased_until <= gapura.now())
       order by due_at, id
       limit 1
       for update skip locked
     )
     returning ${COLUMNS}`,
    [lease_ms],
  )
  return claimed
}

/**
 * Moves a schedule to its next period, unless another worker did or it was deleted: then false, and
 * nothing more is to be recorded.
 */
export async function recordExportSent(
  tx: Tx,
  { id, period_from }: Pick<ExportSchedule, 'id' | 'period_from'>,
  next: Pick<ExportSchedule, 'period_from' | 'due_at'>,
): Promise<boolean> {
  const moved = await tx.query(
    `update gapura.export_schedule
     set period_from = $3,
         due_at = $4,
         sent_at = gapura.now(),
         leased_until = null,
         attempts = 0
     where id = $1
       and period_from = $2
     returning id`,
    [id, period_from, next.period_from, next.due_at],
  )
  return moved.length > 0
}
