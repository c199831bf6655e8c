import type { FeeRate } from '../../domain/fees.ts'
import type { Tx } from '../connection/transaction.ts'

const COLUMNS = `
  id, payment_type, channel, valid_from, rate_ppm, fixed_amount, vat_ppm, borne_by, origin, note,
  updated_at, updated_by`

/** The whole rate card: a few rows for each method. */
export const listFeeRates = async (tx: Tx): Promise<FeeRate[]> =>
  await tx.query<FeeRate>(
    `select ${COLUMNS} from gapura.fee_rate order by payment_type, channel, valid_from desc`,
  )

/** Sets the rate of a method, bank or store from a day on; one of the same day is replaced. */
export async function setFeeRate(tx: Tx, rate: Omit<FeeRate, 'updated_at'>): Promise<FeeRate> {
  const [set] = await tx.query<FeeRate>(
    `insert into gapura.fee_rate as rate
       (id, payment_type, channel, valid_from, rate_ppm, fixed_amount, vat_ppm, borne_by, origin,
        note, updated_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (payment_type, channel, valid_from) do update
     set rate_ppm = excluded.rate_ppm,
         fixed_amount = excluded.fixed_amount,
         vat_ppm = excluded.vat_ppm,
         borne_by = excluded.borne_by,
         origin = excluded.origin,
         note = excluded.note,
         updated_by = excluded.updated_by,
         updated_at = gapura.now()
     returning ${COLUMNS}`,
    [
      rate.id,
      rate.payment_type,
      rate.channel,
      rate.valid_from,
      rate.rate_ppm,
      rate.fixed_amount,
      rate.vat_ppm,
      rate.borne_by,
      rate.origin,
      rate.note,
      rate.updated_by,
    ],
  )
  if (set === undefined) throw new Error('the rate was not written')
  return set
}
