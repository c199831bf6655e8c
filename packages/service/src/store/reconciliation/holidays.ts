// The days on which banks are closed: ageing counts by them.
import type { HOLIDAY_CERTAINTIES } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'

export interface BankHoliday {
  day: string
  updated_at: Date
  closed: boolean
  name: string
  certainty: (typeof HOLIDAY_CERTAINTIES)[number]
  updated_by: string
}

const HOLIDAY_COLUMNS = 'day, updated_at, closed, name, certainty, updated_by'

/** The whole calendar: some forty rows a year. */
export const listHolidays = async (tx: Tx): Promise<BankHoliday[]> =>
  await tx.query<BankHoliday & Record<string, unknown>>(
    `select ${HOLIDAY_COLUMNS} from gapura.bank_holiday order by day`,
  )

/** Says whether banks are closed on a day. */
export async function setHoliday(
  tx: Tx,
  { day, closed, name, updated_by }: Pick<BankHoliday, 'day' | 'closed' | 'name' | 'updated_by'>,
): Promise<BankHoliday> {
  const [set] = await tx.query<BankHoliday & Record<string, unknown>>(
    `insert into gapura.bank_holiday (day, closed, name, certainty, updated_by)
     values ($1, $2, $3, 'merchant', $4)
     on conflict (day) do update
     set closed = excluded.closed,
         name = excluded.name,
         certainty = excluded.certainty,
         updated_by = excluded.updated_by,
         updated_at = gapura.now()
     returning ${HOLIDAY_COLUMNS}`,
    [day, closed, name, updated_by],
  )
  if (set === undefined) throw new Error('the day was not written')
  return set
}
