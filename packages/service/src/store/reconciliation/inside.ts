// What is inside a payout, by the gateway's report about it.
import type { Money } from '../../domain/money.ts'
import type { Cause, ItemState } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'

/** A payment, refund or chargeback that the gateway's report has inside a payout. */
export interface InsidePayout {
  line_id: string
  kind: 'payment' | 'refund' | 'chargeback'
  order_id: string | null
  amount: Money
  fee: Money | null
  payment_id: string | null
  state: ItemState | null
  cause: Cause | '' | null
}

const REPORT = `
  from gapura.statement_line as line
  where line.side = 'gateway'
    and line.kind in ('payment', 'refund', 'chargeback')
    and line.reference = any($1)`

/** The lines of the gateway's reports that name a payout by one of these references. */
export const listInside = async (
  tx: Tx,
  references: readonly string[],
  limit: number,
): Promise<InsidePayout[]> =>
  await tx.query<InsidePayout & Record<string, unknown>>(
    `select line.id as line_id, line.kind, line.order_id, line.amount, line.fee,
       payment.id as payment_id, item.state, item.cause
     from (select line.id, line.kind, line.order_id, line.amount, line.fee, line.created_at ${REPORT}
       order by line.created_at, line.id limit $2) as line
     left join gapura.gateway_payment as payment
       on payment.order_id = line.order_id and not payment.refused
     left join gapura.reconciliation_item as item on item.id = payment.id
     order by line.created_at, line.id`,
    [references, limit],
    // A plan for any number of references would read all lines by their time.
    { prepare: false },
  )

/** How many lines name a payout, and what they add up to after fees. */
export async function sumInside(
  tx: Tx,
  references: readonly string[],
): Promise<{ lines: number; expected: string | null }> {
  const [row] = await tx.query<{ lines: number; expected: string | null }>(
    `select count(*)::integer as lines,
       sum(case when line.kind = 'payment' then line.amount - coalesce(line.fee, 0)
         else -abs(line.amount) end)::numeric(20, 2)::text as expected
     ${REPORT}`,
    [references],
  )
  return row ?? { lines: 0, expected: null }
}

/** The references that name a payout: that of its line, and the gateway's own id. */
export async function referencesOf(tx: Tx, line_id: string): Promise<string[]> {
  const [row] = await tx.query<{ reference: string | null; own: string }>(
    `select reference, split_part(line_key, ':', 2) as own
     from gapura.statement_line
     where id = $1`,
    [line_id],
  )
  return [row?.reference, row?.own].filter((text): text is string => (text ?? '') !== '')
}
